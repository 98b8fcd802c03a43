import { rowById, stateError } from "../../../base/kernel/errors.js";
import type { IdKind } from "../../../base/kernel/ids.js";
import { parseObject } from "../../../base/kernel/json.js";
import { canMove, transition } from "../../../base/kernel/machine.js";
import { splitFees } from "../../../base/kernel/money.js";
import { SAMPLE_PAYER_CPF } from "../../../base/kernel/tax-id.js";
import { newEndToEndId } from "../../../base/pix/ids.js";
import { record, recordMove } from "../history/actions.js";
import type { Stores, Tx } from "../tx.js";
import { settle as creditSettlement, type HeldMoney, moveHeld, sumTooLarge } from "../wallets/actions.js";
import { publish } from "../webhooks/actions.js";
import { type EventName, familyOf } from "../webhooks/catalogue.js";
import { defaultMethod, hasMethod, methodExpiry, type PaymentMethod } from "./catalogue.js";
import { toCharge } from "./charge-resource.js";
import { type EventContext, type EventRefund, legacyData } from "./events.js";
import { isSettled, isWaiting, type TransactionMove, transactionMachine } from "./machine.js";
import { isInFlight, payerVerdict, roundSeconds } from "./rules.js";
import type { NewTransaction, TransactionRow, TransactionState } from "./store.js";

/** Every change of a transaction. Routes, simulators and due work all call these functions. */

/** Returns a transaction of the caller's book by `tx_<uuid>` or the bare uuid (docs/service/requests.md#ids). */
export function findPayment(stores: Stores, bookId: number, id: string): TransactionRow {
  return findRow(stores, bookId, id, ["transaction"]);
}

/** Returns a transaction by any of its ids: the simulators accept `ch_<uuid>` too. */
export function findTransaction(stores: Stores, bookId: number, id: string): TransactionRow {
  return findRow(stores, bookId, id, ["charge", "transaction"]);
}

function findRow(stores: Stores, bookId: number, id: string, kinds: [IdKind, ...IdKind[]]): TransactionRow {
  return rowById(kinds, id, (raw) => stores.transactions.inBook(raw, bookId), { isBare: true });
}

interface PublishedTransition {
  readonly names: readonly EventName[];
  readonly context: EventContext;
  readonly history: number;
}

/**
 * Writes the events of one transition, in order. Returns the first canonical event, or null: its data is the public
 * charge, so an idempotency record may refer to it instead of storing the same text.
 */
export function publishTransition(
  tx: Tx,
  row: NewTransaction,
  { names, context, history }: PublishedTransition,
): { seq: number; chargeJson: string } | null {
  let canonical: { seq: number; chargeJson: string } | null = null;
  for (const type of names) {
    const isCanonical = familyOf(type) === "canonical";
    const data = JSON.stringify(isCanonical ? toCharge(tx, row) : legacyData(row, type, context, tx.now));
    const seq = publish(tx, { bookId: row.book_id, type, subject: row.id, data, target: row.webhook_url, history });
    if (isCanonical) canonical ??= { seq, chargeJson: data };
  }
  return canonical;
}

interface TransitionEffects {
  readonly change?: Partial<TransactionState>;
  readonly refund?: EventRefund;
  /** Moves the money. `history` is the move in the history. */
  readonly money?: (history: number) => void;
}

/** Moves a transaction to a new status; nothing else writes one. The state machine names the status and its events. */
function move(tx: Tx, row: NewTransaction, name: TransactionMove, doing: TransitionEffects = {}): NewTransaction {
  const { to, emits } = transition(transactionMachine, row.status, name);
  const next: NewTransaction = { ...row, ...doing.change, status: to, updated_at: tx.now };
  tx.transactions.update(next, row.status);
  if (canExpire(row) && !canExpire(next)) {
    tx.jobs.drop({ kind: "transaction.expire", subject: row.id, due_at: row.expires_at });
  }
  const history = recordMove(tx, "transaction", next, { move: name, from: row.status });
  doing.money?.(history);
  publishTransition(tx, next, { names: emits, context: { previousStatus: row.status, refund: doing.refund }, history });
  return next;
}

/** A simulated payment. A `payerDocument` of null means that the bank did not report the payer. */
export interface Payment {
  /** In the smallest unit; the transaction's amount when left out. */
  readonly amount?: number;
  readonly payerName?: string;
  readonly payerDocument?: string | null;
  /** One of the transaction's methods. When left out: Pix, or the first method of a transaction without Pix. */
  readonly method?: PaymentMethod;
}

export const PAYMENT_OUTCOMES = ["paid", "refunded", "processing", "returned"] as const;
export type PaymentEffect = (typeof PAYMENT_OUTCOMES)[number];

export interface PaymentResult {
  /** The result of a payment. `returned` means that the money went back and the transaction did not change. */
  readonly outcome: PaymentEffect;
  readonly row: NewTransaction;
}

/** The transaction stays as it is; its checkout page shows the payer that the money arrived and went back. */
function sendBack(tx: Tx, row: NewTransaction, payment: Payment, reason?: "largest_sum"): PaymentResult {
  const { book_id, id, status } = row;
  const data = { amount: payment.amount ?? row.amount, reason };
  record(tx, { book_id, noun: "transaction", subject: id, move: "send_back", from: status, to: status, data });
  return { outcome: "returned", row };
}

/**
 * The payer pays (docs/service/charges.md#paying). `whenFull` decides about a payment that would exceed the largest sum
 * of the book: a caller is refused by ApiError; without a caller, the money goes back.
 */
export function payTransaction(
  tx: Tx,
  found: NewTransaction,
  payment: Payment,
  whenFull: "refuse" | "send_back" = "refuse",
): PaymentResult {
  const row = expireIfDue(tx, found);
  const method = payment.method ?? defaultMethod(row);
  if (!isWanted(row, payment, tx.now)) return sendBack(tx, row, payment);
  const document = payment.payerDocument === undefined ? defaultPayer(row) : payment.payerDocument;
  const payer = { payer_name: payment.payerName ?? "Pagador de Teste", payer_document: document };
  const verdict = method === "PIX" ? payerVerdict(row.expected_payer_tax_id, document) : "settle";
  if (verdict !== "return" && !tx.ledger.takeRoom(row.book_id, row.amount)) {
    if (whenFull === "send_back") return sendBack(tx, row, payment, "largest_sum");
    throw sumTooLarge("What this account has received in this mode");
  }
  switch (verdict) {
    case "settle":
      return { outcome: "paid", row: settleTransaction(tx, row, { method, from: "world", payer }) };
    case "return":
      return { outcome: "refunded", row: returnPayment(tx, row, { reason: "payer_document_mismatch", payer }) };
    case "hold":
      return { outcome: "processing", row: holdTransaction(tx, row, payer) };
  }
}

/** The bank has not reported the payer: the money is held until a review decides. */
function holdTransaction(tx: Tx, row: NewTransaction, payer: Partial<TransactionState>): NewTransaction {
  return move(tx, row, "hold", {
    change: { ...payer, held_at: tx.now, paid_with: "PIX" },
    money: (history) => moveHeld(tx, "review_hold", heldMoney(row, history)),
  });
}

/** The whole amount of a transaction that enters or leaves the review. */
function heldMoney(row: NewTransaction, history: number): HeldMoney {
  const { book_id, id, currency, amount } = row;
  return { bookId: book_id, reference: id, currency, amount, history };
}

/** True if a payment that arrives at `at` changes the transaction. Otherwise the money goes back. */
export function isWanted(row: NewTransaction, payment: Payment, at: number): boolean {
  const method = payment.method ?? defaultMethod(row);
  const waits = isWaiting(row.status) || (method === "CREDIT_CARD" && isInFlight(row));
  const exact = payment.amount === undefined || payment.amount === row.amount;
  return waits && exact && hasMethod(row, method) && methodExpiry(row, method) > at;
}

function defaultPayer(row: NewTransaction): string {
  return row.expected_payer_tax_id ?? SAMPLE_PAYER_CPF;
}

/** True if a transaction expires when its time is over. */
export function canExpire(row: NewTransaction): boolean {
  return isWaiting(row.status) || isInFlight(row);
}

/** Expires a transaction that is over its time before any other change: its job may run late. */
function expireIfDue(tx: Tx, row: NewTransaction): NewTransaction {
  return row.expires_at <= tx.now && canExpire(row) ? expireTransaction(tx, row) : row;
}

interface SettleInput {
  readonly method: PaymentMethod;
  readonly from: "world" | "review";
  readonly payer: Partial<TransactionState>;
}

function settleTransaction(tx: Tx, row: NewTransaction, { method, from, payer }: SettleInput): NewTransaction {
  const none = { fixed: 0, bps: 0 };
  const fee = tx.settings.fees[method] ?? { provider: none, platform: none };
  const fees = splitFees(row.amount, fee.provider, fee.platform);
  tx.transactions.countPaymentTime(row.book_id, row.day, row.currency, roundSeconds(tx.now - row.created_at));
  const endToEnd = method === "PIX" ? newEndToEndId("E", tx) : null;
  return move(tx, row, method === "CREDIT_CARD" ? "approve" : "settle", {
    change: {
      ...payer,
      held_at: null,
      paid_with: method,
      paid_at: tx.now,
      end_to_end_id: endToEnd,
      provider_fee: fees.providerFee,
      platform_fee: fees.platformFee,
    },
    money(history) {
      creditSettlement(tx, { ...heldMoney(row, history), fees, from });
      openCaseLater(tx, row, history);
    },
  });
}

/** Schedules the MED case in the scenario of the transaction. */
function openCaseLater(tx: Tx, { id, book_id, script }: NewTransaction, history: number): void {
  const { medAfter } = script === null ? {} : parseObject(script);
  if (medAfter === undefined) return;
  tx.schedule("med.open", id, { at: tx.now + Math.round(Number(medAfter) * 1_000), bookId: book_id, history }, {});
}

interface ReturnInput {
  readonly reason: string;
  readonly payer: Partial<TransactionState>;
  readonly money?: TransitionEffects["money"] | undefined;
}

/** Returns a Pix in full, without a request, when its money was never credited. */
function returnPayment(tx: Tx, row: NewTransaction, { reason, payer, money }: ReturnInput): NewTransaction {
  const returnId = newEndToEndId("D", tx);
  const { book_id, id: transaction_id, amount, currency } = row;
  const given = { id: tx.ids.next(), transaction_id, amount, currency, reason, end_to_end_id: returnId };
  const refund = tx.refunds.insertReturn(given, tx.now);
  return move(tx, row, "return", {
    change: { ...payer, held_at: null, return_id: returnId },
    refund,
    money(history) {
      record(tx, { book_id, noun: "refund", subject: refund.id, move: "create", to: refund.status });
      money?.(history);
    },
  });
}

/**
 * Ends the review of a payment whose payer the bank did not report. Throws IllegalTransition when no payment is held.
 */
export function reviewTransaction(tx: Tx, row: NewTransaction, decision: "approve" | "reject"): NewTransaction {
  if (decision === "approve") return settleTransaction(tx, row, { method: "PIX", from: "review", payer: {} });
  return returnPayment(tx, row, {
    reason: "review_rejected",
    payer: {},
    money: (history) => moveHeld(tx, "review_return", heldMoney(row, history)),
  });
}

export interface Failure {
  readonly reason: string;
  readonly providerErrorCode: string | null;
}

/** `metadata.failure` (docs/service/charges.md#metadata). */
function failureJson(tx: Tx, row: NewTransaction, failure: Failure): string {
  return JSON.stringify({ ...failure, ttlSeconds: row.expires_in, at: new Date(tx.now).toISOString() });
}

/** The provider refuses the transaction, or the issuer refuses a card payment in progress. */
export function failTransaction(tx: Tx, row: NewTransaction, failure: Failure): NewTransaction {
  const change = { failure: failureJson(tx, row, failure) };
  return move(tx, row, isInFlight(row) ? "decline" : "fail", { change });
}

/** The time of the transaction is over, or a simulator expires it. */
export function expireTransaction(tx: Tx, row: NewTransaction): NewTransaction {
  const failure = { reason: "expired_unpaid", providerErrorCode: null };
  const change = { failure: failureJson(tx, row, failure) };
  return move(tx, row, isInFlight(row) ? "abandon" : "expire", { change });
}

/** The merchant cancels a transaction before it is completed. Money that is held for review goes back to its payer. */
export function cancelTransaction(tx: Tx, found: NewTransaction): NewTransaction {
  const row = expireIfDue(tx, found);
  if (!canMove(transactionMachine, row.status, "cancel")) {
    const way = isSettled(row.status) ? "a settled payment is refunded, not cancelled" : "it is final";
    throw stateError(`The payment is ${row.status}: ${way}.`);
  }
  const failure = { reason: "cancelled_by_merchant", providerErrorCode: null };
  return move(tx, row, "cancel", {
    change: { failure: failureJson(tx, row, failure), held_at: null },
    money(history) {
      if (row.held_at !== null) moveHeld(tx, "review_return", heldMoney(row, history));
    },
  });
}

/** The issuer wants to authenticate the cardholder (3DS). The payment stays open until it is decided or too late. */
export function challengeCard(tx: Tx, row: NewTransaction): NewTransaction {
  return move(tx, row, "challenge");
}

interface RefundStep {
  readonly refund: EventRefund;
  /** The amount that this step refunds: the amount of the refund when it is done, and zero before. */
  readonly refunded: number;
  readonly emits: readonly EventName[];
  readonly history: number;
}

/**
 * A refund was accepted or has taken a step. The refund that completes the whole amount makes the transaction REFUNDED,
 * unless it is disputed. `emits` are the events of the step, and `history` is the step in the history.
 */
export function refundAdvanced(
  tx: Tx,
  row: TransactionRow,
  { refund, refunded, emits, history }: RefundStep,
): NewTransaction {
  const refunded_amount = row.refunded_amount + refunded;
  if (refunded_amount > row.amount) throw new Error(`refunds of ${row.id} exceed what it received`);
  if (refunded_amount === row.amount && canMove(transactionMachine, row.status, "refund")) {
    return move(tx, row, "refund", { change: { refunded_amount }, refund });
  }
  const next = { ...row, refunded_amount, updated_at: tx.now };
  if (refunded_amount !== row.refunded_amount) tx.transactions.update(next, row.status);
  publishTransition(tx, next, { names: emits, context: { previousStatus: row.status, refund }, history });
  return next;
}

/** A case was opened on a settled transaction. The case itself moves the money (docs/service/med.md#opening). */
export function disputeTransaction(tx: Tx, row: NewTransaction, kind: "dispute" | "chargeback"): NewTransaction {
  return move(tx, row, kind === "chargeback" ? "charge_back" : "dispute");
}

/** The case ended in the merchant's favour: the transaction is settled again, as APPROVED when it was paid by card. */
export function endDispute(tx: Tx, row: NewTransaction): NewTransaction {
  return move(tx, row, row.paid_with === "CREDIT_CARD" ? "keep_card" : "keep");
}

/** Writes the case data of the charge. Nothing else of the transaction changes. */
export function noteMed(tx: Tx, row: NewTransaction, med: string): void {
  tx.transactions.update({ ...row, med, updated_at: tx.now }, row.status);
}

/** Job `transaction.expire`. Nothing happens when the transaction was paid, failed or held for review meanwhile. */
export function expireWhenDue(tx: Tx, transactionId: string): void {
  const row = tx.transactions.anywhere(transactionId);
  if (row !== null) expireIfDue(tx, row);
}

/** Job `transaction.pay`: the payer of `metadata._sandbox` pays. Money above the largest sum goes back. */
export function payWhenDue(tx: Tx, transactionId: string, payment: Payment): void {
  const row = tx.transactions.anywhere(transactionId);
  if (row !== null) payTransaction(tx, row, payment, "send_back");
}

export function providerReference(id: string): string {
  return `prv_${id}`;
}

/** True if the acquirer must still issue codes and references. */
export function awaitsIssue(row: NewTransaction): boolean {
  return row.provider_reference === null && row.status === transactionMachine.initial.state;
}

/** Job `transaction.finalise`: the acquirer has issued codes and references. */
export function finaliseWhenDue(tx: Tx, transactionId: string): void {
  const row = tx.transactions.anywhere(transactionId);
  if (row === null || !awaitsIssue(row)) return;
  tx.transactions.update({ ...row, provider_reference: providerReference(row.id), updated_at: tx.now }, row.status);
  recordMove(tx, "transaction", row, { move: "finalise", from: row.status });
}
