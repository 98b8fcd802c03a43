import { isSuccess } from "../../../../base/kernel/http-status.js";
import type { AttemptFailure } from "./service-texts.js";

/** The quality of an endpoint's answers. Pure functions. */

/** One attempt that has ended. */
export interface EndedAttempt extends AttemptFailure {
  readonly delivery: string;
  readonly number: number;
  readonly at: string;
  readonly ms: number;
  /** Null without an answer. */
  readonly status: number | null;
}

export const isArrived = ({ status }: Pick<EndedAttempt, "status">) => isSuccess(status);

/** The duration that this share of the attempts did not exceed; null without attempts. */
export function percentile(attempts: readonly EndedAttempt[], share: number): number | null {
  const sorted = attempts.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** The reasons of the failed attempts, the most frequent one first. */
export function failureReasons(attempts: readonly EndedAttempt[]): { reason: AttemptFailure; count: number }[] {
  const groups = new Map<string | null, { reason: AttemptFailure; count: number }>();
  for (const attempt of attempts) {
    if (isArrived(attempt)) continue;
    const { error, error_code, error_params } = attempt;
    const known = groups.get(error) ?? { reason: { error, error_code, error_params }, count: 0 };
    groups.set(error, { ...known, count: known.count + 1 });
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
}

/** Merges attempts, each once, the oldest first, and keeps the latest ones. */
export function latestAttempts(
  known: readonly EndedAttempt[],
  more: readonly EndedAttempt[],
  most: number,
): EndedAttempt[] {
  const byKey = new Map([...known, ...more].map((one) => [`${one.delivery} ${one.number}`, one]));
  return [...byKey.values()].sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-most);
}

/** The top of the chart: twice the duration that 95 of 100 attempts stay below, as a round number of milliseconds. */
export function chartTop(attempts: readonly EndedAttempt[]): number {
  const wanted = Math.max(10, 2 * (percentile(attempts, 0.95) ?? 0));
  const unit = 10 ** Math.floor(Math.log10(wanted));
  return unit * ([1, 2, 5].find((step) => step * unit >= wanted) ?? 10);
}

interface Delivery {
  readonly status: string;
  readonly attempts: number;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
}

export interface Health {
  readonly arrived: number;
  /** Of those, the ones that needed more than one try. */
  readonly retried: number;
  /** Deliveries that failed, or whose last try did. */
  readonly failing: number;
  /** The newest of these. */
  readonly last: Delivery | null;
}

/** How one delivery stands: it arrived at once or later, its last try failed, or none was made. */
export function outcomeOf({
  status,
  attempts,
}: Pick<Delivery, "status" | "attempts">): "good" | "warn" | "bad" | "plain" {
  if (status === "DELIVERED") return attempts > 1 ? "warn" : "good";
  return attempts > 0 && ["FAILED", "PENDING"].includes(status) ? "bad" : "plain";
}

/** How the deliveries of an endpoint went, the newest first. Those that were never tried say nothing about it. */
export function healthOf(deliveries: readonly Delivery[]): Health {
  const those = (wanted: ReturnType<typeof outcomeOf>) => deliveries.filter((one) => outcomeOf(one) === wanted);
  const [atOnce, later, failing] = [those("good"), those("warn"), those("bad")];
  return {
    arrived: atOnce.length + later.length,
    retried: later.length,
    failing: failing.length,
    last: failing[0] ?? null,
  };
}
