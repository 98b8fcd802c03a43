import type { TransactionRow } from "../features/transactions/store.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { statusNow } from "./outcome.js";

/**
 * Returns the address to which a cardholder goes back: `metadata.returnUrl` (docs/service/payments.md#hosted-pages),
 * with the id and the status of the transaction added to its query. Null when there is none, or none that a browser may
 * open.
 */
export function returnHref(row: TransactionRow, now: number): string | null {
  const { returnUrl } = JSON.parse(row.metadata) as { returnUrl?: unknown };
  if (typeof returnUrl !== "string" || !URL.canParse(returnUrl)) return null;
  const url = new URL(returnUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const statusQuery = `transaction_id=${ID_PREFIX.transaction}${row.id}&status=${statusNow(row, now)}`;
  // The parameters are added as text: URLSearchParams would write the merchant's own parameters in another form.
  url.search = url.search === "" ? statusQuery : `${url.search}&${statusQuery}`;
  return url.href;
}
