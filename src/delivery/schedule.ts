/** When a failed delivery is tried again (contract, section 6.6; decisions on the retry schedule). Pure. */

const LONGEST_MS = 6 * 3_600_000;

/** Milliseconds from the end of failed attempt `attempt` (1, 2, …) to the next: base × 2^(attempt−1), at most 6 h. */
export function retryDelay(attempt: number, baseMs: number): number {
  return Math.min(baseMs * 2 ** (attempt - 1), LONGEST_MS);
}

/**
 * Milliseconds that a Retry-After header asks for: whole seconds, or a date, which is measured from the receiver's own
 * `Date` (its clock, not the emulated one). Null when there is none or it cannot be read.
 */
export function retryAfter(header: string | undefined, receiverNow: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) || /^[\d.+-]+$/.test(text) ? null : Math.max(0, at - receiverNow);
}

export interface AttemptResult {
  /** Null when there was no answer. */
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly retryAfterMs: number | null;
  readonly durationMs: number;
}

export interface Verdict {
  readonly status: "DELIVERED" | "PENDING" | "FAILED";
  readonly nextAttemptAt: number | null;
}

/** Only 2xx delivers. */
export function isSuccess({ statusCode }: AttemptResult): boolean {
  return statusCode !== null && statusCode >= 200 && statusCode < 300;
}

/** What an attempt means for its delivery. Retry-After counts on 429 alone. */
export function verdict(
  result: AttemptResult,
  attempt: number,
  maxAttempts: number,
  baseMs: number,
  endedAt: number,
): Verdict {
  if (isSuccess(result)) return { status: "DELIVERED", nextAttemptAt: null };
  if (attempt >= maxAttempts) return { status: "FAILED", nextAttemptAt: null };
  const asked = result.statusCode === 429 ? result.retryAfterMs : null;
  return { status: "PENDING", nextAttemptAt: endedAt + (asked ?? retryDelay(attempt, baseMs)) };
}
