import type { AttemptedStatus } from "../features/webhooks/machine.js";
import type { ChaosKind } from "./chaos.js";
import { type AttemptResult, isSuccess } from "./schedule.js";

/** One attempt that has ended, for those who follow deliveries live. */
export interface Attempt {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly url: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  /** The status of the delivery after this attempt. */
  readonly status: AttemptedStatus;
  readonly nextAttemptAt: number | null;
  /** What was done to it on purpose. An attempt with `duplicate` sends an arrived delivery again and changes nothing. */
  readonly chaos: readonly ChaosKind[];
}

/** Why an attempt failed, with the answer of the receiver. Both are null for an answer that is 2xx. */
export function failureOf(result: AttemptResult): { error: string | null; responseBody: string | null } {
  if (isSuccess(result)) return { error: null, responseBody: null };
  return { error: result.error ?? `the endpoint answered ${result.statusCode}`, responseBody: result.responseBody };
}
