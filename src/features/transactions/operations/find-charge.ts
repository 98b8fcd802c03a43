import { notFound } from "../../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import type { Stores } from "../../tx.js";
import { hasMethod } from "../catalogue.js";
import type { TransactionRow } from "../store.js";

/** Returns a charge of the caller's book by `ch_<uuid>` or the bare uuid. A transaction without Pix is no charge. */
export function findCharge(stores: Stores, bookId: number, id: string): TransactionRow {
  const raw = rawId(id, ID_PREFIX.charge, "");
  const row = raw === null ? null : stores.transactions.inBook(raw, bookId);
  if (row === null || !hasMethod(row, "PIX")) throw notFound("charge", id);
  return row;
}
