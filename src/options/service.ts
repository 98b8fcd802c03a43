import { z } from "zod";
import { isKeyOf } from "../features/access/keys.js";
import type { ServiceSettings, Velocity } from "../features/service-settings.js";
import { METHOD_NAMES, type PaymentMethod } from "../features/transactions/catalogue.js";
import { EVENT_NAMES, type EventName, isEventName } from "../features/webhooks/catalogue.js";
import { checkWebhookUrl, isSigningSecret } from "../features/webhooks/rules.js";
import { isPreview, PREVIEWS, type Preview } from "../kernel/contract.js";
import { parseDuration } from "../kernel/duration.js";
import { nearest } from "../kernel/nearest.js";
import type { EmulatorOptions as StartOptions } from "../service/emulator-types.js";
import { duration, OptionError, type Reader, readOptions, text, toggle, type Wording, whole } from "./reading.js";

/** A part of an amount: `fixed` in the smallest unit of the currency, and `bps` in hundredths of a percent. */
interface FeeOption {
  readonly fixed?: number | undefined;
  readonly bps?: number | undefined;
}

/** The fees of each payment method and of the Pix of a cashout (`PIX_OUT`). A method that is left out has no fees. */
export type FeeOptions = {
  readonly [Method in PaymentMethod | "PIX_OUT"]?: {
    readonly provider?: FeeOption | undefined;
    readonly platform?: FeeOption | undefined;
  };
};

/**
 * The options of a service, which are the flags of `qa-pay serve`. All of them may be left out. A duration is a number of
 * whole milliseconds or a text such as `500ms`, `10s`, `5m`, `1h` or `1d`.
 */
export interface ServiceOptions {
  /** A database file, which is created when it is missing, or `:memory:`, the default. */
  readonly db?: string | undefined;
  /** Address to listen on; `127.0.0.1` by default. */
  readonly host?: string | undefined;
  /** Port to listen on, 0 to 65535; 0, the default, takes any free one. */
  readonly port?: number | undefined;
  /** An API key to accept: `qa_test_` and 8 to 120 of `A-Z a-z 0-9 _ -`. One is made when it is left out. */
  readonly testKey?: string | undefined;
  /** An API key with `qa_live_`, for the live book. Both books are simulated. */
  readonly liveKey?: string | undefined;
  /** Signs webhooks: 64 hexadecimal digits (0-9 a-f). Made at the first start of a database when it is left out. */
  readonly webhookSecret?: string | undefined;
  /** Sends the events of the test book to this URL: `https://`, or `http://` to this machine. */
  readonly forwardTo?: string | undefined;
  /** With `forwardTo`: only these events. All of them by default. */
  readonly events?: readonly EventName[] | undefined;
  /** The clock stands still until it is advanced or resumed. */
  readonly frozen?: boolean | undefined;
  /** No fees by default. */
  readonly fees?: FeeOptions | undefined;
  /** Duration: how long the acquirer takes to issue a payment's codes; 0 by default. */
  readonly acquirerDelay?: number | string | undefined;
  /** Duration: the time between two steps of a refund; 2 s by default. */
  readonly refundDelay?: number | string | undefined;
  /** Duration: how long settled money stays pending; 0 by default. */
  readonly settlementHold?: number | string | undefined;
  /** Duration: the delay before the first webhook retry, doubled each time; 10 s by default. */
  readonly retryBase?: number | string | undefined;
  /** Attempts of a webhook before its dead letter, 1 to 1000; 15 by default. */
  readonly maxAttempts?: number | undefined;
  /** The mail server for the notice e-mails, such as `smtp://localhost:1025`. */
  readonly smtpUrl?: string | undefined;
  /** Whether outcomes of MED cases are reported by event and by e-mail; true by default. */
  readonly medOutcomeNotices?: boolean | undefined;
  /** Refuses webhook URLs with `http://` to this machine, too. */
  readonly strictHttps?: boolean | undefined;
  /** Accepts self-signed certificates of webhook receivers. */
  readonly insecureWebhookTls?: boolean | undefined;
  /** Requests to `/v1` that one API key may send within a minute, 1 to 1000000; any number by default. */
  readonly rateLimit?: number | undefined;
  /** Charges that one customer may have in a window, such as `5/60s`; any number by default. */
  readonly customerVelocity?: string | undefined;
  /** Charges that an account may have in a window, such as `100/60s`; any number by default. */
  readonly accountVelocity?: string | undefined;
  /** What a charge carries: the address of its QR image (`url`, the default) or the image itself (`base64`). */
  readonly qr?: "url" | "base64" | undefined;
  /** Routes to serve that are not released yet. */
  readonly preview?: readonly Preview[] | undefined;
}

/** The message of a refusal does not show the key: it may be a key of another service. */
function keyOf(mode: "test" | "live"): Reader<string> {
  const what = `a key that starts with qa_${mode}_ and goes on with 8 or more of A-Z a-z 0-9 _ -`;
  return (given, refuse) =>
    typeof given === "string" && isKeyOf(mode, given) ? given : refuse.says(` takes ${what}.`);
}

const signingSecret: Reader<string> = (given, refuse) => {
  if (typeof given === "string" && isSigningSecret(given)) return given;
  const what = "64 hexadecimal digits (0-9 a-f), as secrets of the service have";
  return refuse.says(` takes ${what}. \`openssl rand -hex 32\` makes one.`);
};

/** The message of a refusal does not show the address: it may hold a password. */
const mailServer: Reader<string> = (given, refuse) =>
  typeof given === "string" && /^smtps?:\/\/[^/]+/.test(given)
    ? given
    : refuse.says(" takes an address such as smtp://localhost:1025.");

const eventNames: Reader<EventName[]> = (given, refuse) => {
  const names: readonly unknown[] = Array.isArray(given) && given.length > 0 ? given : refuse.takes("a list of events");
  return names.map((name) => {
    if (typeof name === "string" && isEventName(name)) return name;
    const near = nearest(String(name), EVENT_NAMES);
    const next = near === undefined ? "." : `; did you mean ${near}?`;
    return refuse.says(`: there is no event ${refuse.show(name)}${next} \`qa-pay webhooks events\` lists them.`);
  });
};

const velocity: Reader<Velocity> = (given, refuse) => {
  const [, count = "", window = ""] = /^(\d{1,9})\/(.+)$/.exec(typeof given === "string" ? given : "") ?? [];
  const windowMs = parseDuration(window) ?? 0;
  return Number(count) > 0 && windowMs > 0
    ? { count: Number(count), windowMs }
    : refuse.takes("how many charges in which time, such as 5/60s or 100/1h");
};

const FeeSchema = z.strictObject({
  fixed: z.int().min(0).default(0),
  bps: z.int().min(0).max(10_000).default(0),
});
const FeesSchema = z.partialRecord(
  z.enum([...METHOD_NAMES, "PIX_OUT"]),
  z.strictObject({
    provider: FeeSchema.default({ fixed: 0, bps: 0 }),
    platform: FeeSchema.default({ fixed: 0, bps: 0 }),
  }),
);

const feeTable: Reader<ServiceSettings["fees"]> = (given, refuse) => {
  const { success, data, error } = FeesSchema.safeParse(given);
  if (success) return data as ServiceSettings["fees"];
  const example = '{"PIX":{"platform":{"fixed":30,"bps":99}}}';
  return refuse.says(` takes fees by payment method such as ${example}:\n${z.prettifyError(error)}`);
};

const qrForm: Reader<"url" | "base64"> = (given, refuse) =>
  given === "url" || given === "base64" ? given : refuse.takes("url or base64");

const previews: Reader<ReadonlySet<Preview>> = (given, refuse) => {
  const known = PREVIEWS.join(" or ");
  const names: readonly unknown[] = Array.isArray(given) ? given : refuse.takes(`a list with ${known}`);
  return new Set(
    names.map((name) => (isPreview(name) ? name : refuse.says(` takes ${known}, not ${refuse.show(name)}.`))),
  );
};

/** The reader of each option. It is the same for flags and for options of a function. */
export const SERVICE_READERS = {
  db: text("a file, or :memory:", /./),
  host: text("a host name or address such as 127.0.0.1", /^[^\s/]+$/),
  port: whole(0, 65_535),
  testKey: keyOf("test"),
  liveKey: keyOf("live"),
  webhookSecret: signingSecret,
  forwardTo: text("a URL such as https://example.com/webhooks", /./),
  events: eventNames,
  frozen: toggle,
  fees: feeTable,
  acquirerDelay: duration,
  refundDelay: duration,
  settlementHold: duration,
  retryBase: duration,
  maxAttempts: whole(1, 1_000),
  smtpUrl: mailServer,
  medOutcomeNotices: toggle,
  strictHttps: toggle,
  insecureWebhookTls: toggle,
  rateLimit: whole(1, 1_000_000),
  customerVelocity: velocity,
  accountVelocity: velocity,
  qr: qrForm,
  preview: previews,
} as const satisfies Readonly<Record<keyof ServiceOptions, Reader<unknown>>>;

type Present<Values> = { -readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** The members that are not undefined. An undefined member would replace a default. */
function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<Values>;
}

/** Checks the options and answers them as the service takes them. Throws OptionError. */
export function startOptions(given: Readonly<Record<string, unknown>>, wording: Wording): StartOptions {
  const read = readOptions(given, SERVICE_READERS, wording);
  if (read.events !== undefined && read.forwardTo === undefined) {
    throw new OptionError("events", `${wording.name("events")} goes with ${wording.name("forwardTo")}.`);
  }
  if (read.forwardTo !== undefined) {
    try {
      checkWebhookUrl(wording.name("forwardTo"), read.forwardTo, read.strictHttps ?? false);
    } catch (error) {
      throw new OptionError("forwardTo", `${error instanceof Error ? error.message : String(error)}.`);
    }
  }
  const { db, host, port, testKey, liveKey, webhookSecret, forwardTo, events, frozen, smtpUrl, insecureWebhookTls } =
    read;
  const { fees, medOutcomeNotices, maxAttempts, strictHttps, qr, rateLimit, customerVelocity, accountVelocity } = read;
  return {
    ...present({ db, host, port, testKey, liveKey, webhookSecret, forwardTo, forwardEvents: events }),
    ...present({ frozen, smtpUrl, insecureWebhookTls }),
    settings: present({
      ...{ fees, medOutcomeNotices, maxAttempts, strictHttps, qr, rateLimit, customerVelocity, accountVelocity },
      acquirerDelayMs: read.acquirerDelay,
      refundDelayMs: read.refundDelay,
      settlementHoldMs: read.settlementHold,
      retryBaseMs: read.retryBase,
      previews: read.preview,
    }),
  };
}
