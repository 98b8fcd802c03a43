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

interface Delivery {
  readonly endpointId: string | null;
  readonly status: string;
}

export interface Health {
  readonly arrived: number;
  /** Deliveries that have arrived or failed. */
  readonly ended: number;
  readonly waiting: number;
}

/** The state of the deliveries of one endpoint. */
export function healthOf(deliveries: readonly Delivery[], endpointId: string): Health {
  const own = deliveries.filter((one) => one.endpointId === endpointId);
  const count = (...statuses: string[]) => own.filter(({ status }) => statuses.includes(status)).length;
  return {
    arrived: count("DELIVERED"),
    ended: count("DELIVERED", "FAILED"),
    waiting: count("PENDING", "PROCESSING"),
  };
}
