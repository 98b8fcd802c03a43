import type { AttemptError } from "../../base/kernel/attempt-errors.js";
import { HOUR } from "../../base/kernel/duration.js";
import { isSuccess } from "../../base/kernel/http-status.js";
import { type AttemptedStatus, type AttemptMove, deliveryMachine } from "../features/webhooks/machine.js";

/** The retry schedule of deliveries (docs/service/webhooks.md#retries). */

/** The longest wait before a retry: six hours. */
const LONGEST_MS = 6 * HOUR;
/** Matches the beginning of a date of RFC 9110, section 5.6.7, or of ISO 8601. */
const HTTP_DATE = /^(?:[A-Za-z]{3,9},? |\d{4}-\d\d-\d\dT)/;

/** Milliseconds from the end of failed attempt `attempt` (1, 2, …) to the next: base × 2^(attempt−1), at most 6 h. */
export function retryDelay(attempt: number, baseMs: number): number {
  return Math.min(baseMs * 2 ** (attempt - 1), LONGEST_MS);
}

/**
 * The milliseconds of a Retry-After header, at most 6 h. The header has whole seconds or a date. A date is compared with
 * `receiverNow`, the `Date` header of the same answer, because the emulated clock may differ from the receiver's. Null without
 * a header, for other text, for a date in the past, and for less than a second: a receiver that rounds its wait down says 0,
 * and does not mean an attempt at once.
 */
export function retryAfter(header: string | undefined, receiverNow: number): number | null {
  const text = header?.trim() ?? "";
  const isSeconds = /^\d+$/.test(text);
  if (!isSeconds && !HTTP_DATE.test(text)) return null;
  const wait = isSeconds ? Number(text) * 1_000 : Date.parse(text) - receiverNow;
  return wait >= 1_000 ? Math.min(wait, LONGEST_MS) : null;
}

export interface AttemptResult {
  readonly statusCode: number | null;
  readonly error: AttemptError | null;
  readonly timedOut: boolean;
  readonly responseBody: string | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export interface Verdict {
  readonly status: AttemptedStatus;
  readonly nextAttemptAt: number | null;
}

/** The move of the delivery machine that ends this attempt. */
function moveAfter(result: AttemptResult, { attempt, maxAttempts, isAbandoned }: AttemptPosition): AttemptMove {
  if (isSuccess(result.statusCode)) return "deliver";
  if (attempt >= maxAttempts) return "give_up";
  return isAbandoned() ? "abandon" : "retry";
}

interface AttemptPosition {
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly baseMs: number;
  readonly endedAt: number;
  /** True if its endpoint was deleted during the attempt. Called only where another attempt would follow. */
  isAbandoned(): boolean;
}

/** The state of the delivery after this attempt, and when the next one is due. Retry-After counts on 429 alone. */
export function verdict(result: AttemptResult, position: AttemptPosition): Verdict {
  const move = moveAfter(result, position);
  const { attempt, baseMs, endedAt } = position;
  const { to: status } = deliveryMachine.transitions[move];
  if (move !== "retry") return { status, nextAttemptAt: null };
  const requested = result.statusCode === 429 ? result.retryAfterMs : null;
  return { status, nextAttemptAt: endedAt + (requested ?? retryDelay(attempt, baseMs)) };
}
