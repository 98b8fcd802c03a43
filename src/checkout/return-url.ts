import type { TransactionRow } from "../features/transactions/store.js";
import { ID_PREFIX } from "../kernel/ids.js";
import { statusNow } from "./outcome.js";

/**
 * Where a cardholder goes back to: `metadata.returnUrl` (contract, section 4.6) with the transaction's id and status
 * appended to its own query. Null when the merchant named none, or nothing that a browser may be sent to.
 */
export function returnHref(row: TransactionRow, now: number): string | null {
  const { returnUrl } = JSON.parse(row.metadata) as { returnUrl?: unknown };
  if (typeof returnUrl !== "string" || !URL.canParse(returnUrl)) return null;
  const url = new URL(returnUrl);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const told = `transaction_id=${ID_PREFIX.transaction}${row.id}&status=${statusNow(row, now)}`;
  // As text: URLSearchParams would write the merchant's own parameters anew.
  url.search = url.search === "" ? told : `${url.search}&${told}`;
  return url.href;
}
