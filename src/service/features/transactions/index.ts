import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { DAILY_FIGURES, PAYMENT_TIMES } from "./figure-store.js";
import { transactionJobs } from "./jobs.js";
import { transactionSearch } from "./search.js";
import { TRANSACTION, TRANSACTION_MONEY, type TransactionStore, transactionStore } from "./store.js";

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
  jobs: transactionJobs,
  search: [transactionSearch],
  money: [TRANSACTION_MONEY],
});
