import type { HttpAnswer, Unreachable } from "./send.js";

/** The rules by which the typed client repeats a request, and the wait before. */

/** The maximum of repetitions when the options do not set another number. */
export const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** The result of one try: an answer, or none. */
export type TryOutcome = { readonly answer: HttpAnswer } | { readonly lost: Unreachable };

interface RetryState {
  /** True when the service does the work once, however often the same request arrives. */
  readonly isSafe: boolean;
  /** The number of repetitions so far. */
  readonly repeated: number;
  /** Real milliseconds since the Unix epoch, for a Retry-After that is a date. */
  readonly now: number;
  /** A random number in [0, 1). */
  readonly fraction: number;
}

/**
 * The pause that a header Retry-After sets, in milliseconds: a number of seconds, or a date. `now` is in milliseconds
 * since the Unix epoch. Null when there is no header, or when it is neither.
 */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  if (/^\d+$/.test(header)) return Number(header) * 1_000;
  const until = Date.parse(header);
  return Number.isNaN(until) ? null : Math.max(until - now, 0);
}

/** Twice as long each time, a random half of it: clients that failed together do not return together. */
function backoff({ repeated, fraction }: RetryState): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** repeated) * (0.5 + fraction / 2);
}

/**
 * Milliseconds until the next try; null for no further try. After a 429 and without a connection nothing has changed,
 * so every request is repeated. After a 5xx or a lost connection the work may be done already, so only a safe request
 * is repeated.
 */
export function pauseBeforeNext(outcome: TryOutcome, situation: RetryState): number | null {
  if ("lost" in outcome) {
    const { isLate, isLost } = outcome.lost;
    return isLate || (isLost && !situation.isSafe) ? null : backoff(situation);
  }
  const { status, headers } = outcome.answer;
  const mayRepeat = status === 429 || (status >= 500 && situation.isSafe);
  return mayRepeat ? (retryAfterMs(headers.get("retry-after"), situation.now) ?? backoff(situation)) : null;
}
