import type { Db } from "../../base/db/driver.js";
import { accessSearch } from "./access/search.js";
import { emailSearch } from "./emails/search.js";
import { medSearch } from "./med/search.js";
import { payoutSearch } from "./payouts/search.js";
import { refundSearch } from "./refunds/search.js";
import type { Searchable } from "./searchable.js";
import { transactionSearch } from "./transactions/search.js";
import { webhookSearch } from "./webhooks/search.js";

export type SearchStore = ReturnType<typeof searchStore>;

/** What the search looks through. */
export function searchStore(db: Db) {
  const payments = transactionSearch(db);
  const others = [refundSearch, payoutSearch, medSearch, emailSearch, webhookSearch, accessSearch].map((of) => of(db));
  /** Payments are too many for their texts to be looked through at once. */
  const all: readonly Searchable[] = [payments, ...others];
  return { payments, all };
}
