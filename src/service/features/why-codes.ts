import type { Message, Params } from "../../base/kernel/message.js";
import texts from "./service-texts.json" with { type: "json" };

/** The reasons for an object's present state: the codes of causes, and their sentences (docs/decisions/151-why.md). */

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

/** A parameter whose name ends in `_at` is an instant (ISO 8601), which each reader has in their own form. */
export const WHY_TEXTS = texts.why;
export type SentenceCode = keyof typeof WHY_TEXTS;
export type Sentence = Message<SentenceCode>;

export function sentence(code: SentenceCode, params: Params = {}): Sentence {
  return { code, params };
}
