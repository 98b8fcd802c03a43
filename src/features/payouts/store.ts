import { type Db, getter, inserter, runner, searcher } from "../../db/driver.js";
import type { PixKeyType } from "../../pix/keys.js";
import type { PayoutStatus } from "./machine.js";

export interface PayoutRow {
  readonly id: string;
  readonly book_id: number;
  readonly status: PayoutStatus;
  readonly amount: number;
  readonly currency: string;
  readonly pix_key: string;
  readonly pix_key_type: PixKeyType;
  /** Null until the payout is paid. */
  readonly end_to_end_id: string | null;
  readonly failure_reason: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export type PayoutStore = ReturnType<typeof payoutStore>;

export function payoutStore(db: Db) {
  const update = runner(
    db,
    "UPDATE payouts SET status = ?, end_to_end_id = ?, failure_reason = ?, updated_at = ? WHERE id = ? AND status = ?",
  );
  return {
    insert: inserter<PayoutRow>(db)("payouts", [
      "id",
      "book_id",
      "status",
      "amount",
      "currency",
      "pix_key",
      "pix_key_type",
      "end_to_end_id",
      "failure_reason",
      "created_at",
      "updated_at",
    ]),
    /**
     * Writes a new state over the expected one. Another state in the row is a fault of the program, never of the
     * caller.
     */
    update(next: PayoutRow, expected: PayoutStatus): void {
      const { status, end_to_end_id, failure_reason, updated_at, id } = next;
      if (update(status, end_to_end_id, failure_reason, updated_at, id, expected) !== 1) {
        throw new Error(`payout ${id} is not ${expected} any more`);
      }
    },
    /** Newest first. `before` is the id of the last row of the page before. */
    search: searcher<PayoutRow, "book" | "status" | "before">(
      db,
      "SELECT * FROM payouts",
      { book: "book_id = ?", status: "status = ?", before: "seq < (SELECT seq FROM payouts WHERE id = ?)" },
      "ORDER BY seq DESC LIMIT ?",
    ),
    inBook: getter<PayoutRow>(db, "SELECT * FROM payouts WHERE id = ? AND book_id = ?"),
  };
}
