import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { refundJobs } from "./jobs.js";
import { refundSearch } from "./search.js";
import { REFUND, REFUND_MONEY, type RefundStore, refundStore } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly refunds: RefundStore;
  }
}

/** Money of a payment on its way back to the payer. */
export const refunds = noun({
  tables: { refunds: { seq: key, ...REFUND } },
  stores: { refunds: refundStore },
  jobs: refundJobs,
  search: [refundSearch],
  money: [REFUND_MONEY],
});
