import { fieldError } from "../../../base/kernel/errors.js";
import { transition } from "../../../base/kernel/machine.js";
import { formatMoney } from "../../../base/kernel/money.js";
import { newEndToEndId } from "../../../base/pix/ids.js";
import type { PixKeyType } from "../../../base/pix/keys.js";
import { recordMove } from "../history/actions.js";
import type { Tx } from "../tx.js";
import { availableFunds, confirmOutflow, type Outflow, releaseOutflow, reserveOutflow } from "../wallets/actions.js";
import { publish } from "../webhooks/actions.js";
import { type EventName, familyOf } from "../webhooks/catalogue.js";
import { type PayoutMove, type PayoutStatus, payoutMachine } from "./machine.js";
import { toPayout, withdrawalData } from "./resource.js";
import type { PayoutRow } from "./store.js";

/** Every change of a payout. The service has no route for payouts: the simulator creates them. */

export interface PayoutRequest {
  readonly amount: number;
  readonly currency: string;
  readonly pixKey: string;
  readonly pixKeyType: PixKeyType;
  /** False if the wallet must not become negative; by default it may. */
  readonly overdraw?: boolean | undefined;
}

function outflowOf({ book_id, id, currency, amount }: PayoutRow, history: number): Outflow {
  return { bookId: book_id, reference: id, kind: "payout", currency, amount, fee: 0, history };
}

interface PayoutStep {
  readonly emits: readonly EventName[];
  readonly previous: PayoutStatus | null;
  readonly history: number;
}

function emitEvents(tx: Tx, row: PayoutRow, { emits, previous, history }: PayoutStep): void {
  for (const type of emits) {
    const object = familyOf(type) === "canonical" ? toPayout(row) : withdrawalData(row, previous, tx.now);
    publish(tx, { bookId: row.book_id, type, subject: row.id, data: JSON.stringify(object), history });
  }
}

/** Throws ApiError when a payout exceeds the available money of the wallet. */
function requireFunds(tx: Tx, bookId: number, { amount, currency }: PayoutRequest): void {
  const available = availableFunds(tx, bookId, currency);
  if (amount <= available) return;
  const [wanted, there] = [amount, available].map((value) => formatMoney(value, currency));
  throw fieldError("overdraw", `must be true for a payout of ${wanted}: ${there} available`, "unprocessable_entity");
}

/** Requests a payout: its amount leaves the wallet at once. Throws ApiError for an overdraft that is not allowed. */
export function requestPayout(tx: Tx, bookId: number, request: PayoutRequest): PayoutRow {
  if (request.overdraw === false) requireFunds(tx, bookId, request);
  const row: PayoutRow = {
    id: tx.ids.next(),
    book_id: bookId,
    status: payoutMachine.initial.state,
    amount: request.amount,
    currency: request.currency,
    pix_key: request.pixKey,
    pix_key_type: request.pixKeyType,
    end_to_end_id: null,
    failure_reason: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  tx.payouts.insert(row);
  const history = recordMove(tx, "payout", row, { move: "create", from: null });
  reserveOutflow(tx, outflowOf(row, history));
  emitEvents(tx, row, { emits: payoutMachine.initial.emits, previous: null, history });
  return row;
}

function move(tx: Tx, row: PayoutRow, name: PayoutMove, change: Partial<PayoutRow>) {
  const { to, emits } = transition(payoutMachine, row.status, name);
  const next: PayoutRow = { ...row, ...change, status: to, updated_at: tx.now };
  tx.payouts.update(next, row.status);
  const history = recordMove(tx, "payout", next, { move: name, from: row.status });
  emitEvents(tx, next, { emits, previous: row.status, history });
  return { row: next, history };
}

/** The bank has paid the payout. Throws IllegalTransition when the payout is not pending. */
export function payPayout(tx: Tx, row: PayoutRow): PayoutRow {
  const end_to_end_id = newEndToEndId("E", tx);
  const paid = move(tx, row, "pay", { end_to_end_id });
  confirmOutflow(tx, outflowOf(row, paid.history));
  return paid.row;
}

/** The payout failed, and its money is back in the wallet. Throws IllegalTransition when the payout is not pending. */
export function failPayout(tx: Tx, row: PayoutRow, reason: string): PayoutRow {
  const failed = move(tx, row, "fail", { failure_reason: reason });
  releaseOutflow(tx, outflowOf(row, failed.history));
  return failed.row;
}
