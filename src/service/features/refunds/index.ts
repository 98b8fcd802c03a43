import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { RefundedEventData } from "./events.js";
import { refundJobs } from "./jobs.js";
import { refundMachine } from "./machine.js";
import * as refundOperations from "./operations/refunds.js";
import * as sandboxRefunds from "./operations/sandbox-refunds.js";
import { refundSearch } from "./search.js";
import { REFUND, REFUND_MONEY, type RefundStore, refundStore } from "./store.js";
import { refundTimeline } from "./timeline.js";

declare module "../tx.js" {
  interface Stores {
    readonly refunds: RefundStore;
  }
}

/** Money of a payment on its way back to the payer. */
export const refunds = noun({
  tables: { refunds: { seq: key, ...REFUND } },
  stores: { refunds: refundStore },
  machines: [refundMachine],
  operations: [
    refundOperations.createRefund,
    refundOperations.listRefunds,
    sandboxRefunds.sandboxRefunds,
    sandboxRefunds.sandboxRefund,
    sandboxRefunds.sandboxAdvanceRefund,
  ],
  events: { "payment.refunded": RefundedEventData },
  jobs: refundJobs,
  timeline: [refundTimeline],
  search: [refundSearch],
  money: [REFUND_MONEY],
});
