import { oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import { amount, currency, endToEnd, instant, part, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, pages, stateWriter } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { REFUND_STATUSES, REFUND_STRATEGIES } from "./machine.js";

const STATE = {
  status: oneOf(REFUND_STATUSES),
  failure_reason: optional(words),
  /** `D…` of a return, `E…` of a cashout; null until the money is sent. */
  end_to_end_id: optional(endToEnd),
  updated_at: instant,
};

export const REFUND = {
  id: uuid,
  transaction_id: uuid,
  amount,
  currency,
  reason: optional(words),
  /** The way to return a Pix: a return by end-to-end id, or a new Pix. Null for a card. */
  strategy: optional(oneOf(REFUND_STRATEGIES)),
  /** The Pix key that receives a cashout. */
  destination_key: optional(words),
  /** The merchant's fee for a cashout besides the amount, in the smallest unit. */
  fee: part,
  created_at: instant,
  ...STATE,
};
export type RefundRow = Row<typeof REFUND>;

/** The amounts that the ledger must hold for a refund; none for the return of a payment never credited. */
export const REFUND_MONEY = {
  table: "refunds",
  journals: "refund_*",
  prefix: `'${ID_PREFIX.refund}'`,
  from: "refunds o JOIN transactions t ON t.id = o.transaction_id",
  book: "t.book_id",
  owed: {
    wallet: "-(o.amount + o.fee) * (t.paid_at IS NOT NULL AND o.status <> 'FAILED')",
    clearing: "(o.amount + o.fee) * (t.paid_at IS NOT NULL AND o.status IN ('PENDING', 'IN_PROGRESS'))",
    provider_fees: "o.fee * (t.paid_at IS NOT NULL AND o.status = 'REFUNDED')",
  },
};

/** The return of a Pix in full, without a request. */
type NewReturn = Pick<RefundRow, "id" | "transaction_id" | "amount" | "currency" | "reason" | "end_to_end_id">;

export type RefundStore = ReturnType<typeof refundStore>;

/** Returns the statements about refunds. A failed refund does not reduce the remaining amount. */
export function refundStore(db: Db) {
  const insert = inserter(db, "refunds", REFUND);
  const taken = getter<{ amount: number }>(
    db,
    "SELECT COALESCE(SUM(amount), 0) AS amount FROM refunds WHERE transaction_id = ? AND status <> 'FAILED'",
  );
  return {
    insert,
    /** The refund of a Pix whose money was never credited is done at once. */
    insertReturn(given: NewReturn, now: number): RefundRow {
      const done = { status: "REFUNDED", strategy: "devolution", failure_reason: null } as const;
      const row: RefundRow = { ...given, ...done, destination_key: null, fee: 0, created_at: now, updated_at: now };
      insert(row);
      return row;
    },
    update: stateWriter(db, "refunds", "refund", STATE),
    anywhere: getter<RefundRow>(db, "SELECT * FROM refunds WHERE id = ?"),
    inBook: getter<RefundRow>(
      db,
      `SELECT r.* FROM refunds r JOIN transactions t ON t.id = r.transaction_id WHERE r.id = ? AND t.book_id = ?`,
    ),
    /** Newest first. `before` is the id of the previous page's last row. */
    list: pages<RefundRow, "book" | "status" | "transaction" | "before">(
      db,
      // CROSS JOIN reads the refunds first, in their order, so that a page costs no more than its rows.
      "SELECT r.* FROM refunds r CROSS JOIN transactions t ON t.id = r.transaction_id",
      {
        book: "t.book_id = ?",
        status: "r.status = ?",
        transaction: "r.transaction_id = ?",
        before: "r.seq < (SELECT seq FROM refunds WHERE id = ?)",
      },
      "r.seq DESC",
    ),
    ofTransaction: lister<RefundRow>(db, "SELECT * FROM refunds WHERE transaction_id = ? ORDER BY seq DESC"),
    /** The sum of all refunds of a transaction that have not failed, done or not. */
    sumTaken: (transactionId: string): number => taken(transactionId)?.amount ?? 0,
  };
}
