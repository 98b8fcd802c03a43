import type { FeeSplit } from "../../kernel/money.js";
import type { Tx } from "../tx.js";
import type { Bucket, Entry } from "./store.js";

/** The movements of money. Each is one balanced journal; a balance is never written any other way. */

export interface Settlement {
  readonly bookId: number;
  readonly transactionId: string;
  readonly currency: string;
  readonly amount: number;
  readonly fees: FeeSplit;
  /** Where the money was: outside, or held for review. */
  readonly from: Extract<Bucket, "world" | "review">;
}

/** Credits a settled transaction: at once to `available`, or to `pending` with a tranche that releases it later. */
export function settle(tx: Tx, settlement: Settlement): void {
  const { bookId, transactionId, currency, amount, fees } = settlement;
  const hold = tx.settings.settlementHoldMs;
  const journal = { book_id: bookId, kind: "settlement", reference: transactionId, created_at: tx.now };
  tx.ledger.post(journal, currency, [
    { bucket: settlement.from, amount: -amount },
    { bucket: "provider_fees", amount: fees.providerFee },
    { bucket: "platform_fees", amount: fees.platformFee },
    { bucket: hold === 0 ? "available" : "pending", amount: fees.netAmount },
  ]);
  if (hold === 0 || fees.netAmount === 0) return;
  const releaseAt = tx.now + hold;
  const tranche = tx.ledger.insertTranche({
    book_id: bookId,
    transaction_id: transactionId,
    currency,
    amount: fees.netAmount,
    release_at: releaseAt,
  });
  tx.later("wallet.release", String(tranche), releaseAt);
}

/** Job `wallet.release`: a tranche's money becomes available. */
export function releaseTranche(tx: Tx, trancheId: string): void {
  const tranche = tx.ledger.tranche(Number(trancheId));
  if (tranche === null || tx.ledger.release(tx.now, tranche.id) === 0) return;
  const journal = { book_id: tranche.book_id, kind: "release", reference: tranche.transaction_id, created_at: tx.now };
  tx.ledger.post(journal, tranche.currency, [
    { bucket: "pending", amount: -tranche.amount },
    { bucket: "available", amount: tranche.amount },
  ]);
}

/** Money that arrived but belongs to nobody yet: the bank did not report who paid. */
export function holdForReview(tx: Tx, bookId: number, transactionId: string, currency: string, amount: number): void {
  tx.ledger.post({ book_id: bookId, kind: "review_hold", reference: transactionId, created_at: tx.now }, currency, [
    { bucket: "world", amount: -amount },
    { bucket: "review", amount },
  ]);
}

/** Gives money held for review back to whoever sent it. */
export function returnFromReview(
  tx: Tx,
  bookId: number,
  transactionId: string,
  currency: string,
  amount: number,
): void {
  tx.ledger.post({ book_id: bookId, kind: "review_return", reference: transactionId, created_at: tx.now }, currency, [
    { bucket: "review", amount: -amount },
    { bucket: "world", amount },
  ]);
}

/** What the merchant may spend in a currency; below zero where the wallet is overdrawn. */
export function availableFunds(tx: Tx, bookId: number, currency: string): number {
  const found = tx.ledger.balances(bookId).find((one) => one.currency === currency && one.bucket === "available");
  return found?.balance ?? 0;
}

/** Money that leaves the wallet, a part of it perhaps for its fee. It can be called back until it is confirmed. */
export interface Outflow {
  readonly bookId: number;
  /** Raw id of the refund or payout. */
  readonly reference: string;
  readonly kind: "refund" | "payout";
  readonly currency: string;
  readonly amount: number;
  readonly fee: number;
}

function post(tx: Tx, outflow: Outflow, step: string, entries: Parameters<Tx["ledger"]["post"]>[2]): void {
  const { bookId, kind, reference, currency } = outflow;
  const journal = { book_id: bookId, kind: `${kind}_${step}`, reference, created_at: tx.now };
  tx.ledger.post(journal, currency, entries);
}

/** Reserves an outflow: the wallet may go negative by it. */
export function reserveOutflow(tx: Tx, outflow: Outflow): void {
  const total = outflow.amount + outflow.fee;
  post(tx, outflow, "reserve", [
    { bucket: "available", amount: -total },
    { bucket: "clearing", amount: total },
  ]);
}

/** The reserved money has arrived. */
export function confirmOutflow(tx: Tx, outflow: Outflow): void {
  post(tx, outflow, "confirm", [
    { bucket: "clearing", amount: -outflow.amount - outflow.fee },
    { bucket: "world", amount: outflow.amount },
    { bucket: "provider_fees", amount: outflow.fee },
  ]);
}

/** It failed: all of it, the fee included, is available again. */
export function releaseOutflow(tx: Tx, outflow: Outflow): void {
  const total = outflow.amount + outflow.fee;
  post(tx, outflow, "release", [
    { bucket: "clearing", amount: -total },
    { bucket: "available", amount: total },
  ]);
}

function hold(tx: Tx, bookId: number, caseId: string, currency: string, step: string, entries: readonly Entry[]): void {
  tx.ledger.post({ book_id: bookId, kind: `med_${step}`, reference: caseId, created_at: tx.now }, currency, entries);
}

/** Contested money is held: the spendable balance may go negative by it. */
export function holdForCase(tx: Tx, bookId: number, caseId: string, currency: string, amount: number): void {
  hold(tx, bookId, caseId, currency, "hold", [
    { bucket: "available", amount: -amount },
    { bucket: "retained", amount },
  ]);
}

/** The case was decided for the merchant. */
export function returnHold(tx: Tx, bookId: number, caseId: string, currency: string, amount: number): void {
  hold(tx, bookId, caseId, currency, "return", [
    { bucket: "retained", amount: -amount },
    { bucket: "available", amount },
  ]);
}

/** The case was lost: what was held goes to the payer. */
export function forfeitHold(tx: Tx, bookId: number, caseId: string, currency: string, amount: number): void {
  hold(tx, bookId, caseId, currency, "forfeit", [
    { bucket: "retained", amount: -amount },
    { bucket: "world", amount },
  ]);
}
