import { isJsonObject } from "../../../base/kernel/json.js";
import { answerText, field, mediaType, valueText } from "../answer.js";
import { asWarning, type Check, checks } from "../check.js";
import * as expect from "../expect.js";
import { type CheckedExchange, Skip } from "../run-context.js";

/** Rules for every answer. Most of these checks look at the answers to all other checks. */

const PROBE = "/v1/wallets/balance";
const ID_SENT = "qa-pay-conform-request-id";
/** Members that hold money, on all routes. Their values are whole numbers, or null where the route allows it. */
const MONEY = new Set([
  ...["amount", "available", "pending", "total", "retained", "next_release_amount", "balance", "pendingBalance"],
  ...["providerFee", "platformFee", "netAmount", "volume"],
]);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|\+00:00)$/;

interface Member {
  readonly path: string;
  readonly name: string;
  readonly value: unknown;
}

/** All members of a body, without those in free-form objects, which belong to the merchant or the provider. */
function* members(value: unknown, path = ""): Generator<Member> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* members(item, `${path}${index}.`);
  } else if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (name === "metadata" || name === "rawResponse") continue;
      yield { path: `${path}${name}`, name, value: inner };
      yield* members(inner, `${path}${name}.`);
    }
  }
}

interface OfAnswers {
  /** Which answers it looks at; all when left out. */
  readonly of?: (seen: CheckedExchange) => boolean;
  /** Their name; `answers` when left out. */
  readonly what?: string;
  readonly from?: "exchanges" | "limited";
  readonly expected: string;
  /** Returns the fault of an answer; null for a right one. */
  readonly fault: (seen: CheckedExchange) => string | null;
}

/** Checks the answers to all other checks, and reports the first wrong one. */
function checkEvery({ of = () => true, what = "answers", from = "exchanges", expected, fault }: OfAnswers) {
  const run: Check["run"] = ({ [from]: all }) => {
    const looked = all.filter(of);
    if (looked.length === 0) throw new Skip(`the checks of this run saw no ${what}`);
    for (const seen of looked) {
      const text = fault(seen);
      expect.that(text === null, expected, `${seen.method} ${seen.path}: ${text}`, seen);
    }
    return `${what}: ${looked.length}, all of them so`;
  };
  return { isLast: true as const, run };
}

const isSuccess = ({ status }: CheckedExchange) => status < 300;
const isRefusal = ({ status }: CheckedExchange) => status >= 400;

/** The fault of the first member that does not fit. */
function memberFault(json: unknown, fits: (member: Member) => boolean): string | null {
  for (const member of members(json)) if (!fits(member)) return `${member.path} is ${valueText(member.value)}`;
  return null;
}

function envelopeFault(seen: CheckedExchange): string | null {
  if (!isJsonObject(seen.json)) return `${seen.status} with ${mediaType(seen) || "no content type"}, and no envelope`;
  const [type, code, message, id] = ["error.type", "error.code", "error.message", "request_id"].map((path) =>
    field(seen, path),
  );
  if (![...expect.ERROR_TYPES.values()].includes(String(type))) return `error.type is ${valueText(type)}`;
  if (typeof code !== "string" || !/^[A-Za-z][\w.]*$/.test(code)) return `error.code is ${valueText(code)}`;
  if (typeof message !== "string" || message === "") return `error.message is ${valueText(message)}`;
  if (id !== seen.headers.get("x-request-id")) {
    return `request_id is ${valueText(id)}, the header ${valueText(seen.headers.get("x-request-id"))}`;
  }
  return null;
}

/** A validation failure has details. Other refusals with 400, such as a wrong state, have none. */
function detailsFault(seen: CheckedExchange): string | null {
  const [param, details] = [field(seen, "error.param"), field(seen, "error.details")];
  if (param !== undefined && typeof param !== "string") return `error.param is ${valueText(param)}`;
  if (param !== undefined && details === undefined) return "it has error.param and no error.details";
  if (details === undefined) return null;
  const isList =
    Array.isArray(details) &&
    details.length > 0 &&
    details.every((one) => isJsonObject(one) && typeof one.param === "string" && typeof one.message === "string");
  return isList ? null : `error.details is ${valueText(details)}`;
}

export const GENERAL = checks([], {
  "json-bodies": checkEvery({
    of: ({ text }) => text !== "",
    expected: "The body is JSON, with the content type application/json.",
    fault(seen) {
      const type = mediaType(seen);
      if (type !== "application/json") return `the content type is ${type || "missing"}`;
      return seen.json === undefined ? "the body is no JSON" : null;
    },
  }),
  "money-fields": checkEvery({
    of: isSuccess,
    expected: "An amount is a JSON number without a fraction.",
    fault: ({ json }) =>
      memberFault(json, ({ name, value }) => {
        if (!MONEY.has(name) || value === null || typeof value === "object") return true;
        return Number.isSafeInteger(value);
      }),
  }),
  timestamps: checkEvery({
    of: isSuccess,
    expected: "A timestamp reads like 2026-11-21T12:00:00.000Z.",
    fault: ({ json }) =>
      memberFault(json, ({ name, value }) => {
        if (!/(?:_at|At|_deadline)$/.test(name) || value === null) return true;
        return typeof value === "string" && INSTANT.test(value);
      }),
  }),
  "request-id": checkEvery({
    expected: "The answer has the header X-Request-Id.",
    fault: ({ headers }) => ((headers.get("x-request-id") ?? "") === "" ? "it has none" : null),
  }),
  async "request-id-echo"(host) {
    const headers = { "x-request-id": ID_SENT };
    for (const path of [PROBE, "/v1/charges/ch_qa-pay-conform"]) {
      const seen = await host.get(path, { headers });
      const got = seen.headers.get("x-request-id");
      expect.that(got === ID_SENT, `GET ${path} answers X-Request-Id: ${ID_SENT}.`, `it is ${valueText(got)}`, seen);
    }
    return "the same id, on a success and on a refusal";
  },
  async "request-id-new"(host) {
    const answers = [await host.get(PROBE), await host.get(PROBE)];
    const [one, other] = answers.map(({ headers }) => headers.get("x-request-id"));
    expect.that(one !== other, "Two requests have two ids.", `both have ${valueText(one)}`, answers[1]);
    return "two requests, two ids";
  },
  "error-envelope": checkEvery({
    of: isRefusal,
    what: "refusals",
    expected: "The body is {error: {type, code, message}, request_id}, and request_id is X-Request-Id.",
    fault: envelopeFault,
  }),
  "error-details": checkEvery({
    of: ({ status }) => status === 400,
    what: "refusals with 400",
    expected: "error.details is a list of {param, message}, and error.param a text.",
    fault: detailsFault,
  }),
  "error-types": checkEvery({
    of: isRefusal,
    what: "refusals",
    expected: "401 is an authentication_error, 404 a not_found_error, and so on.",
    fault(seen) {
      const [type, wanted] = [field(seen, "error.type"), expect.ERROR_TYPES.get(seen.status)];
      return wanted === undefined || type === wanted ? null : `${seen.status} has the type ${valueText(type)}`;
    },
  }),
  "server-errors": checkEvery({
    expected: "The status is below 500.",
    fault: (seen) => (seen.status >= 500 ? `it answered ${answerText(seen)}` : null),
  }),
  "rate-limit": checkEvery({
    from: "limited",
    what: "answers 429",
    expected: "It has code rate_limited, Retry-After, X-RateLimit-Limit-Minute and X-RateLimit-Remaining-Minute.",
    fault(seen) {
      expect.refusal(seen, { status: 429, code: "rate_limited" });
      const names = ["retry-after", "x-ratelimit-limit-minute", "x-ratelimit-remaining-minute"];
      const missing = names.find((name) => !/^\d+$/.test(seen.headers.get(name) ?? ""));
      return missing === undefined ? null : `the header ${missing} is ${valueText(seen.headers.get(missing))}`;
    },
  }),
  "unknown-path": asWarning(expect.refuses("404 not_found", expect.NOT_FOUND, ["GET /v1/qa-pay-conform"])),
});
