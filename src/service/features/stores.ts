import type { Db } from "../../base/db/driver.js";
import { accountStore } from "./access/store.js";
import { userStore } from "./access/user-store.js";
import { emailStore } from "./emails/store.js";
import { historyStore } from "./history/store.js";
import { idempotencyStore } from "./idempotency.js";
import { jobStore } from "./jobs/store.js";
import { medStore } from "./med/store.js";
import { payoutStore } from "./payouts/store.js";
import { refundStore } from "./refunds/store.js";
import { searchStore } from "./searched.js";
import { transactionStore } from "./transactions/store.js";
import { ledgerStore } from "./wallets/store.js";
import { webhookStore } from "./webhooks/store.js";

export type Stores = ReturnType<typeof createStores>;

/** The stores read again what they remember of rows: a transaction was undone, or the contents were replaced. */
export function forgetRows({ accounts, history, webhooks }: Pick<Stores, "accounts" | "history" | "webhooks">): void {
  accounts.forget();
  history.forget();
  webhooks.forget();
}

export function createStores(db: Db) {
  return {
    accounts: accountStore(db),
    history: historyStore(db),
    idempotency: idempotencyStore(db),
    jobs: jobStore(db),
    ledger: ledgerStore(db),
    med: medStore(db),
    emails: emailStore(db),
    payouts: payoutStore(db),
    refunds: refundStore(db),
    search: searchStore(db),
    transactions: transactionStore(db),
    users: userStore(db),
    webhooks: webhookStore(db),
  };
}
