import { IllegalTransition, transition } from "../../../base/kernel/machine.js";
import { splitFees } from "../../../base/kernel/money.js";
import { newEndToEndId } from "../../../base/pix/ids.js";
import { resolvesPixKey } from "../../../base/pix/keys.js";
import { recordMove } from "../history/actions.js";
import { refundAdvanced } from "../transactions/actions.js";
import type { TransactionRow } from "../transactions/store.js";
import type { Tx } from "../tx.js";
import { confirmOutflow, type Outflow, releaseOutflow, reserveOutflow } from "../wallets/actions.js";
import type { EventName } from "../webhooks/catalogue.js";
import { type RefundMove, type RefundStatus, refundMachine } from "./machine.js";
import { type RefundRequest, refundPlan } from "./rules.js";
import type { RefundRow } from "./store.js";

/** Every change of a refund (docs/service/refunds.md#steps, docs/service/refunds.md#creating-a-refund). */

interface RefundChange {
  readonly emits: readonly EventName[];
  readonly history: number;
}

function outflowOf(bookId: number, refund: RefundRow, history: number): Outflow {
  const { id, currency, amount, fee } = refund;
  return { bookId, reference: id, kind: "refund", currency, amount, fee, history };
}

/** Returns the fee of a cashout of `amount`, for a merchant who pays it. */
function cashoutFee(tx: Tx, amount: number): number {
  const fee = tx.settings.fees.PIX_OUT;
  if (fee === undefined) return 0;
  const { providerFee, platformFee } = splitFees(amount, fee.provider, fee.platform);
  return providerFee + platformFee;
}

/**
 * Accepts a refund of a settled transaction and reserves its amount.
 *
 * @throws ApiError as docs/service/refunds.md#creating-a-refund and docs/decisions/017-refunds.md say.
 */
export function acceptRefund(tx: Tx, row: TransactionRow, request: RefundRequest): RefundRow {
  const plan = refundPlan(row, request, tx.refunds.sumTaken(row.id), tx.now);
  const returnId = () => newEndToEndId("D", tx);
  const refund: RefundRow = {
    id: tx.ids.next(),
    transaction_id: row.id,
    amount: plan.amount,
    currency: row.currency,
    status: refundMachine.initial.state,
    reason: request.reason ?? null,
    strategy: plan.strategy,
    destination_key: plan.destinationKey,
    fee: plan.strategy === "cashout" && request.passFeeToTenant === true ? cashoutFee(tx, plan.amount) : 0,
    failure_reason: null,
    end_to_end_id: plan.strategy === "devolution" ? returnId() : null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  tx.refunds.insert(refund);
  const history = recordMove(tx, "refund", { ...refund, book_id: row.book_id }, { move: "create", from: null });
  reserveOutflow(tx, outflowOf(row.book_id, refund, history));
  advanceTransaction(tx, row, refund, { emits: refundMachine.initial.emits, history });
  advanceLater(tx, refund, row.book_id, history);
  return refund;
}

/** Passes every step to the transaction. The amount of a refund counts once it is REFUNDED. */
function advanceTransaction(tx: Tx, row: TransactionRow, refund: RefundRow, step: RefundChange): void {
  const refunded = refund.status === "REFUNDED" ? refund.amount : 0;
  refundAdvanced(tx, row, { refund, refunded, ...step });
}

function advanceLater(tx: Tx, { id, status }: RefundRow, bookId: number, history: number): void {
  tx.schedule("refund.advance", id, { at: tx.now + tx.settings.refundDelayMs, bookId, history }, { from: status });
}

/** True if a refund can arrive. A cashout to a Pix key that nobody owns always fails. */
export function canArrive({ strategy, destination_key }: RefundRow): boolean {
  return strategy !== "cashout" || (destination_key !== null && resolvesPixKey(destination_key));
}

/** Takes one step of the state machine: the money, the row and the events. */
function step(tx: Tx, refund: RefundRow, name: RefundMove, failureReason: string | null = null): RefundRow {
  const { to, emits } = transition(refundMachine, refund.status, name);
  const sent = name === "start" && refund.strategy === "cashout" && canArrive(refund);
  const next: RefundRow = {
    ...refund,
    status: to,
    failure_reason: failureReason,
    end_to_end_id: sent ? newEndToEndId("E", tx) : refund.end_to_end_id,
    updated_at: tx.now,
  };
  tx.refunds.update(next, refund.status);
  const row = tx.transactions.anywhere(refund.transaction_id);
  if (row === null) throw new Error(`refund ${refund.id} is of no transaction`);
  const bookId = row.book_id;
  const history = recordMove(tx, "refund", { ...next, book_id: bookId }, { move: name, from: refund.status });
  if (name === "complete") confirmOutflow(tx, outflowOf(bookId, next, history));
  if (name === "fail") releaseOutflow(tx, outflowOf(bookId, next, history));
  advanceTransaction(tx, row, next, { emits, history });
  if (name === "start") advanceLater(tx, next, bookId, history);
  return next;
}

/**
 * The acquirer reports progress. A refund in PENDING takes both steps to the end.
 *
 * @throws IllegalTransition when the refund has already passed that status, or cannot arrive.
 */
export function advanceRefund(tx: Tx, refund: RefundRow, to: Exclude<RefundStatus, "PENDING">): RefundRow {
  if (to === "IN_PROGRESS") return step(tx, refund, "start");
  if (to === "REFUNDED" && !canArrive(refund)) throw new IllegalTransition("refund", "key not found", "complete");
  const started = refund.status === "PENDING" ? step(tx, refund, "start") : refund;
  return to === "REFUNDED" ? step(tx, started, "complete") : step(tx, started, "fail", "refused_by_bank");
}

/** Job `refund.advance`: takes the next step, unless a simulator has taken it already. */
export function advanceRefundWhenDue(tx: Tx, refundId: string, from: RefundStatus): void {
  const refund = tx.refunds.anywhere(refundId);
  if (refund === null || refund.status !== from) return;
  if (from === "PENDING") step(tx, refund, "start");
  else if (canArrive(refund)) step(tx, refund, "complete");
  else step(tx, refund, "fail", "pix_key_not_found");
}
