import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { Charge } from "./charge-resource.js";
import { PaymentEventData } from "./events.js";
import { DAILY_FIGURES, PAYMENT_TIMES } from "./figure-store.js";
import { transactionJobs } from "./jobs.js";
import { transactionMachine } from "./machine.js";
import * as charges from "./operations/charges.js";
import * as payments from "./operations/payments.js";
import * as sandboxCharges from "./operations/sandbox-charges.js";
import * as statistics from "./operations/statistics.js";
import { transactionSearch } from "./search.js";
import { TRANSACTION, TRANSACTION_MONEY, type TransactionStore, transactionStore } from "./store.js";
import { transactionTimeline } from "./timeline.js";

declare module "../tx.js" {
  interface Stores {
    readonly transactions: TransactionStore;
  }
}

/** Charges and payments: one kind of object, which a payer pays. */
export const transactions = noun({
  tables: {
    transactions: { seq: key, ...TRANSACTION },
    daily_figures: { ...DAILY_FIGURES, status: TRANSACTION.status },
    payment_times: PAYMENT_TIMES,
  },
  stores: { transactions: transactionStore },
  machines: [transactionMachine],
  operations: [
    charges.createChargeOperation,
    charges.createPixCharge,
    charges.getCharge,
    charges.listCharges,
    payments.createPayment,
    payments.listPayments,
    statistics.paymentStats,
    statistics.paymentMetrics,
    payments.getPayment,
    payments.cancelPayment,
    payments.resendPaymentWebhook,
    payments.providerStatus,
    payments.paymentReceipt,
    sandboxCharges.sandboxPay,
    sandboxCharges.sandboxFail,
    sandboxCharges.sandboxExpire,
    sandboxCharges.sandboxReview,
  ],
  events: { charge: Charge, payment: PaymentEventData },
  jobs: transactionJobs,
  timeline: [transactionTimeline],
  search: [transactionSearch],
  money: [TRANSACTION_MONEY],
});
