import { reportEvent, reportOther } from "./reporting.js";
import { CHARGE_LIFE, feesOf, REFUND_STEP, SETTLEMENT_HOLD } from "./settings.js";
import {
  type Book,
  isSettled,
  isUndecided,
  type MedCase,
  type Refund,
  refundable,
  type Transaction,
  transactionOf,
  walletOf,
} from "./state.js";

/** The moves of transactions, refunds, cases and payouts, with the money and the events of each. */

export type New = Pick<Transaction, "id" | "face" | "amount" | "currency" | "methods"> & Partial<Transaction>;

/** A transaction that waits for its payer. */
export function create(book: Book, now: number, given: New): Transaction {
  const transaction = add(book, now, given);
  reportEvent(book, transaction.id, now, "charge.created", "payment.created");
  return transaction;
}

/** One that the provider refuses at once: it never waited for its payer. */
export function createFailed(book: Book, now: number, given: New): void {
  fail(book, now, add(book, now, given));
}

function add(book: Book, now: number, given: New): Transaction {
  const transaction: Transaction = {
    ...{ status: "WAITING_PAYMENT", paidWith: null, providerFee: 0, platformFee: 0, metadata: {} },
    ...{ createdAt: now, paidAt: null, expiresAt: now + CHARGE_LIFE },
    ...{ expectedPayer: null, isPayerKnown: true, webhookUrl: null, payAt: null, medAfter: null, medAt: null },
    ...given,
  };
  book.transactions.push(transaction);
  return transaction;
}

const PAID_EVENTS = ["charge.paid", "payment.completed", "payment.status_changed"];
const FAILED_EVENTS = ["charge.failed", "payment.failed", "payment.status_changed"];

export function settle(book: Book, now: number, transaction: Transaction, method: string): void {
  const { provider, platform } = feesOf(method, transaction.amount);
  const net = transaction.amount - provider - platform;
  const { medAfter } = transaction;
  Object.assign(transaction, {
    status: method === "CREDIT_CARD" ? "APPROVED" : "PAID",
    ...{ paidWith: method, providerFee: provider, platformFee: platform, paidAt: now },
    medAt: medAfter === null ? null : now + medAfter,
  });
  walletOf(book, transaction.currency).pending += net;
  if (net > 0) book.holds.push({ currency: transaction.currency, amount: net, at: now + SETTLEMENT_HOLD });
  reportEvent(book, transaction.id, now, ...PAID_EVENTS);
}

/** Holds a payment whose payer the bank did not report. */
export function hold(book: Book, now: number, transaction: Transaction): void {
  transaction.status = "PROCESSING";
  reportEvent(book, transaction.id, now, "payment.status_changed");
}

/** The money goes back because of its payer: a return of the original Pix, which is a refund that is done at once. */
export function giveBack(book: Book, now: number, transaction: Transaction): void {
  const { id, amount, currency } = transaction;
  book.refunds.push({
    ...{ id: `unseen ${id}`, transaction: id, amount, taken: 0, currency, status: "REFUNDED", strategy: "devolution" },
    ...{ isLost: false, createdAt: now, nextAt: null },
  });
  transaction.status = "REFUNDED";
  reportEvent(book, transaction.id, now, "payment.refunded", "payment.status_changed");
}

export function fail(book: Book, now: number, transaction: Transaction): void {
  transaction.status = "REFUSED";
  reportEvent(book, transaction.id, now, ...FAILED_EVENTS);
}

export function cancel(book: Book, now: number, transaction: Transaction): void {
  transaction.status = "CANCELLED";
  reportEvent(book, transaction.id, now, ...FAILED_EVENTS);
}

export function expire(book: Book, now: number, transaction: Transaction): void {
  transaction.status = "EXPIRED";
  reportEvent(
    book,
    transaction.id,
    now,
    "charge.expired",
    "payment.expired",
    "payment.failed",
    "payment.status_changed",
  );
}

export function requestRefund(book: Book, now: number, refund: Omit<Refund, "status" | "createdAt" | "nextAt">): void {
  book.refunds.push({ ...refund, status: "PENDING", createdAt: now, nextAt: now + REFUND_STEP });
  walletOf(book, refund.currency).available -= refund.taken;
}

/** One or two steps of a refund: from PENDING straight to the end both happen. */
export function advanceRefund(book: Book, now: number, refund: Refund, to: Refund["status"]): void {
  if (refund.status === "PENDING") {
    refund.status = "IN_PROGRESS";
    refund.nextAt = now + REFUND_STEP;
    reportEvent(book, refund.transaction, now, "payment.refunded");
  }
  if (to === "IN_PROGRESS") return;
  refund.status = to;
  refund.nextAt = null;
  if (to === "FAILED") walletOf(book, refund.currency).available += refund.taken;
  const transaction = transactionOf(book, refund.transaction);
  const done = book.refunds.filter((one) => one.transaction === transaction.id && one.status === "REFUNDED");
  const isWhole = done.reduce((sum, { amount }) => sum + amount, 0) === transaction.amount;
  reportEvent(book, transaction.id, now, "payment.refunded");
  if (to !== "REFUNDED" || !isWhole || !isSettled(transaction)) return;
  transaction.status = "REFUNDED";
  reportEvent(book, transaction.id, now, "payment.status_changed");
}

export function openCase(book: Book, now: number, id: string, on: Transaction, type: string, asked?: number): void {
  const rest = refundable(book, on);
  const amount = asked ?? rest;
  const holds = amount <= rest;
  const wallet = walletOf(book, on.currency);
  book.cases.push({
    ...{ id, transaction: on.id, type, status: "open", amount, currency: on.currency, held: holds ? amount : 0 },
    ...{ outcome: null, appealReason: null, evidenceAsked: false, evidence: 0 },
  });
  if (holds) {
    wallet.available -= amount;
    wallet.retained += amount;
    on.status = type === "chargeback" ? "CHARGEBACK" : "DISPUTE";
  }
  reportOther(book, id, now, "med_case.created");
  if (holds) reportEvent(book, on.id, now, "payment.failed", "payment.status_changed");
}

export function appeal(book: Book, now: number, one: MedCase, reason: string): void {
  one.status = "appealed";
  one.appealReason = reason;
  reportOther(book, one.id, now, "med_case.updated");
}

type Ending = "accept" | "upheld" | "refunded_to_merchant" | "closed_without_refund" | "withdraw";

export function endCase(book: Book, now: number, one: MedCase, how: Ending): void {
  const isForMerchant = how === "withdraw" || how === "refunded_to_merchant";
  const isLost = how === "accept" || (how === "upheld" && one.status === "appealed");
  const decided = isLost ? "rejected" : "closed";
  one.status = how === "accept" ? "accepted" : decided;
  const against = isLost ? "lost" : "closed_without_refund";
  one.outcome = isForMerchant ? "refunded_to_merchant" : against;
  const wallet = walletOf(book, one.currency);
  const transaction = transactionOf(book, one.transaction);
  wallet.retained -= one.held;
  if (isForMerchant) wallet.available += one.held;
  const wasDisputed = one.held > 0;
  one.held = 0;
  reportOther(book, one.id, now, "med_case.updated", "med.resolved");
  if (!isForMerchant || !wasDisputed) return;
  transaction.status = transaction.paidWith === "CREDIT_CARD" ? "APPROVED" : "PAID";
  reportEvent(book, transaction.id, now, "payment.status_changed");
}

export function hasOpenCase(book: Book, transaction: Transaction): boolean {
  return book.cases.some((one) => one.transaction === transaction.id && isUndecided(one));
}

export function createPayout(book: Book, now: number, id: string, amount: number, currency: string): void {
  book.payouts.push({ id, amount, currency, status: "pending" });
  walletOf(book, currency).available -= amount;
  reportOther(book, id, now, "payout.created", "withdrawal.created");
}

export function endPayout(book: Book, now: number, id: string, how: "paid" | "failed"): void {
  const payout = book.payouts.find((one) => one.id === id);
  if (payout === undefined) throw new Error(`the model has no payout ${id}`);
  payout.status = how;
  if (how === "failed") walletOf(book, payout.currency).available += payout.amount;
  const legacy = how === "paid" ? "withdrawal.completed" : "withdrawal.failed";
  reportOther(book, id, now, `payout.${how}`, legacy, "withdrawal.status_changed");
}
