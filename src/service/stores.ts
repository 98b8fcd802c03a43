import type { Db } from "../db/driver.js";
import { accountStore } from "../features/access/store.js";
import { userStore } from "../features/access/user-store.js";
import { historyStore } from "../features/history/store.js";
import { idempotencyStore } from "../features/idempotency.js";
import { medStore } from "../features/med/store.js";
import { noticeStore } from "../features/notices/store.js";
import { payoutStore } from "../features/payouts/store.js";
import { refundStore } from "../features/refunds/store.js";
import { searchStore } from "../features/search/store.js";
import { transactionStore } from "../features/transactions/store.js";
import type { Stores } from "../features/tx.js";
import { ledgerStore } from "../features/wallets/store.js";
import { webhookStore } from "../features/webhooks/store.js";
import { jobStore } from "../jobs/store.js";

export function createStores(db: Db): Stores {
  return {
    accounts: accountStore(db),
    history: historyStore(db),
    idempotency: idempotencyStore(db),
    jobs: jobStore(db),
    ledger: ledgerStore(db),
    med: medStore(db),
    notices: noticeStore(db),
    payouts: payoutStore(db),
    refunds: refundStore(db),
    search: searchStore(db),
    transactions: transactionStore(db),
    users: userStore(db),
    webhooks: webhookStore(db),
  };
}
