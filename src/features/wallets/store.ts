import { type Db, getter, inserter, lister, runner } from "../../db/driver.js";
import type { Balance, Entry } from "./entries.js";
import { ledgerQueries } from "./ledger-queries.js";

export type { Bucket, Entry } from "./entries.js";

export interface NewJournal {
  readonly book_id: number;
  readonly kind: string;
  /** The id of the transaction, refund, payout or MED case, without its prefix. */
  readonly reference: string;
  /** The `seq` in the history of the change that moved the money. */
  readonly history_seq: number;
  readonly created_at: number;
}

export interface JournalRow extends NewJournal {
  readonly id: number;
}

export interface TrancheRow {
  readonly id: number;
  readonly book_id: number;
  readonly transaction_id: string;
  readonly currency: string;
  readonly amount: number;
  readonly release_at: number;
  readonly released_at: number | null;
}

export type LedgerStore = ReturnType<typeof ledgerStore>;

export function ledgerStore(db: Db) {
  const insertJournal = inserter<NewJournal>(db)("ledger_journals", [
    "book_id",
    "kind",
    "reference",
    "history_seq",
    "created_at",
  ]);
  const insertEntry = inserter<Entry & { journal_id: number; book_id: number; currency: string }>(db)(
    "ledger_entries",
    ["journal_id", "book_id", "currency", "bucket", "amount"],
  );
  return {
    ...ledgerQueries(db),
    /**
     * Appends one journal and returns its id. Entries of zero are left out. Throws, and writes nothing, when the entries
     * do not sum to zero.
     */
    post(journal: NewJournal, currency: string, entries: readonly Entry[]): number {
      const moving = entries.filter((entry) => entry.amount !== 0);
      const sum = moving.reduce((total, entry) => total + entry.amount, 0);
      if (sum !== 0) throw new Error(`unbalanced ${journal.kind} journal: the entries sum to ${sum}`);
      const journalId = insertJournal(journal);
      for (const entry of moving) insertEntry({ ...entry, journal_id: journalId, book_id: journal.book_id, currency });
      return journalId;
    },
    /** The journals of an object, oldest first. */
    journalsOf: lister<JournalRow>(db, "SELECT * FROM ledger_journals WHERE reference = ? ORDER BY id"),
    balances: lister<Balance>(db, "SELECT currency, bucket, balance FROM ledger_balances WHERE book_id = ?"),
    insertTranche: inserter<Omit<TrancheRow, "id" | "released_at">>(db)("tranches", [
      "book_id",
      "transaction_id",
      "currency",
      "amount",
      "release_at",
    ]),
    /** Tranches that are not released yet, of the transactions in a JSON list of ids. */
    tranchesOf: lister<Pick<TrancheRow, "id">>(
      db,
      "SELECT id FROM tranches WHERE transaction_id IN (SELECT value FROM json_each(?)) AND released_at IS NULL",
    ),
    tranche: getter<TrancheRow>(db, "SELECT * FROM tranches WHERE id = ?"),
    release: runner(db, "UPDATE tranches SET released_at = ? WHERE id = ? AND released_at IS NULL"),
    /** The next release of a currency. Tranches of the same instant are released together. */
    nextRelease: getter<{ release_at: number; amount: number }>(
      db,
      `SELECT release_at, SUM(amount) AS amount FROM tranches
        WHERE book_id = ? AND currency = ? AND released_at IS NULL
        GROUP BY release_at ORDER BY release_at LIMIT 1`,
    ),
  };
}
