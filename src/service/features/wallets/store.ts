import { oneOf, optional, type Row, refersTo } from "../../../base/db/columns/rule.js";
import { book, currency, dueAt, instant, key, part, sum, uuid } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, runner } from "../../../base/db/driver.js";
import { MAX_SUM } from "../../../base/kernel/money.js";
import type { MoneyObjects } from "../money-objects.js";
import { type Balance, BUCKETS, type Bucket, type Entry, JOURNAL_KINDS } from "./entries.js";
import { ledgerQueries } from "./ledger-queries.js";

export type { Bucket, Entry } from "./entries.js";

export const JOURNAL = {
  book_id: key,
  kind: oneOf(JOURNAL_KINDS),
  /** The id of the transaction, refund, payout or MED case, without its prefix. */
  reference: uuid,
  /** The `seq` in the history of the change that moved the money. */
  history_seq: key,
  created_at: instant,
};
export type NewJournal = Row<typeof JOURNAL>;
export type JournalRow = NewJournal & { readonly id: number };

export const ENTRY = { journal_id: key, book_id: book, currency, bucket: oneOf(BUCKETS), amount: sum };

const NEW_TRANCHE = {
  book_id: book,
  transaction_id: refersTo<string>("transactions", "id"),
  currency,
  amount: part,
  release_at: dueAt,
};
export const TRANCHE = { id: key, ...NEW_TRANCHE, released_at: optional(instant) };
type TrancheRow = Row<typeof TRANCHE>;

/**
 * The money that may still arrive in a book until the sum that it has received, paid or held for review, exceeds
 * `MAX_SUM`. Payments of every currency count, because the statistics of a method add them up.
 */
const ROOM = `
  SELECT MAX(0, ${MAX_SUM}
    - (SELECT COALESCE(SUM(gross), 0) FROM daily_figures WHERE book_id = ? AND method <> '')
    - (SELECT COALESCE(SUM(balance), 0) FROM ledger_balances WHERE book_id = ? AND bucket = 'review')) AS room`;

/** The maximum of books whose room is kept in memory. */
const MOST_BOOKS = 10_000;

function arrivals(db: Db) {
  const room = getter<{ room: number }>(db, ROOM);
  /** A lower bound of the room, by book. The sum over all days is read only when this is used up. */
  const known = new Map<number, number>();
  return {
    /**
     * Takes the room for an amount that arrives, and returns true if there is enough. The room of a unit of work that
     * is undone is found again when the rest is used up.
     */
    takeRoom(book: number, amount: number): boolean {
      let left = known.get(book) ?? 0;
      if (left < amount) left = room(book, book)?.room ?? 0;
      if (left < amount) return false;
      if (known.size >= MOST_BOOKS) known.clear();
      known.set(book, left - amount);
      return true;
    },
    /** The database has other contents now. */
    forgetRoom: () => known.clear(),
  };
}

export type LedgerStore = ReturnType<typeof ledgerStore>;

/** Returns the statements about the ledger. Journals are only added: the database refuses to change one. */
export function ledgerStore(db: Db, money: readonly MoneyObjects[]) {
  const insertJournal = inserter(db, "ledger_journals", JOURNAL);
  const insertEntry = inserter(db, "ledger_entries", ENTRY);
  return {
    ...ledgerQueries(db, money),
    ...arrivals(db),
    /** Appends one journal and returns its id. Entries of zero are left out. Throws when they do not sum to zero. */
    post(journal: NewJournal, currency: string, entries: readonly Entry[]): number {
      const moving = entries.filter((entry) => entry.amount !== 0);
      const sum = moving.reduce((total, entry) => total + entry.amount, 0);
      if (sum !== 0) throw new Error(`unbalanced ${journal.kind} journal: the entries sum to ${sum}`);
      const journalId = insertJournal(journal);
      for (const entry of moving) insertEntry({ journal_id: journalId, book_id: journal.book_id, currency, ...entry });
      return journalId;
    },
    journalsOf: lister<JournalRow>(db, "SELECT * FROM ledger_journals WHERE reference = ? ORDER BY id"),
    balances: lister<Balance>(db, "SELECT currency, bucket, balance FROM ledger_balances WHERE book_id = ?"),
    /** The buckets of a currency that exceed `MAX_SUM`, or its negative. */
    beyondSum: lister<{ bucket: Bucket }>(
      db,
      `SELECT bucket FROM ledger_balances WHERE book_id = ? AND currency = ? AND ABS(balance) > ${MAX_SUM}`,
    ),
    insertTranche: inserter(db, "tranches", NEW_TRANCHE),
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
