/** Why an object is in its present state: one cause, what shows it, and what to run next. */

export const WHY_CODES = [
  "waiting_for_payer",
  "expired",
  "provider_refused",
  "in_review",
  "payer_refused",
  "late_payment",
  "wrong_amount_paid",
  "cancelled",
  "refunded",
  "disputed",
  "paid_and_told",
  "paid_no_endpoint",
  "paid_not_delivered",
  "receiver_refused_signature",
  "receiver_refused",
  "receiver_error",
  "receiver_missing",
  "receiver_redirects",
  "receiver_slow",
  "receiver_unreachable",
  "receiver_tls",
  "chaos",
  "endpoint_disabled",
  "delivered",
  "wrong_key",
  "fault_rule",
  "rate_limited",
  "idempotency_conflict",
  "idempotent_replay",
  "invalid_request",
  "in_progress",
  "failed",
  "unknown",
] as const;
export type WhyCode = (typeof WHY_CODES)[number];

export interface Evidence {
  /** When it happened (ISO 8601). */
  readonly at: string;
  readonly text: string;
}

export interface Finding {
  readonly code: WhyCode;
  /** The cause in one sentence. */
  readonly text: string;
  /** Oldest first. */
  readonly evidence: readonly Evidence[];
  /** The words of the command to run next; null where nothing is to be done. */
  readonly command: readonly string[] | null;
}
