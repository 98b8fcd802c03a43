import { SIGNATURE_HEADER } from "../../../../base/kernel/webhook-signature.js";
import { retryDelay } from "../../../../service/delivery/schedule.js";

/** Facts from the attempts of a delivery. Pure functions. */

interface Attempt {
  readonly number: number;
  readonly at: string;
  readonly duration_ms: number;
  readonly response: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null;
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly chaos: readonly string[];
}

/** An address in a short form that still distinguishes places. */
export const withoutScheme = (url: string) => url.replace(/^https?:\/\//, "");

/** The hosts of this machine, which say nothing about a receiver. */
const OWN_HOST = /^(127\.0\.0\.1|localhost|\[::1\])(?=:)/;

/** An address without its scheme and query, in two parts: the host of this machine, which may be left out, and the rest. */
export function targetParts(url: string): { readonly host: string; readonly rest: string } {
  const whole = withoutScheme(url).replace(/\?.*$/, "");
  const host = OWN_HOST.exec(whole)?.[0] ?? "";
  return { host, rest: whole.slice(host.length) };
}

/** The host of an address; the whole text of one that cannot be read. */
export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

export interface Wait {
  readonly ms: number;
  readonly baseMs: number;
  /** Seconds or the date from a Retry-After header, if it decided the wait; else null. */
  readonly retryAfter: string | null;
}

/** The service's wait after a failed attempt, and its reason. */
export function waitAfter(attempt: Pick<Attempt, "number" | "response">, baseMs: number): Wait {
  const asked = attempt.response?.status === 429 ? (attempt.response.headers["retry-after"] ?? null) : null;
  return { ms: retryDelay(attempt.number, baseMs), baseMs, retryAfter: asked };
}

/** Seconds between the timestamp of a signature and the receiver's clock, from its answer; null when unknown. */
export function clockGap({ request, response }: Pick<Attempt, "request" | "response">): number | null {
  const t = /^t=(\d+)/.exec(request.headers[SIGNATURE_HEADER] ?? "")?.[1];
  const date = Date.parse(response?.headers.date ?? "");
  return t === undefined || Number.isNaN(date) ? null : Number(t) - Math.round(date / 1_000);
}

/** Headers that belong to one exchange alone, so that they always differ. */
const OF_ONE_EXCHANGE: readonly string[] = [
  SIGNATURE_HEADER,
  "content-length",
  "date",
  "x-qa-event-type",
  "traceparent",
];

type Headers = Readonly<Record<string, string>>;

/** The headers with another value in each of two messages, or that one of them lacks. */
export function differingHeaders(
  one: Headers,
  other: Headers,
): (readonly [string, string | undefined, string | undefined])[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return names
    .filter((name) => one[name] !== other[name] && !OF_ONE_EXCHANGE.includes(name.toLowerCase()))
    .map((name) => [name, one[name], other[name]] as const);
}

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly payload: unknown;
}

/** The failed deliveries to send again: of each event the newest one, unless a later delivery of the event has arrived or waits. */
export function failedToResend(newestFirst: readonly Delivery[]): Delivery[] {
  const newest = new Map<string, Delivery>();
  for (const delivery of newestFirst) {
    const event = JSON.stringify(delivery.payload);
    if (!newest.has(event)) newest.set(event, delivery);
  }
  return [...newest.values()].filter(({ status }) => status === "FAILED").reverse();
}
