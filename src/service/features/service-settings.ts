import { isLoopbackHost } from "../../base/kernel/loopback.js";
import { USUAL_PORT } from "../../base/kernel/page-address.js";
import { parseHost, parseHostPattern } from "../../base/kernel/parse-host.js";
import { MAX_SPEED } from "../../base/kernel/time.js";
import type { Kind, Shown } from "./setting-kinds.js";
import * as kind from "./setting-kinds.js";

/**
 * The settings of a service, each declared once: the type and the check of its value, its default, the flag of `serve`
 * and `exec`, the option of programs, its line in the report of a start, and its row in the guide of the server.
 */

/** The settings on which the default of another one may depend. */
interface Decisive {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly randomSeed: string | null;
}

interface Details<Value> {
  /** Its effect, in the words of a help text. The types of the package contain it too, so it is a plain text. */
  readonly about: string;
  /** The guide's addition to `about`. */
  readonly guide?: string;
  /** The default if other settings decide it. */
  readonly defaultBy?: (others: Decisive) => Value;
  /** The default of the flag of `serve`, if it differs. */
  readonly served?: string;
  /** The effect of the flag `--no-…`, if there are both. */
  readonly opposite?: string;
  /** The variable that may replace the flag, as in the settings of a container. */
  readonly env?: string;
  /** No line in the report of a start: a secret, or a fact that the report has elsewhere. */
  readonly unreported?: true;
}

export interface Setting<Value = unknown, Given = unknown, Unit extends string = string> extends Details<Value> {
  readonly kind: Kind<NonNullable<Value>, Given, Unit>;
  /** As shown in the help. In camelCase, and without `no-`, it is the name of the setting. */
  readonly flag: string;
  /** Null for none. */
  readonly default: Value;
}

function setting<Value, Given, Unit extends string, Default extends Value | null>(
  kind: Kind<Value, Given, Unit>,
  flag: `--${string}`,
  usual: Default,
  details: Details<Value>,
) {
  return { ...details, kind, flag, default: usual };
}

/** In the order of the help. */
export const SETTINGS = {
  port: setting(kind.whole(0, 65_535), "--port <number>", 0, {
    served: USUAL_PORT,
    about: "port to listen on; 0 takes any free one",
    unreported: true,
  }),
  host: setting(kind.host, "--host <host>", "127.0.0.1", { about: "address to listen on" }),
  publicUrl: setting(kind.origin, "--public-url <url>", null, {
    about: "address by which other machines reach this server, such as that of a TLS proxy",
    guide: ", for links and requests: [one server for a team](shared-server.md)",
  }),
  db: setting(kind.databaseFile, "--db <file>", ":memory:", {
    served: ".qa-pay/qa-pay.db",
    about: "database file, or :memory:",
    unreported: true,
  }),
  forwardTo: setting(kind.receiverUrl, "--forward-to <url>", null, { about: "send every event to this URL, signed" }),
  events: setting(kind.events, "--events <names>", null, { about: "only these events, with --forward-to" }),
  allowHttp: setting(
    kind.hosts("hosts such as shop, 10.0.0.7 or *.internal", parseHostPattern),
    "--allow-http <hosts>",
    [],
    {
      about: "allow http:// for webhooks to these hosts, or to all below *.suffix",
      guide: ": [containers](containers.md)",
      env: "QA_PAY_ALLOW_HTTP",
    },
  ),
  allowHost: setting(kind.hosts("hosts such as qa-pay or 10.0.0.7", parseHost), "--allow-host <names>", [], {
    about: "accept requests to these host names too",
    guide: ": [containers](containers.md)",
    env: "QA_PAY_ALLOW_HOST",
  }),
  webhookSecret: setting(kind.signingSecret, "--webhook-secret <secret>", null, {
    about: "sign webhooks with this secret of 64 hexadecimal digits, for CI",
    guide: "; without it the first start of a database creates one",
    unreported: true,
  }),
  testKey: setting(kind.apiKey("test"), "--test-key <key>", null, {
    about: "test API key to accept (qa_test_…), for CI",
    unreported: true,
  }),
  liveKey: setting(kind.apiKey("live"), "--live-key <key>", null, {
    about: "live API key to accept (qa_live_…), for CI",
    unreported: true,
  }),
  frozen: setting(kind.toggle, "--frozen", false, { about: "stop the clock: it moves only when it is advanced" }),
  startAt: setting(kind.instant, "--start-at <instant>", null, {
    about: "start time of the clock of a new database, such as 2026-01-31T12:00:00Z",
    guide: "; `sandbox reset` goes back to it. A time without a zone is of your place, or of UTC with `--utc`",
  }),
  clockSpeed: setting(kind.whole(1, MAX_SPEED), "--clock-speed <factor>", null, {
    about: "run the clock this many times as fast as real time, 1 to 100000",
    guide: ": [the clock](clock.md#faster-than-real-time)",
  }),
  randomSeed: setting(kind.text("a text of 1 to 200 characters", /^.{1,200}$/su), "--random-seed <text>", null, {
    about: "create the same ids, keys and secrets in each run with this text, --start-at and --frozen",
    guide: ": [the test kit](test-kit.md#the-same-ids-again)",
  }),
  fees: setting(
    kind.fees,
    "--fees <json>",
    {},
    { about: "fees by payment method, as JSON or @file", guide: `: \`${kind.fees.example}\`` },
  ),
  acquirerDelay: setting(kind.duration, "--acquirer-delay <duration>", 0, {
    about: "how long the acquirer takes to issue a payment's codes",
  }),
  refundDelay: setting(kind.duration, "--refund-delay <duration>", 2_000, {
    about: "time between two steps of a refund",
  }),
  settlementHold: setting(kind.duration, "--settlement-hold <duration>", 0, {
    about: "keep settled money pending this long, such as 1d",
  }),
  retryBase: setting(kind.duration, "--retry-base <duration>", 10_000, {
    about: "delay before the first webhook retry, doubled each time",
  }),
  maxAttempts: setting(kind.whole(1, 1_000), "--max-attempts <number>", 15, {
    about: "webhook attempts before the dead letter",
  }),
  signatureTime: setting(kind.oneOf("machine", "emulated"), "--signature-time <machine|emulated>", "machine", {
    defaultBy: ({ randomSeed }) => (randomSeed === null ? "machine" : "emulated"),
    about: "clock that webhook signatures take their time from (default machine; emulated with --random-seed)",
    guide: ": [the clock](clock.md)",
  }),
  smtpUrl: setting(kind.mailServer, "--smtp-url <url>", null, {
    about: "send notice e-mails through this mail server too, such as smtp://localhost:1025",
  }),
  otlp: setting(kind.collector, "--otlp <url>", null, {
    about: "send traces to this collector, such as http://localhost:4318",
    guide: ": [traces](traces.md)",
    env: "QA_PAY_OTLP",
  }),
  medOutcomeNotices: setting(kind.toggle, "--no-med-outcome-notices", true, {
    about: "send no outcomes of MED cases, neither by event nor by e-mail",
  }),
  strictHttps: setting(kind.toggle, "--strict-https", false, {
    about: "refuse http:// webhook URLs on this machine too",
  }),
  insecureWebhookTls: setting(kind.toggle, "--insecure-webhook-tls", false, {
    about: "accept self-signed certificates of webhook receivers",
  }),
  console: setting(kind.toggle, "--console", true, {
    defaultBy: ({ host, publicUrl }) => publicUrl === null && isLoopbackHost(host),
    about: "serve the web console also to other machines, with --host or --public-url",
    opposite: "serve no web console",
  }),
  rateLimit: setting(kind.whole(1, 1_000_000), "--rate-limit <number>", null, {
    about: "requests to /v1 that one API key may send within a minute (default: any)",
    guide: "; then 429 with `Retry-After`",
  }),
  customerVelocity: setting(kind.velocity, "--customer-velocity <count/duration>", null, {
    about: "charges one customer may have in a window, such as 5/60s",
    guide: "; then 403 `fraud.customer_velocity_exceeded`",
  }),
  accountVelocity: setting(kind.velocity, "--account-velocity <count/duration>", null, {
    about: "charges an account may have in a window, such as 100/60s",
    guide: "; then 403 `fraud.account_velocity_exceeded`",
  }),
  qr: setting(kind.oneOf("url", "base64"), "--qr <url|base64>", "url", {
    about: "how a charge returns its QR image: by its address or as base64",
  }),
  preview: setting(kind.previews, "--preview <names...>", new Set<string>(), {
    about: "serve routes that are not released yet: charge-list",
    guide: " (`GET /v1/charges`)",
  }),
} as const;

type Settings = typeof SETTINGS;
export type SettingName = keyof Settings;

/** The options of a service as programs pass them: the flags of `qa-pay serve` in camelCase. */
export type ServiceOptions = { readonly [Name in SettingName]?: Settings[Name]["kind"]["given"] };

type NameOf<Name extends SettingName> = `${Name}${Settings[Name]["kind"]["unit"]}`;
type Values = { readonly [Name in SettingName as NameOf<Name>]: ValueOf<Settings[Name]> };
type ValueOf<One> = One extends {
  readonly kind: Kind<infer Value, infer _Given, infer _Unit>;
  readonly default: infer Default;
}
  ? Value | Extract<Default, null>
  : never;

/** The settings of a service, fixed at its start. Times are milliseconds, money is in the smallest unit. */
export interface ServiceSettings extends Values {
  /** N of scrypt, a power of two: the cost of hashing and guessing passwords of new users. It has no flag. */
  readonly passwordCost: number;
}

/** Some of the settings, checked. A missing or undefined one has its default. */
export type SettingsInput = { readonly [Name in keyof ServiceSettings]?: ServiceSettings[Name] | undefined };

/** The settings, by their names as options. */
export const SETTING_LIST: readonly (readonly [name: SettingName, setting: Setting])[] = Object.entries(SETTINGS) as [
  SettingName,
  Setting,
][];

/** A value of a setting as its flag has it. The flag `--no-…` is true when the value is false. */
export function formatAsFlag({ flag, kind }: Setting, value: unknown): Shown {
  if (value === null || value === undefined) return null;
  return flag.startsWith("--no-") ? value === false : kind.show(value);
}
