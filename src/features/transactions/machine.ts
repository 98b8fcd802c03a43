import type { Machine } from "../../kernel/machine.js";
import type { EventName } from "../webhooks/catalogue.js";

/**
 * The one state machine behind /v1/charges and /v1/payments (contract, sections 3.1 and 3.2). The public status of a
 * charge is a projection of the transaction status and is never stored.
 */

export const TRANSACTION_STATUSES = [
  "PENDING",
  "WAITING_PAYMENT",
  "PROCESSING",
  "PAID",
  "APPROVED",
  "REFUSED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED",
  "CHARGEBACK",
  "DISPUTE",
] as const;
export type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

export const CHARGE_STATUSES = [
  "pending",
  "processing",
  "paid",
  "failed",
  "expired",
  "cancelled",
  "refunded",
  "disputed",
] as const;
export type ChargeStatus = (typeof CHARGE_STATUSES)[number];

/** Contract, section 3.2, last column. */
export const PUBLIC_STATUS: Readonly<Record<TransactionStatus, ChargeStatus>> = {
  PENDING: "pending",
  WAITING_PAYMENT: "pending",
  PROCESSING: "processing",
  PAID: "paid",
  APPROVED: "paid",
  REFUSED: "failed",
  CANCELLED: "cancelled",
  EXPIRED: "expired",
  REFUNDED: "refunded",
  CHARGEBACK: "disputed",
  DISPUTE: "disputed",
};

export type TransactionMove = "settle" | "hold" | "return" | "fail" | "expire";

const WAITING = ["PENDING", "WAITING_PAYMENT"] as const;

export const transactionMachine: Machine<TransactionStatus, TransactionMove, EventName> = {
  name: "transaction",
  states: TRANSACTION_STATUSES,
  initial: { state: "WAITING_PAYMENT", emits: ["charge.created", "payment.created"] },
  transitions: {
    /** Paid and confirmed; from PROCESSING when a review approved it. */
    settle: {
      from: [...WAITING, "PROCESSING"],
      to: "PAID",
      emits: ["charge.paid", "payment.completed", "payment.status_changed"],
      source: "3.1 payer pays, document matches; review approved",
    },
    /** The payer's document was expected but the bank did not report it. */
    hold: {
      from: WAITING,
      to: "PROCESSING",
      emits: ["payment.status_changed"],
      source: "3.1 payer pays, document not reported",
    },
    /** The money goes back to a payer who is not the expected one, or whom a review rejected. */
    return: {
      from: [...WAITING, "PROCESSING"],
      to: "REFUNDED",
      emits: ["payment.refunded", "payment.status_changed"],
      source: "3.1 payer pays, document differs; review rejected",
    },
    fail: {
      from: WAITING,
      to: "REFUSED",
      emits: ["charge.failed", "payment.failed", "payment.status_changed"],
      source: "3.1 provider failure",
    },
    expire: {
      from: WAITING,
      to: "EXPIRED",
      emits: ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"],
      source: "3.1 expiry time passes unpaid",
    },
  },
};

/** The transaction statuses that a public status stands for. */
export function statusesBehind(status: ChargeStatus): TransactionStatus[] {
  return TRANSACTION_STATUSES.filter((candidate) => PUBLIC_STATUS[candidate] === status);
}
