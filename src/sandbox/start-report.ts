import type { OpenDatabase } from "../db/open.js";
import { DEFAULT_SETTINGS, type ServiceSettings, type Velocity } from "../features/service-settings.js";

/** How this server was started: its flags beside their defaults, and the process. No secret is among it. */

type Value = string | number | boolean | null;

export interface StartFlag {
  /** The flag of `serve`; an option of programs has the same name in camelCase. */
  readonly flag: string;
  /** As it is in effect; null for none. */
  readonly value: Value;
  readonly default: Value;
}

/** What was given besides the settings of the service. */
export interface StartOptionsShown {
  readonly host: string;
  readonly publicUrl: string | null;
  readonly frozen: boolean;
  readonly startAt: string | null;
  readonly forwardTo: string | null;
  readonly forwardEvents: readonly string[] | null;
  readonly smtpUrl: string | null;
  readonly insecureWebhookTls: boolean;
  readonly console: boolean;
  /** Whether the console would be on without a flag. */
  readonly consoleByDefault: boolean;
}

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** A duration as flags take it: the largest unit that it is a whole number of. */
function durationText(ms: number): string {
  const [unit, size] = UNITS.find(([, one]) => ms !== 0 && ms % one === 0) ?? ["ms", 1];
  return ms === 0 ? "0" : `${ms / size}${unit}`;
}

function velocityText(velocity: Velocity | null): string | null {
  return velocity === null ? null : `${velocity.count}/${durationText(velocity.windowMs)}`;
}

/** An address without user, password and query, which may hold a secret. */
function bareAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return text === null ? null : "an address";
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

function listText(items: Iterable<string>): string | null {
  const text = [...items].join(",");
  return text === "" ? null : text;
}

function feesText({ fees }: ServiceSettings): string | null {
  return Object.keys(fees).length === 0 ? null : JSON.stringify(fees);
}

/** The flags of a start that are settings of the service. */
function settingFlags(settings: ServiceSettings): Record<string, Value> {
  return {
    "--fees": feesText(settings),
    "--acquirer-delay": durationText(settings.acquirerDelayMs),
    "--refund-delay": durationText(settings.refundDelayMs),
    "--settlement-hold": durationText(settings.settlementHoldMs),
    "--retry-base": durationText(settings.retryBaseMs),
    "--max-attempts": settings.maxAttempts,
    "--no-med-outcome-notices": !settings.medOutcomeNotices,
    "--strict-https": settings.strictHttps,
    "--rate-limit": settings.rateLimit,
    "--customer-velocity": velocityText(settings.customerVelocity),
    "--account-velocity": velocityText(settings.accountVelocity),
    "--qr": settings.qr,
    "--preview": listText(settings.previews),
  };
}

export function startFlags(shown: StartOptionsShown, settings: ServiceSettings): StartFlag[] {
  const defaults = settingFlags(DEFAULT_SETTINGS);
  const own: StartFlag[] = [
    { flag: "--host", value: shown.host, default: "127.0.0.1" },
    { flag: "--public-url", value: shown.publicUrl, default: null },
    { flag: "--forward-to", value: bareAddress(shown.forwardTo), default: null },
    { flag: "--events", value: listText(shown.forwardEvents ?? []), default: null },
    { flag: "--frozen", value: shown.frozen, default: false },
    { flag: "--start-at", value: shown.startAt, default: null },
    { flag: "--smtp-url", value: bareAddress(shown.smtpUrl), default: null },
    { flag: "--insecure-webhook-tls", value: shown.insecureWebhookTls, default: false },
    { flag: "--console", value: shown.console, default: shown.consoleByDefault },
  ];
  const others = Object.entries(settingFlags(settings)).map(([flag, value]) => {
    return { flag, value, default: defaults[flag] ?? null };
  });
  return [...own, ...others];
}

/** The bytes of the database, without what waits in its side files. */
export function databaseBytes({ db }: Pick<OpenDatabase, "db">): number {
  const row = db.prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()").get();
  return Number((row as { bytes: number }).bytes);
}
