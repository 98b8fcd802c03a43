import { type Db, getter, lister, pages } from "../../../base/db/driver.js";
import { type MoneyObjects, SUMMED, type Summed } from "../money-objects.js";
import type { Balance, Entry } from "./entries.js";
import {
  createSums,
  type ExactSum,
  exact,
  isIn,
  namesToCompare,
  publicReference,
  roundedSql,
  type Sums,
} from "./ledger-objects.js";

/**
 * Queries about the ledger: its journals, and the rows that contradict it. Sums for the check are read as text: a wrong
 * one may exceed the exact range of a number, and drivers differ in handling it.
 */

export interface ListedJournal {
  readonly id: number;
  readonly book_id: number;
  readonly kind: string;
  /** With its prefix. */
  readonly reference: string;
  readonly created_at: number;
}

export interface PostedEntry extends Entry {
  readonly currency: string;
}

/** Queries for rows that break a rule. Each returns the first such rows, and in each row `total`, the number of all. */
export interface Broken {
  readonly total: number;
}

export interface BrokenJournal extends ListedJournal, Broken {
  readonly entries: number;
  readonly sum: ExactSum;
  readonly currency: string | null;
  /** 1 for entries of several currencies, or of another book than the journal's. */
  readonly mixed: number;
}

export interface Differing extends Broken {
  readonly reference: string;
  readonly currency: string;
  readonly expected: ExactSum;
  readonly found: ExactSum;
}

export type DifferingObject = Omit<Differing, "expected" | "found"> & {
  readonly [Name in `owed_${Summed}` | `found_${Summed}`]?: ExactSum;
};

type OwedSums = { readonly currency: string } & { readonly [Name in Summed]?: ExactSum };

export interface StrayEntry extends Omit<PostedEntry, "amount">, Broken {
  readonly id: number;
  readonly amount: ExactSum;
}

export interface ExactBalance extends Omit<Balance, "balance"> {
  readonly balance: ExactSum;
}

const brokenJournals = (reference: string) => `
  SELECT ${roundedSql("id")} AS id, kind, ${reference} AS reference, created_at, entries, ${exact("sum")} AS sum, currency, mixed, total FROM (
    SELECT j.*, COUNT(e.id) AS entries, COALESCE(SUM(e.amount), 0) AS sum, MIN(e.currency) AS currency,
           COALESCE(MIN(e.currency) <> MAX(e.currency) OR MIN(e.book_id) <> j.book_id
                    OR MAX(e.book_id) <> j.book_id, 0) AS mixed,
           COUNT(*) OVER () AS total
      FROM ledger_journals j LEFT JOIN ledger_entries e ON e.journal_id = j.id
     WHERE j.book_id = ? GROUP BY j.id HAVING COUNT(e.id) = 0 OR SUM(e.amount) <> 0 OR mixed)
   ORDER BY id LIMIT ?`;

const STRAY_ENTRIES = `
  SELECT ${roundedSql("e.id")} AS id, e.currency, e.bucket, ${exact("e.amount")} AS amount, COUNT(*) OVER () AS total FROM ledger_entries e
   WHERE e.book_id = ? AND NOT EXISTS (SELECT 1 FROM ledger_journals WHERE id = e.journal_id) ORDER BY e.id LIMIT ?`;

const strayJournals = (reference: string, money: readonly MoneyObjects[]) => `
  SELECT ${roundedSql("id")} AS id, kind, ${reference} AS reference, created_at, COUNT(*) OVER () AS total FROM ledger_journals
   WHERE book_id = ? AND ${money.map(({ table }) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE id = reference)`).join(" AND ")} ORDER BY id LIMIT ?`;

const refundedAmounts = (reference: string) => `
  SELECT ${reference} AS reference, currency, ${exact("found")} AS found, ${exact("expected")} AS expected,
         COUNT(*) OVER () AS total FROM (
    SELECT t.seq, 'settlement' AS kind, t.id AS reference, t.currency, t.refunded_amount AS found,
           CASE WHEN t.paid_at IS NULL THEN 0 ELSE COALESCE(
             (SELECT SUM(amount) FROM refunds WHERE transaction_id = t.id AND status = 'REFUNDED'), 0) END AS expected
      FROM transactions t WHERE +t.book_id = ?)
   WHERE found <> expected ORDER BY seq LIMIT ?`;

const ENTRY_SUMS = `
  SELECT currency, bucket, ${exact("SUM(amount)")} AS balance FROM ledger_entries
   WHERE book_id = ? GROUP BY currency, bucket`;

const UNRELEASED = `
  SELECT currency, ${exact("SUM(amount)")} AS pending FROM tranches
   WHERE book_id = ? AND released_at IS NULL GROUP BY currency`;

const SIZES = `
  SELECT (SELECT COUNT(*) FROM ledger_journals WHERE book_id = book.id) AS journals,
         (SELECT COUNT(*) FROM ledger_entries WHERE book_id = book.id) AS entries
    FROM (SELECT ? AS id) book`;

/** The amounts that the objects of one table owe, in each currency. */
function owedQuery(objects: MoneyObjects): string {
  const sums = namesToCompare(objects).map((name) => `${exact(`SUM(${objects.owed[name]})`)} AS ${name}`);
  return `SELECT o.currency, ${sums.join(", ")} FROM ${objects.from} WHERE +${objects.book} = ? GROUP BY o.currency`;
}

/** The objects of one table whose journals moved a different amount. */
function differingQuery(objects: MoneyObjects): string {
  const names = namesToCompare(objects);
  const owed = names.map((name) => `${objects.owed[name]} AS owed_${name}`).join(", ");
  const found = names.map((name) => `COALESCE(SUM(e.amount * (${isIn(name)})), 0) AS found_${name}`).join(", ");
  const both = names
    .flatMap((name) => [`owed_${name}`, `found_${name}`])
    .map((column) => `${exact(column)} AS ${column}`)
    .join(", ");
  // The plus keeps SQLite from an index by book: in the order of `seq`, the groups need no sorting.
  return `
    SELECT ${objects.prefix} || reference AS reference, currency, ${both}, COUNT(*) OVER () AS total FROM (
      SELECT o.seq, o.id AS reference, o.currency, ${owed}, ${found}
        FROM ${objects.from} LEFT JOIN ledger_journals j ON j.reference = o.id
        LEFT JOIN ledger_entries e ON e.journal_id = j.id
       WHERE +${objects.book} = ? GROUP BY o.seq
      HAVING ${names.map((name) => `owed_${name} <> found_${name}`).join(" OR ")})
     ORDER BY seq LIMIT ?`;
}

interface JournalFilters {
  readonly book: number;
  /** The id of the object without its prefix. */
  readonly reference?: string | undefined;
  readonly currency?: string | undefined;
  /** The id of the previous page's last journal. */
  readonly before?: number | undefined;
}

const journals = (reference: string) =>
  `SELECT id, book_id, kind, ${reference} AS reference, created_at FROM ledger_journals`;

const JOURNAL_FILTERS: Readonly<Record<keyof JournalFilters, string>> = {
  book: "book_id = ?",
  // This form makes SQLite use the index by reference, and not the one by book, in which it would read all rows.
  reference: "id IN (SELECT id FROM ledger_journals WHERE reference = ?)",
  currency: "EXISTS (SELECT 1 FROM ledger_entries WHERE journal_id = ledger_journals.id AND currency = ?)",
  before: "id < ?",
};

/** Returns the queries that list journals, and those that find problems. */
export function ledgerQueries(db: Db, money: readonly MoneyObjects[]) {
  const reference = publicReference(money);
  const all = journals(reference);
  const sumsOfEntries = lister<ExactBalance>(db, ENTRY_SUMS);
  const owedSums = money.map((objects) => lister<OwedSums>(db, owedQuery(objects)));
  const unreleased = lister<{ currency: string; pending: ExactSum }>(db, UNRELEASED);
  const differingObjects = money.map((objects) => lister<DifferingObject>(db, differingQuery(objects)));
  return {
    journal: getter<ListedJournal>(db, `${all} WHERE id = ?`),
    /** Newest first. */
    journals: pages<ListedJournal, keyof JournalFilters>(db, all, JOURNAL_FILTERS, "id DESC"),
    entriesOf: lister<PostedEntry>(
      db,
      "SELECT currency, bucket, amount FROM ledger_entries WHERE journal_id = ? ORDER BY id",
    ),
    exactBalances: lister<ExactBalance>(
      db,
      `SELECT currency, bucket, ${exact("balance")} AS balance FROM ledger_balances WHERE book_id = ?`,
    ),
    sizes: getter<{ journals: number; entries: number }>(db, SIZES),
    /** The amounts that all objects owe, by the names of `Summed`; `pending` waits for its release. */
    owedSums(book: number): Sums {
      const sums = createSums();
      for (const row of owedSums.flatMap((query) => query(book)))
        for (const name of SUMMED) sums.add(row.currency, name, row[name] ?? 0);
      for (const row of unreleased(book)) sums.add(row.currency, "pending", row.pending);
      return sums;
    },
    brokenJournals: lister<BrokenJournal>(db, brokenJournals(reference)),
    strayEntries: lister<StrayEntry>(db, STRAY_ENTRIES),
    strayJournals: lister<ListedJournal & Broken>(db, strayJournals(reference, money)),
    /** The sums of the entries of each bucket. */
    entrySums(book: number): Sums {
      const sums = createSums();
      for (const { currency, bucket, balance } of sumsOfEntries(book)) sums.add(currency, bucket, balance);
      return sums;
    },
    /** The objects that differ from their journals, for each table of objects. */
    differingObjects: (book: number, limit: number) => differingObjects.map((query) => query(book, limit)),
    /** Transactions with an amount that differs from the sum of their refunds. */
    refundedAmounts: lister<Differing>(db, refundedAmounts(reference)),
  };
}
