import { oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import { amount, currency, endToEnd, instant, key, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, pages, stateWriter } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { PIX_KEY_TYPES } from "../../../base/pix/keys.js";
import { PAYOUT_STATUSES } from "./machine.js";

const STATE = {
  status: oneOf(PAYOUT_STATUSES),
  end_to_end_id: optional(endToEnd),
  failure_reason: optional(words),
  updated_at: instant,
};

export const PAYOUT = {
  id: uuid,
  book_id: key,
  amount,
  currency,
  pix_key: words,
  pix_key_type: oneOf(PIX_KEY_TYPES),
  created_at: instant,
  ...STATE,
};
export type PayoutRow = Row<typeof PAYOUT>;

/** The amounts that the ledger must hold for a payout. */
export const PAYOUT_MONEY = {
  table: "payouts",
  journals: "payout_*",
  prefix: `'${ID_PREFIX.payout}'`,
  from: "payouts o",
  book: "o.book_id",
  owed: { wallet: "-o.amount * (o.status <> 'failed')", clearing: "o.amount * (o.status = 'pending')" },
};

export type PayoutStore = ReturnType<typeof payoutStore>;

export function payoutStore(db: Db) {
  return {
    insert: inserter(db, "payouts", PAYOUT),
    update: stateWriter(db, "payouts", "payout", STATE),
    /** Newest first. `before` is the id of the previous page's last row. */
    list: pages<PayoutRow, "book" | "status" | "before">(
      db,
      "SELECT * FROM payouts",
      { book: "book_id = ?", status: "status = ?", before: "seq < (SELECT seq FROM payouts WHERE id = ?)" },
      "seq DESC",
    ),
    inBook: getter<PayoutRow>(db, "SELECT * FROM payouts WHERE id = ? AND book_id = ?"),
  };
}
