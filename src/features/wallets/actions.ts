import type { FeeSplit } from "../../kernel/money.js";
import type { Tx } from "../tx.js";
import type { Bucket, Entry } from "./store.js";

/** All movements of money. Each is one balanced journal. A balance changes in no other way. */

export interface Settlement {
  readonly bookId: number;
  readonly transactionId: string;
  readonly currency: string;
  readonly amount: number;
  readonly fees: FeeSplit;
  /** Where the money comes from: outside the service, or a review. */
  readonly from: Extract<Bucket, "world" | "review">;
}

/** Credits a settled transaction: to `available` at once, or to `pending` with a tranche that is released later. */
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
  tx.later("wallet.release", { book_id: bookId, id: String(tranche) }, releaseAt);
}

/** Job `wallet.release`: the money of a tranche becomes available. */
export function releaseTranche(tx: Tx, trancheId: string): void {
  const tranche = tx.ledger.tranche(Number(trancheId));
  if (tranche === null || tx.ledger.release(tx.now, tranche.id) === 0) return;
  const journal = { book_id: tranche.book_id, kind: "release", reference: tranche.transaction_id, created_at: tx.now };
  tx.ledger.post(journal, tranche.currency, [
    { bucket: "pending", amount: -tranche.amount },
    { bucket: "available", amount: tranche.amount },
  ]);
}

/** Holds money that arrived and has no owner yet: the bank did not report the payer. */
export function holdForReview(tx: Tx, bookId: number, transactionId: string, currency: string, amount: number): void {
  tx.ledger.post({ book_id: bookId, kind: "review_hold", reference: transactionId, created_at: tx.now }, currency, [
    { bucket: "world", amount: -amount },
    { bucket: "review", amount },
  ]);
}

/** Gives money that was held for review back to its sender. */
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

/** Returns what the merchant may spend in a currency; negative where the wallet is overdrawn. */
export function availableFunds(tx: Tx, bookId: number, currency: string): number {
  const found = tx.ledger.balances(bookId).find((one) => one.currency === currency && one.bucket === "available");
  return found?.balance ?? 0;
}

/** Money that leaves the wallet, with a fee that may be 0. It can be taken back until it is confirmed. */
export interface Outflow {
  readonly bookId: number;
  /** The id of the refund or payout, without its prefix. */
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

/** Reserves an outflow. The balance of the wallet may become negative. */
export function reserveOutflow(tx: Tx, outflow: Outflow): void {
  const total = outflow.amount + outflow.fee;
  post(tx, outflow, "reserve", [
    { bucket: "available", amount: -total },
    { bucket: "clearing", amount: total },
  ]);
}

/** The reserved money has arrived at its receiver. */
export function confirmOutflow(tx: Tx, outflow: Outflow): void {
  post(tx, outflow, "confirm", [
    { bucket: "clearing", amount: -outflow.amount - outflow.fee },
    { bucket: "world", amount: outflow.amount },
    { bucket: "provider_fees", amount: outflow.fee },
  ]);
}

/** The outflow failed: all of it, the fee included, is available again. */
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

/** Holds contested money. The available balance may become negative. */
export function holdForCase(tx: Tx, bookId: number, caseId: string, currency: string, amount: number): void {
  hold(tx, bookId, caseId, currency, "hold", [
    { bucket: "available", amount: -amount },
    { bucket: "retained", amount },
  ]);
}

/** The case was decided for the merchant: the held money is available again. */
export function returnHold(tx: Tx, bookId: number, caseId: string, currency: string, amount: number): void {
  hold(tx, bookId, caseId, currency, "return", [
    { bucket: "retained", amount: -amount },
    { bucket: "available", amount },
  ]);
}

/** The case was lost: the held money goes to the payer. */
export function forfeitHold(tx: Tx, bookId: number, caseId: string, currency: string, amount: number): void {
  hold(tx, bookId, caseId, currency, "forfeit", [
    { bucket: "retained", amount: -amount },
    { bucket: "world", amount },
  ]);
}
