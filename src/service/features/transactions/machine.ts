import type { EventsOf } from "../../../base/kernel/event.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Machine } from "../../../base/kernel/machine.js";

/**
 * The one state machine behind /v1/charges and /v1/payments (docs/service/charges.md#status,
 * docs/service/payments.md#status-of-a-payment). The public status of a charge is a projection of the transaction
 * status and is never stored.
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

/**
 * The status of a charge for each status of its transaction (docs/service/payments.md#status-of-a-payment last column).
 */
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

/** The events of charges and payments. A refund is reported as an event of its payment. */
export const transactionEvents = {
  prefix: ID_PREFIX.charge,
  events: {
    "charge.created": {
      family: "canonical",
      description: "A charge was created and waits for its payer.",
      legacy: "payment.created",
    },
    "charge.paid": {
      family: "canonical",
      description: "A charge was paid and its settlement confirmed.",
      legacy: "payment.completed",
    },
    "charge.failed": {
      family: "canonical",
      description: "A charge failed or was cancelled.",
      legacy: "payment.failed",
    },
    "charge.expired": {
      family: "canonical",
      description: "A charge ran out of time unpaid.",
      legacy: "payment.expired",
    },
    "payment.created": { family: "legacy", description: "A transaction was created." },
    "payment.completed": { family: "legacy", description: "A transaction became PAID or APPROVED." },
    "payment.failed": {
      family: "legacy",
      description: "A transaction became REFUSED, CANCELLED, EXPIRED, CHARGEBACK or DISPUTE.",
    },
    "payment.expired": { family: "legacy", description: "A transaction ran out of time unpaid." },
    "payment.refunded": { family: "legacy", description: "A refund of a transaction advanced." },
    "payment.status_changed": { family: "legacy", description: "A transaction changed status." },
  },
} as const satisfies EventsOf;
export type TransactionEvent = keyof typeof transactionEvents.events;

const WAITING = ["PENDING", "WAITING_PAYMENT"] as const;
const SETTLED = ["PAID", "APPROVED"] as const;
const DISPUTED = ["DISPUTE", "CHARGEBACK"] as const;

const PAID_EVENTS = ["charge.paid", "payment.completed", "payment.status_changed"] as const;
const FAILED_EVENTS = ["charge.failed", "payment.failed", "payment.status_changed"] as const;
const EXPIRED_EVENTS = ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"] as const;
const DISPUTED_EVENTS = ["payment.failed", "payment.status_changed"] as const;

const machine = {
  name: "transaction",
  states: TRANSACTION_STATUSES,
  initial: { state: "WAITING_PAYMENT", emits: ["charge.created", "payment.created"] },
  transitions: {
    /** Paid and confirmed; from PROCESSING when a review approved it. */
    settle: {
      from: [...WAITING, "PROCESSING"],
      to: "PAID",
      emits: PAID_EVENTS,
      source: "payer pays, document matches; review approved",
    },
    /** A card was paid and confirmed; from PROCESSING when the cardholder was authenticated. */
    approve: {
      from: [...WAITING, "PROCESSING"],
      to: "APPROVED",
      emits: PAID_EVENTS,
      source: "settled, card methods",
    },
    /** A payer was expected, but the bank did not report the payer's document. */
    hold: {
      from: WAITING,
      to: "PROCESSING",
      emits: ["payment.status_changed"],
      source: "payer pays, document not reported",
    },
    /** The issuer wants to authenticate the cardholder (3DS). */
    challenge: { from: WAITING, to: "PROCESSING", emits: ["payment.status_changed"], source: "card/3DS in flight" },
    /** The money goes back: its payer is not the expected one, or a review rejected it. */
    return: {
      from: [...WAITING, "PROCESSING"],
      to: "REFUNDED",
      emits: ["payment.refunded", "payment.status_changed"],
      source: "payer pays, document differs; review rejected",
    },
    fail: { from: WAITING, to: "REFUSED", emits: FAILED_EVENTS, source: "provider failure" },
    /** The issuer refuses a card after 3DS. */
    decline: { from: ["PROCESSING"], to: "REFUSED", emits: FAILED_EVENTS, source: "issuer declined" },
    expire: { from: WAITING, to: "EXPIRED", emits: EXPIRED_EVENTS, source: "expiry time passes unpaid" },
    /** The cardholder never finished the authentication. */
    abandon: { from: ["PROCESSING"], to: "EXPIRED", emits: EXPIRED_EVENTS, source: "time window elapsed" },
    cancel: {
      from: [...WAITING, "PROCESSING"],
      to: "CANCELLED",
      emits: FAILED_EVENTS,
      source: "cancel operation",
    },
    /** Refunds have returned the whole amount. */
    refund: {
      from: SETTLED,
      to: "REFUNDED",
      emits: ["payment.refunded", "payment.status_changed"],
      source: "refunds total reaches original amount",
    },
    /** The payer's bank opened a MED case, or a cardholder a dispute. */
    dispute: { from: SETTLED, to: "DISPUTE", emits: DISPUTED_EVENTS, source: "MED opened by payer's bank" },
    charge_back: { from: SETTLED, to: "CHARGEBACK", emits: DISPUTED_EVENTS, source: "issuer raised chargeback" },
    /** The case ended in the merchant's favour. */
    keep: {
      from: DISPUTED,
      to: "PAID",
      emits: ["payment.status_changed"],
      source: "MED case closed in merchant's favour",
    },
    keep_card: {
      from: DISPUTED,
      to: "APPROVED",
      emits: ["payment.status_changed"],
      source: "the same for a card transaction",
    },
  },
} as const satisfies Machine<TransactionStatus, string, TransactionEvent>;

export type TransactionMove = keyof typeof machine.transitions;
export const transactionMachine: Machine<TransactionStatus, TransactionMove, TransactionEvent> = machine;

/** True if the payer can still pay. */
export function isWaiting(status: TransactionStatus): boolean {
  return status === "PENDING" || status === "WAITING_PAYMENT";
}

/** True if the outcome is open: the transaction waits for its payer, or its money is held or on its way. */
export function isUndecided(status: TransactionStatus): boolean {
  return isWaiting(status) || status === "PROCESSING";
}

/** True if the transaction is paid and was neither refunded in full nor disputed. */
export function isSettled(status: TransactionStatus): boolean {
  return status === "PAID" || status === "APPROVED";
}

/** Returns the events that report this status, from any previous one. */
export function eventsBehind(status: TransactionStatus): TransactionEvent[] {
  const { initial, transitions } = transactionMachine;
  const ways = Object.values(transitions).filter(({ to }) => to === status);
  const names = ways.flatMap(({ emits }) => emits);
  return [...new Set(initial.state === status ? [...initial.emits, ...names] : names)];
}

export function statusesBehind(status: ChargeStatus): TransactionStatus[] {
  return TRANSACTION_STATUSES.filter((candidate) => PUBLIC_STATUS[candidate] === status);
}
