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

/** A part of an amount: `fixed` in the smallest unit of the currency, and `bps` in hundredths of a percent. */
interface FeeOption {
  readonly fixed?: number | undefined;
  readonly bps?: number | undefined;
}

/** The fees of each payment method, and of the Pix that a cashout sends (`PIX_OUT`). A missing one means no fee. */
export type FeeOptions = {
  readonly [Method in PaymentMethod | "PIX_OUT"]?: {
    readonly provider?: FeeOption | undefined;
    readonly platform?: FeeOption | undefined;
  };
};

/**
 * The options of a service: the flags of `qa-pay serve`. All are optional. A duration is a number of whole
 * milliseconds, or a text such as `500ms`, `10s`, `5m`, `1h` or `1d`.
 */
export interface ServiceOptions {
  /** The path of the database file, which is created when it does not exist, or `:memory:`, the default. */
  readonly db?: string | undefined;
  /** Address to listen on; `127.0.0.1` by default. */
  readonly host?: string | undefined;
  /** Port to listen on, 0 to 65535. The default 0 takes any free port. */
  readonly port?: number | undefined;
  /** API key of the test book: `qa_test_` and 8 to 120 of `A-Z a-z 0-9 _ -`. By default a new key is made. */
  readonly testKey?: string | undefined;
  /** API key of the live book: `qa_live_` and 8 to 120 of `A-Z a-z 0-9 _ -`. The live book is simulated too. */
  readonly liveKey?: string | undefined;
  /**
   * Secret that signs webhooks: 64 hexadecimal digits (0-9 a-f). By default the first start of a database makes one.
   */
  readonly webhookSecret?: string | undefined;
  /** Sends the events of the test book to this URL: `https://`, or `http://` to this machine. */
  readonly forwardTo?: string | undefined;
  /** The events to send to `forwardTo`; all events by default. */
  readonly events?: readonly EventName[] | undefined;
  /** The clock stands still until it is advanced or resumed. */
  readonly frozen?: boolean | undefined;
  /**
   * Where the clock of a new database starts, and where a reset goes back to: an instant such as `2026-01-31T12:00:00Z`.
   * Without effect on a database that has its clock.
   */
  readonly startAt?: string | undefined;
  /** The fees of the payment methods; no fees by default. */
  readonly fees?: FeeOptions | undefined;
  /** Duration: how long the acquirer takes to issue a payment's codes; 0 by default. */
  readonly acquirerDelay?: number | string | undefined;
  /** Duration: the time between two steps of a refund; 2 s by default. */
  readonly refundDelay?: number | string | undefined;
  /** Duration: how long settled money stays pending; 0 by default. */
  readonly settlementHold?: number | string | undefined;
  /** Duration: the delay before the first webhook retry, doubled each time; 10 s by default. */
  readonly retryBase?: number | string | undefined;
  /** Attempts to deliver a webhook before it becomes a dead letter, 1 to 1000; 15 by default. */
  readonly maxAttempts?: number | undefined;
  /** Mail server for the notice e-mails, such as `smtp://localhost:1025`. */
  readonly smtpUrl?: string | undefined;
  /** True sends notices of the outcomes of MED cases, by event and by e-mail; true by default. */
  readonly medOutcomeNotices?: boolean | undefined;
  /** True refuses all webhook URLs with `http://`, also those on this machine; false by default. */
  readonly strictHttps?: boolean | undefined;
  /** Accepts self-signed certificates of webhook receivers. */
  readonly insecureWebhookTls?: boolean | undefined;
  /** True serves the web console, also to other machines; true by default on a `host` of this machine alone. */
  readonly console?: boolean | undefined;
  /** Requests to `/v1` that one API key may send within a minute, 1 to 1000000; any number by default. */
  readonly rateLimit?: number | undefined;
  /** Charges that one customer may have in a window, such as `5/60s`; any number by default. */
  readonly customerVelocity?: string | undefined;
  /** Charges that an account may have in a window, such as `100/60s`; any number by default. */
  readonly accountVelocity?: string | undefined;
  /** The QR code in a charge: the address of the image (`url`, the default) or the image itself (`base64`). */
  readonly qr?: "url" | "base64" | undefined;
  /** The unreleased routes to enable. */
  readonly preview?: readonly Preview[] | undefined;
}

/** Reads an API key. The refusal does not show the value: it may be a real key of another service. */
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

/** The refusal does not show the address, because it may contain a password. */
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

/** The check of each option. Used for the options of `createEmulator` and for the flags of `serve` and `exec`. */
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
  startAt: instant,
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
  console: toggle,
  rateLimit: whole(1, 1_000_000),
  customerVelocity: velocity,
  accountVelocity: velocity,
  qr: qrForm,
  preview: previews,
} as const satisfies Readonly<Record<keyof ServiceOptions, Reader<unknown>>>;

type Present<Values> = { -readonly [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Removes undefined values, because they would replace the defaults. */
function present<Values extends object>(values: Values): Present<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<Values>;
}

/** Checks the options and converts them to the start options of the service. Throws OptionError. */
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
    ...present({ frozen, startAt: read.startAt, smtpUrl, insecureWebhookTls, console: read.console }),
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
