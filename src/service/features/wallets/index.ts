import { oneOf } from "../../../base/db/columns/rule.js";
import { book, currency, key, sum } from "../../../base/db/columns/values.js";
import type { Db } from "../../../base/db/driver.js";
import { type BroughtByAll, noun } from "../noun.js";
import { BUCKETS } from "./entries.js";
import { walletJobs } from "./jobs.js";
import * as sandboxLedger from "./operations/sandbox-ledger.js";
import * as walletOperations from "./operations/wallets.js";
import { ENTRY, JOURNAL, type LedgerStore, ledgerStore, TRANCHE } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly ledger: LedgerStore;
  }
}

/** Balances, and the ledger in which all money moves. */
export const wallets = noun({
  tables: {
    ledger_journals: { id: key, ...JOURNAL },
    ledger_entries: { id: key, ...ENTRY },
    ledger_balances: { book_id: book, currency, bucket: oneOf(BUCKETS), balance: sum },
    tranches: TRANCHE,
  },
  stores: { ledger: (db: Db, { money }: BroughtByAll) => ledgerStore(db, money) },
  operations: [
    walletOperations.walletsBalance,
    walletOperations.walletsList,
    sandboxLedger.ledgerJournals,
    sandboxLedger.ledgerBalances,
    sandboxLedger.ledgerCheck,
  ],
  jobs: walletJobs,
});
