import { type Db, getter, inserter, lister, runner, searcher } from "../../db/driver.js";
import type { RefundStatus } from "./machine.js";

export type RefundStrategy = "devolution" | "cashout";

export interface RefundRow {
  readonly id: string;
  readonly transaction_id: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: RefundStatus;
  readonly reason: string | null;
  /** How a Pix goes back: a return by end-to-end id, or a new Pix. Null for a card. */
  readonly strategy: RefundStrategy | null;
  /** The Pix key that a cashout is sent to. */
  readonly destination_key: string | null;
  /** What the merchant pays for a cashout besides the amount, in the smallest unit. */
  readonly fee: number;
  readonly failure_reason: string | null;
  /** `D…` of a return, `E…` of a cashout; null until the money is sent. */
  readonly end_to_end_id: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export type RefundStore = ReturnType<typeof refundStore>;

export function refundStore(db: Db) {
  const update = runner(
    db,
    "UPDATE refunds SET status = ?, end_to_end_id = ?, failure_reason = ?, updated_at = ? WHERE id = ? AND status = ?",
  );
  const taken = getter<{ amount: number }>(
    db,
    "SELECT COALESCE(SUM(amount), 0) AS amount FROM refunds WHERE transaction_id = ? AND status <> 'FAILED'",
  );
  return {
    insert: inserter<RefundRow>(db)("refunds", [
      "id",
      "transaction_id",
      "amount",
      "currency",
      "status",
      "reason",
      "strategy",
      "destination_key",
      "fee",
      "failure_reason",
      "end_to_end_id",
      "created_at",
      "updated_at",
    ]),
    /**
     * Writes a new state over the expected one. Another state in the row is a fault of the program, never of the
     * caller.
     */
    update(next: RefundRow, expected: RefundStatus): void {
      const { status, end_to_end_id, failure_reason, updated_at, id } = next;
      if (update(status, end_to_end_id, failure_reason, updated_at, id, expected) !== 1) {
        throw new Error(`refund ${id} is not ${expected} any more`);
      }
    },
    anywhere: getter<RefundRow>(db, "SELECT * FROM refunds WHERE id = ?"),
    inBook: getter<RefundRow>(
      db,
      `SELECT r.* FROM refunds r JOIN transactions t ON t.id = r.transaction_id WHERE r.id = ? AND t.book_id = ?`,
    ),
    /** Newest first. `before` is the id of the last row of the page before. */
    search: searcher<RefundRow, "book" | "status" | "transaction" | "before">(
      db,
      // CROSS JOIN reads the refunds first, in their order, so that a page costs no more than its rows.
      "SELECT r.* FROM refunds r CROSS JOIN transactions t ON t.id = r.transaction_id",
      {
        book: "t.book_id = ?",
        status: "r.status = ?",
        transaction: "r.transaction_id = ?",
        before: "r.seq < (SELECT seq FROM refunds WHERE id = ?)",
      },
      "ORDER BY r.seq DESC LIMIT ?",
    ),
    /** Newest first. */
    ofTransaction: lister<RefundRow>(db, "SELECT * FROM refunds WHERE transaction_id = ? ORDER BY seq DESC"),
    /** The sum of all refunds of a transaction that have not failed, done or not. */
    taken: (transactionId: string): number => taken(transactionId)?.amount ?? 0,
  };
}
