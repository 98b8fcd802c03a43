import * as z from "zod";
import { isPreview, PREVIEWS, type Preview } from "../../../base/kernel/contract.js";
import { parseDuration } from "../../../base/kernel/duration.js";
import { givenHost, givenHosts } from "../../../base/kernel/given-hosts.js";
import { alternative } from "../../../base/kernel/nearest.js";
import { reasonOf } from "../../../base/kernel/reason.js";
import { MAX_SPEED } from "../../../base/kernel/time.js";
import { checkWebhookUrl, isSigningSecret } from "../../../base/kernel/webhook-url.js";
import type { Mode } from "../../../service/features/access/catalogue.js";
import { isKeyOf } from "../../../service/features/access/keys.js";
import {
  type ServiceSettings,
  SIGNATURE_TIMES,
  type SignatureTime,
  type Velocity,
} from "../../../service/features/service-settings.js";
import { METHOD_NAMES } from "../../../service/features/transactions/catalogue.js";
import { EVENT_NAMES, type EventName, isEventName } from "../../../service/features/webhooks/catalogue.js";
import type { EmulatorOptions as StartOptions } from "../emulator-types.js";
import {
  duration,
  instant,
  OptionError,
  type Reader,
  readOptions,
  text,
  toggle,
  type Wording,
  whole,
} from "./reading.js";
import type { ServiceOptions } from "./service-options.js";

/** Reads an API key. The refusal does not show the value: it may be a real key of another service. */
function keyOf(mode: Mode): Reader<string> {
  const what = `a key that starts with qa_${mode}_ and goes on with 8 or more of A-Z a-z 0-9 _ -`;
  return (given, refuse) =>
    typeof given === "string" && isKeyOf(mode, given) ? given : refuse.says(` takes ${what}.`);
}

const signingSecret: Reader<string> = (given, refuse) => {
  if (typeof given === "string" && isSigningSecret(given)) return given;
  const what = "64 hexadecimal digits (0-9 a-f), as secrets of the service have";
  return refuse.says(` takes ${what}. \`openssl rand -hex 32\` makes one.`);
};

/** The refusal does not show the address, because it may contain a password. */
const mailServer: Reader<string> = (given, refuse) =>
  typeof given === "string" && /^smtps?:\/\/[^/]+/.test(given)
    ? given
    : refuse.says(" takes an address such as smtp://localhost:1025.");

/** The refusal does not show the address, because it may contain a password. */
const collector: Reader<string> = (given, refuse) => {
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    return refuse.says(" takes the address of a collector such as http://localhost:4318, without /v1/traces.");
  }
  return url.href.replace(/\/+$/, "");
};

const originOnly: Reader<string> = (given, refuse) => {
  const url = typeof given === "string" && URL.canParse(given) ? new URL(given) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  return refuse.takes("a scheme, a host and maybe a port, such as https://pay.example.com");
};

const eventNames: Reader<EventName[]> = (given, refuse) => {
  const names: readonly unknown[] = Array.isArray(given) && given.length > 0 ? given : refuse.takes("a list of events");
  return names.map((name) => {
    if (typeof name === "string" && isEventName(name)) return name;
    const next = alternative(String(name), EVENT_NAMES) || ".";
    return refuse.says(`: there is no event ${refuse.show(name)}${next} \`qa-pay webhooks events\` lists them.`);
  });
};

/** Reads a list of hosts, each in the form in which it is compared. */
function hostList(what: string, read: (text: string) => string | null): Reader<string[]> {
  return (given, refuse) => {
    const hosts: readonly unknown[] = Array.isArray(given) ? given : refuse.takes(`a list of ${what}`);
    return hosts.map((host) => {
      const known = typeof host === "string" ? read(host) : null;
      return known ?? refuse.says(` takes ${what}, without scheme and port, not ${refuse.show(host)}.`);
    });
  };
}

const velocity: Reader<Velocity> = (given, refuse) => {
  const [, count = "", window = ""] = /^(\d{1,9})\/(.+)$/.exec(typeof given === "string" ? given : "") ?? [];
  const windowMs = parseDuration(window) ?? 0;
  return Number(count) > 0 && windowMs > 0
    ? { count: Number(count), windowMs }
    : refuse.takes("how many charges in which time, such as 5/60s or 100/1h");
};

const MAX_BPS = 10_000;
const FeeSchema = z.strictObject({
  fixed: z.int().min(0).default(0),
  bps: z.int().min(0).max(MAX_BPS).default(0),
});
const FeesSchema = z.partialRecord(
  z.enum([...METHOD_NAMES, "PIX_OUT"]),
  z.strictObject({
    provider: FeeSchema.default({ fixed: 0, bps: 0 }),
    platform: FeeSchema.default({ fixed: 0, bps: 0 }),
  }),
);

export const FEES_EXAMPLE = '{"PIX":{"platform":{"fixed":30,"bps":99}}}';
/** What stands at each depth of the table of fees, in the words of a refusal. */
const AT_DEPTH = [
  "an object with payment methods",
  "an object with provider and platform",
  "an object with fixed and bps",
];
const OF_FEE: Readonly<Record<string, string>> = {
  fixed: "a whole number from 0",
  bps: `a whole number from 0 to ${MAX_BPS}`,
};

/** What is wrong with a table of fees: the member at fault, and what it must be. */
function feeFault(issue: z.core.$ZodIssue): string {
  const { code, path } = issue;
  const isName = code === "unrecognized_keys" || code === "invalid_key";
  const [stranger] = issue.code === "unrecognized_keys" ? issue.keys : [];
  const way = stranger === undefined ? path : [...path, stranger];
  if (isName && way.length === 1) return `${String(way[0])} is none of ${[...METHOD_NAMES, "PIX_OUT"].join(", ")}`;
  const holder = isName ? way.slice(0, -1) : way;
  const what = AT_DEPTH[holder.length] ?? OF_FEE[String(holder.at(-1))] ?? "";
  const named = isName ? `, without ${String(way.at(-1))}` : "";
  return `${holder.length === 0 ? "it" : holder.join(".")} must be ${what}${named}`;
}

const feeTable: Reader<ServiceSettings["fees"]> = (given, refuse) => {
  const { success, data, error } = FeesSchema.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  const reason = issue === undefined ? "" : `: ${feeFault(issue)}`;
  return refuse.says(` takes fees by payment method such as ${FEES_EXAMPLE}${reason}.`);
};

const signatureTime: Reader<SignatureTime> = (given, refuse) =>
  SIGNATURE_TIMES.find((one) => one === given) ?? refuse.takes(SIGNATURE_TIMES.join(" or "));

const qrForm: Reader<"url" | "base64"> = (given, refuse) =>
  given === "url" || given === "base64" ? given : refuse.takes("url or base64");

const previews: Reader<ReadonlySet<Preview>> = (given, refuse) => {
  const known = PREVIEWS.join(" or ");
  const names: readonly unknown[] = Array.isArray(given) ? given : refuse.takes(`a list with ${known}`);
  return new Set(
    names.map((name) => (isPreview(name) ? name : refuse.says(` takes ${known}, not ${refuse.show(name)}.`))),
  );
};

const hostText = text("a host name or address such as 127.0.0.1", /^[^\s/%]+$/);
/** An address of IPv6 has no brackets from here on. */
const host: Reader<string> = (given, refuse) => hostText(given, refuse).replace(/^\[(.+)\]$/, "$1");

/** The checks of the options that a start takes, and of those that change what the service does. */
const START_READERS = {
  db: text("a file, or :memory:", /./),
  host,
  port: whole(0, 65_535),
  publicUrl: originOnly,
  testKey: keyOf("test"),
  liveKey: keyOf("live"),
  webhookSecret: signingSecret,
  forwardTo: text("a URL such as https://example.com/webhooks", /./),
  events: eventNames,
  allowHost: hostList("hosts such as qa-pay or 10.0.0.7", givenHost),
  frozen: toggle,
  startAt: instant,
  clockSpeed: whole(1, MAX_SPEED),
  randomSeed: text("a text of 1 to 200 characters", /^.{1,200}$/su),
  smtpUrl: mailServer,
  otlp: collector,
  insecureWebhookTls: toggle,
  console: toggle,
} as const;
const SETTING_READERS = {
  allowHttp: hostList("hosts such as shop, 10.0.0.7 or *.internal", givenHosts),
  fees: feeTable,
  acquirerDelay: duration,
  refundDelay: duration,
  settlementHold: duration,
  retryBase: duration,
  maxAttempts: whole(1, 1_000),
  signatureTime,
  medOutcomeNotices: toggle,
  strictHttps: toggle,
  rateLimit: whole(1, 1_000_000),
  customerVelocity: velocity,
  accountVelocity: velocity,
  qr: qrForm,
  preview: previews,
} as const;

/** The check of each option. Used for the options of `createEmulator` and for the flags of `serve` and `exec`. */
export const SERVICE_READERS = { ...START_READERS, ...SETTING_READERS } as const satisfies Readonly<
  Record<keyof ServiceOptions, Reader<unknown>>
>;

type Present<Values> = { -readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Removes undefined values, because they would replace the defaults. */
function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<Values>;
}

/** Checks the options and converts them to the start options of the service. Throws OptionError. */
export function startOptions(given: Readonly<Record<string, unknown>>, wording: Wording): StartOptions {
  const { events: forwardEvents, ...start } = readOptions(given, START_READERS, wording);
  const settings = readOptions(given, SETTING_READERS, wording);
  if (forwardEvents !== undefined && start.forwardTo === undefined) {
    throw new OptionError("events", `${wording.name("events")} goes with ${wording.name("forwardTo")}.`);
  }
  const { allowHttp = [], strictHttps = false } = settings;
  if (strictHttps && allowHttp.length > 0) {
    const both = `${wording.name("allowHttp")} and ${wording.name("strictHttps")} contradict each other: leave one out.`;
    throw new OptionError("allowHttp", both);
  }
  if (start.forwardTo !== undefined) {
    try {
      checkWebhookUrl(wording.name("forwardTo"), start.forwardTo, { strictHttps, allowHttp });
    } catch (error) {
      throw new OptionError("forwardTo", `${reasonOf(error)}.`);
    }
  }
  const { acquirerDelay, refundDelay, settlementHold, retryBase, preview, ...others } = settings;
  const durations = { acquirerDelayMs: acquirerDelay, refundDelayMs: refundDelay, settlementHoldMs: settlementHold };
  return {
    ...start,
    forwardEvents,
    settings: present({ ...others, ...durations, retryBaseMs: retryBase, previews: preview }),
  };
}
