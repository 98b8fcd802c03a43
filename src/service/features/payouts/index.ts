import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { payoutSearch } from "./search.js";
import { PAYOUT, PAYOUT_MONEY, type PayoutStore, payoutStore } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly payouts: PayoutStore;
  }
}

/** Money on its way out. The service has no route for payouts: the simulator creates them. */
export const payouts = noun({
  tables: { payouts: { seq: key, ...PAYOUT } },
  stores: { payouts: payoutStore },
  search: [payoutSearch],
  money: [PAYOUT_MONEY],
});
