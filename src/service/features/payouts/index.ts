import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { payoutMachine } from "./machine.js";
import * as sandboxPayouts from "./operations/sandbox-payouts.js";
import { Payout, WithdrawalEventData } from "./resource.js";
import { payoutSearch } from "./search.js";
import { PAYOUT, PAYOUT_MONEY, type PayoutStore, payoutStore } from "./store.js";
import { payoutTimeline } from "./timeline.js";

declare module "../tx.js" {
  interface Stores {
    readonly payouts: PayoutStore;
  }
}

/** Money on its way out. The service has no route for payouts: the simulator creates them. */
export const payouts = noun({
  tables: { payouts: { seq: key, ...PAYOUT } },
  stores: { payouts: payoutStore },
  machines: [payoutMachine],
  operations: [
    sandboxPayouts.sandboxPayouts,
    sandboxPayouts.sandboxPayout,
    sandboxPayouts.sandboxCreatePayout,
    sandboxPayouts.sandboxPayPayout,
    sandboxPayouts.sandboxFailPayout,
  ],
  events: { payout: Payout, withdrawal: WithdrawalEventData },
  timeline: [payoutTimeline],
  search: [payoutSearch],
  money: [PAYOUT_MONEY],
});
