import { addressOf } from "../../api/client/route.js";
import { ERROR_CATALOGUE } from "../../base/kernel/errors.js";
import { answerText, field, valueText } from "./answer.js";
import type { Check, Host } from "./check.js";
import { type AskOptions, type CheckedExchange, Deviation } from "./run-context.js";

/** Expectations about one answer: `import * as expect`. Each throws Deviation with the observed facts. */

/** Throws a Deviation with `expected` and `saw` when `isTrue` is false. `saw` must not name a secret. */
export function that(isTrue: boolean, expected: string, saw: string, seen?: CheckedExchange): void {
  if (!isTrue) throw new Deviation(saw, seen, expected);
}

export function status(seen: CheckedExchange, wanted: number): void {
  const { method, path } = seen;
  that(seen.status === wanted, `${method} ${path} answers ${wanted}.`, `it answered ${answerText(seen)}`, seen);
}

/** Expects two values that are equal as texts. */
export function same(is: unknown, wanted: unknown, expected: string, seen?: CheckedExchange): void {
  that(valueText(is) === valueText(wanted), expected, valueText(is), seen);
}

/** Expects this value in a field of an answer. `expected` describes it where the name of the field is not enough. */
export function value(
  seen: CheckedExchange,
  path: string,
  wanted: unknown,
  expected = `${path} is ${typeof wanted === "string" ? wanted : valueText(wanted)}.`,
): void {
  const is = valueText(field(seen, path));
  that(is === valueText(wanted), expected, `it is ${is}`, seen);
}

interface RequestDetails extends AskOptions {
  /** The values of the path's parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
}

/** Sends a request to a route, such as `GET /v1/payments/{id}`. Expects the status `success` and a body of its schema. */
export async function expectServed(
  host: Host,
  route: string,
  requested: RequestDetails = {},
  success = 200,
): Promise<CheckedExchange> {
  const [method = "", path = ""] = route.split(" ");
  const { params, query, ...options } = requested;
  const seen = await host.ask(method, addressOf(path, { params: params ?? {}, query: query ?? {} }), options);
  status(seen, success);
  host.shapes.check(seen, route, success);
  return seen;
}

export interface Refusal {
  readonly status: number;
  /** The type that belongs to the status when left out. */
  readonly type?: string;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
}

/** The error type of each status. */
export const ERROR_TYPES: ReadonlyMap<number, string> = new Map(
  Object.values(ERROR_CATALOGUE).map(({ status: of, type }) => [of, type]),
);

/** `what` names the request when its path does not: `a charge of the amount 0`. */
export function refusal(seen: CheckedExchange, { status, code, param, type }: Refusal, what?: string): void {
  const wantedType = type ?? ERROR_TYPES.get(status) ?? "";
  const wanted = [String(status), wantedType, code, param === undefined ? undefined : `param ${param}`];
  const name = what ?? `${seen.method} ${seen.path}`;
  const expected = `${name} is refused with ${wanted.filter((part) => part !== undefined).join(", ")}.`;
  const got = [String(seen.status), field(seen, "error.type"), field(seen, "error.code")].map((part) =>
    part === undefined ? "nothing" : String(part),
  );
  const gotParam = field(seen, "error.param");
  const saw = `${seen.status < 400 ? `it was accepted with ${seen.status}` : got.join(", ")}${
    param === undefined ? "" : `, param ${valueText(gotParam)}`
  }`;
  const isRight =
    seen.status === status &&
    field(seen, "error.type") === wantedType &&
    (code === undefined || field(seen, "error.code") === code) &&
    (param === undefined || gotParam === param);
  that(isRight, expected, saw, seen);
}

export const INVALID: Refusal = { status: 400, code: "invalid_request" };
export const NOT_FOUND: Refusal = { status: 404, code: "not_found" };

/** Checks requests without a body, all of which get the same refusal. A refused query names its parameter in `param`. */
export function refuses(summary: string, wanted: Refusal, requests: readonly string[]): Check["run"] {
  return async (host) => {
    for (const request of requests) {
      const [method = "", path = ""] = request.split(" ");
      refusal(await host.ask(method, path), { ...wanted, param: /\?(\w+)=/.exec(path)?.[1] });
    }
    return summary;
  };
}

/** A body that must be refused: its name for the text of a difference, the body, and the facts of the refusal besides 400. */
export type WrongBody = readonly [string, object, Omit<Refusal, "status">];

/** Bodies that are right but for one field. `noun` names the object that they would create. */
export function wrongFields(noun: string, good: object, changes: readonly object[]): WrongBody[] {
  return changes.map((change) => {
    const [param = ""] = Object.keys(change);
    return [`${noun} with a wrong ${param}`, { ...good, ...change }, { param }];
  });
}

/** Sends bodies, each of which is refused with 400. */
export async function allRefused(
  wrong: readonly WrongBody[],
  send: (body: object) => Promise<CheckedExchange>,
): Promise<void> {
  for (const [what, body, wanted] of wrong) refusal(await send(body), { status: 400, ...wanted }, what);
}
