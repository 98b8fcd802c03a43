import type { TransactionRow } from "../features/transactions/store.js";
import type { Stores } from "../features/tx.js";
import { rawId } from "../kernel/ids.js";
import { isSameText } from "../kernel/same-text.js";

/** Returns the transaction of a page, by the bare uuid in its address. */
export function transactionAt(stores: Stores, id: string | undefined): TransactionRow | null {
  const raw = rawId(id ?? "", "");
  return raw === null ? null : stores.transactions.anywhere(raw);
}

/** Returns the transaction of a page that needs the checkout token; null without the right token. */
export function openedBy(stores: Stores, id: string | undefined, token: string | null): TransactionRow | null {
  const row = transactionAt(stores, id);
  return row !== null && token !== null && isSameText(token, row.checkout_token) ? row : null;
}
