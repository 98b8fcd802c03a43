import { notFound } from "../../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import type { Stores } from "../../tx.js";
import type { TransactionRow } from "../store.js";

/** A charge of the caller's book by `ch_<uuid>` or the bare uuid; a transaction without Pix is no charge. */
export function findCharge(stores: Stores, bookId: number, id: string): TransactionRow {
  return found(stores, bookId, rawId(id, ID_PREFIX.charge, ""));
}

/** The same by any id the service hands out for it: the simulators take `tx_<uuid>` too. */
export function findChargeByAnyId(stores: Stores, bookId: number, id: string): TransactionRow {
  return found(stores, bookId, rawId(id, ID_PREFIX.charge, ID_PREFIX.transaction, ""));
}

function found(stores: Stores, bookId: number, raw: string | null): TransactionRow {
  const row = raw === null ? null : stores.transactions.inBook(raw, bookId);
  if (!row?.payment_methods.includes(",PIX,")) throw notFound("charge");
  return row;
}
