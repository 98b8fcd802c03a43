import { ApiError } from "../../../base/kernel/errors.js";
import { type FeeSplit, MAX_SUM } from "../../../base/kernel/money.js";
import { record } from "../history/actions.js";
import type { Tx } from "../tx.js";
import type { JournalKind } from "./entries.js";
import type { Bucket, Entry } from "./store.js";

/** All movements of money. Each is one balanced journal. A balance changes in no other way. */

/** Money of one object, and the change that moves it. */
export interface HeldMoney {
  readonly bookId: number;
  /** The id of the transaction or MED case, without its prefix. */
  readonly reference: string;
  readonly currency: string;
  readonly amount: number;
  /** The `seq` in the history of the change that moves the money. */
  readonly history: number;
}

export interface Settlement extends HeldMoney {
  readonly fees: FeeSplit;
  /** The source of the money: outside the service, or a review. */
  readonly from: Extract<Bucket, "world" | "review">;
}

/** Credits a settled transaction: to `available` at once, or to `pending` with a tranche that is released later. */
export function settle(tx: Tx, settlement: Settlement): void {
  const { bookId, reference, currency, amount, fees, history } = settlement;
  const hold = tx.settings.settlementHoldMs;
  post(tx, settlement, "settlement", [
    { bucket: settlement.from, amount: -amount },
    { bucket: "provider_fees", amount: fees.providerFee },
    { bucket: "platform_fees", amount: fees.platformFee },
    { bucket: hold === 0 ? "available" : "pending", amount: fees.netAmount },
  ]);
  if (hold === 0 || fees.netAmount === 0) return;
  const releaseAt = tx.now + hold;
  const tranche = tx.ledger.insertTranche({
    book_id: bookId,
    transaction_id: reference,
    currency,
    amount: fees.netAmount,
    release_at: releaseAt,
  });
  tx.schedule("wallet.release", String(tranche), { at: releaseAt, bookId, history });
}

/** Job `wallet.release`: the money of a tranche becomes available. */
export function releaseTranche(tx: Tx, trancheId: string): void {
  const tranche = tx.ledger.tranche(Number(trancheId));
  if (tranche === null || tx.ledger.release(tx.now, tranche.id) === 0) return;
  const { book_id, transaction_id, currency } = tranche;
  const history = record(tx, { book_id, noun: "transaction", subject: transaction_id, move: "release" });
  post(tx, { bookId: book_id, reference: transaction_id, currency, history }, "release", [
    { bucket: "pending", amount: -tranche.amount },
    { bucket: "available", amount: tranche.amount },
  ]);
}

/** The moves of money that waits for a decision, each with its old and its new bucket. */
const HELD_MOVES = {
  /** Money without an owner yet: the bank did not report the payer. */
  review_hold: ["world", "review"],
  /** It returns to its sender. */
  review_return: ["review", "world"],
  /** A MED case contests the money. The available balance may become negative. */
  med_hold: ["available", "retained"],
  /** The case was decided for the merchant. */
  med_return: ["retained", "available"],
  /** The case was lost: the held money goes to the payer. */
  med_forfeit: ["retained", "world"],
} as const satisfies Partial<Record<JournalKind, readonly [Bucket, Bucket]>>;

export function moveHeld(tx: Tx, kind: keyof typeof HELD_MOVES, money: HeldMoney): void {
  const [from, to] = HELD_MOVES[kind];
  post(tx, money, kind, [
    { bucket: from, amount: -money.amount },
    { bucket: to, amount: money.amount },
  ]);
}

/** Returns the money that the merchant may spend in a currency; negative if the wallet is overdrawn. */
export function availableFunds(tx: Tx, bookId: number, currency: string): number {
  const found = tx.ledger.balances(bookId).find((one) => one.currency === currency && one.bucket === "available");
  return found?.balance ?? 0;
}

/** Money that leaves the wallet for a refund or payout. It can be returned until it is confirmed. */
export interface Outflow extends HeldMoney {
  readonly kind: "refund" | "payout";
  /** May be 0. */
  readonly fee: number;
}

export function sumTooLarge(what: string): ApiError {
  const next = "Use another account or mode, or reset the emulator.";
  return new ApiError("unprocessable_entity", {
    message: `${what} would be more than ${MAX_SUM} in the smallest unit, the largest sum that is counted exactly. ${next}`,
  });
}

/** Throws ApiError when a balance would exceed the largest sum. */
function post(tx: Tx, about: Omit<HeldMoney, "amount">, kind: JournalKind, entries: readonly Entry[]): void {
  const { bookId, reference, currency, history } = about;
  const journal = { book_id: bookId, kind, reference, history_seq: history, created_at: tx.now };
  const id = tx.ledger.post(journal, currency, entries);
  const [beyond] = tx.ledger.beyondSum(bookId, currency);
  if (beyond !== undefined) throw sumTooLarge(`The amount in ${beyond.bucket}`);
  tx.notify.journal(id);
}

/** Reserves an outflow. The balance of the wallet may become negative. */
export function reserveOutflow(tx: Tx, outflow: Outflow): void {
  const total = outflow.amount + outflow.fee;
  post(tx, outflow, `${outflow.kind}_reserve`, [
    { bucket: "available", amount: -total },
    { bucket: "clearing", amount: total },
  ]);
}

export function confirmOutflow(tx: Tx, outflow: Outflow): void {
  post(tx, outflow, `${outflow.kind}_confirm`, [
    { bucket: "clearing", amount: -outflow.amount - outflow.fee },
    { bucket: "world", amount: outflow.amount },
    { bucket: "provider_fees", amount: outflow.fee },
  ]);
}

/** The outflow failed: all of it, the fee included, is available again. */
export function releaseOutflow(tx: Tx, outflow: Outflow): void {
  const total = outflow.amount + outflow.fee;
  post(tx, outflow, `${outflow.kind}_release`, [
    { bucket: "clearing", amount: -total },
    { bucket: "available", amount: total },
  ]);
}
