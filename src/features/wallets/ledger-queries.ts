import { type Db, lister, searcher } from "../../db/driver.js";
import { blockReader, type ListPlace } from "../../db/list-blocks.js";
import type { Pause, Steps } from "../../db/long-read.js";
import { MONEY_OBJECTS, type MoneyObjects, PUBLIC_REFERENCE, type Summed } from "../money-objects.js";
import type { Balance, Entry } from "./entries.js";
import { comparedBy, createSums, type ExactSum, exact, isIn, rounded, type Sums, sliced } from "./ledger-objects.js";
import { ledgerOverview } from "./ledger-overview.js";

/**
 * Queries about the ledger: its journals, and the rows that it does not agree with. Sums for the check are read as text: a
 * wrong one may be larger than a number can hold exactly, and drivers differ in what they make of it.
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

/** As `sliced`, for rows that break a rule: the first `limit` of all slices, and how many there are in all. */
function slicedBroken<Row extends Broken>(db: Db, table: string, key: "id" | "seq" | "journal_id", sql: string) {
  const read = sliced<Row>(db, table, key, sql);
  return async (pause: Pause, book: number, limit: number): Promise<Row[]> => {
    const found: Row[] = [];
    let total = 0;
    const take = (rows: readonly Row[]) => {
      total += rows[0]?.total ?? 0;
      found.push(...rows.slice(0, limit - found.length));
    };
    await read(pause, book, take, limit);
    return found.map((row) => ({ ...row, total }));
  };
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

export interface StrayEntry extends Omit<PostedEntry, "amount">, Broken {
  readonly id: number;
  readonly amount: ExactSum;
}

export interface ExactBalance extends Omit<Balance, "balance"> {
  readonly balance: ExactSum;
}

const BROKEN_JOURNALS = `
  SELECT ${rounded("id")} AS id, kind, ${PUBLIC_REFERENCE} AS reference, created_at, entries, ${exact("sum")} AS sum, currency, mixed, total FROM (
    SELECT j.*, COUNT(e.id) AS entries, COALESCE(SUM(e.amount), 0) AS sum, MIN(e.currency) AS currency,
           COALESCE(MIN(e.currency) <> MAX(e.currency) OR MIN(e.book_id) <> j.book_id
                    OR MAX(e.book_id) <> j.book_id, 0) AS mixed,
           COUNT(*) OVER () AS total
      FROM ledger_journals j LEFT JOIN ledger_entries e ON e.journal_id = j.id
     WHERE +j.book_id = ? AND j.id > ? AND j.id <= ? GROUP BY j.id HAVING COUNT(e.id) = 0 OR SUM(e.amount) <> 0 OR mixed)
   ORDER BY id LIMIT ?`;

/** Each journal is looked for once, and not for each of its entries. */
const STRAY_ENTRIES = `
  SELECT ${rounded("e.id")} AS id, e.currency, e.bucket, ${exact("e.amount")} AS amount, COUNT(*) OVER () AS total FROM ledger_entries e
   WHERE e.book_id = ? AND e.journal_id IN (
     SELECT journal_id FROM ledger_entries WHERE journal_id > ? AND journal_id <= ? GROUP BY journal_id
     HAVING NOT EXISTS (SELECT 1 FROM ledger_journals WHERE id = journal_id)) ORDER BY e.id LIMIT ?`;

const STRAY_JOURNALS = `
  SELECT ${rounded("id")} AS id, kind, ${PUBLIC_REFERENCE} AS reference, created_at, COUNT(*) OVER () AS total FROM ledger_journals
   WHERE +book_id = ? AND id > ? AND id <= ? AND ${MONEY_OBJECTS.map(({ table }) => `NOT EXISTS (SELECT 1 FROM ${table} WHERE id = reference)`).join(" AND ")} ORDER BY id LIMIT ?`;

const REFUNDED_AMOUNTS = `
  SELECT ${PUBLIC_REFERENCE} AS reference, currency, ${exact("found")} AS found, ${exact("expected")} AS expected,
         COUNT(*) OVER () AS total FROM (
    SELECT t.seq, 'settlement' AS kind, t.id AS reference, t.currency, t.refunded_amount AS found,
           CASE WHEN t.paid_at IS NULL THEN 0 ELSE COALESCE(
             (SELECT SUM(amount) FROM refunds WHERE transaction_id = t.id AND status = 'REFUNDED'), 0) END AS expected
      FROM transactions t WHERE +t.book_id = ? AND t.seq > ? AND t.seq <= ?)
   WHERE found <> expected ORDER BY seq LIMIT ?`;

const ENTRY_SUMS = `
  SELECT currency, bucket, ${exact("SUM(amount)")} AS balance FROM ledger_entries
   WHERE book_id = ? AND id > ? AND id <= ? GROUP BY currency, bucket`;

/** The objects of one table whose journals moved another amount than the object says. */
function differing(objects: MoneyObjects): string {
  const names = comparedBy(objects);
  const owed = names.map((name) => `${objects.owed[name]} AS owed_${name}`).join(", ");
  const found = names.map((name) => `COALESCE(SUM(e.amount * (${isIn(name)})), 0) AS found_${name}`).join(", ");
  const both = names
    .flatMap((name) => [`owed_${name}`, `found_${name}`])
    .map((column) => `${exact(column)} AS ${column}`)
    .join(", ");
  // The plus keeps SQLite from an index by book: in the order of `seq`, nothing has to be sorted for the groups.
  return `
    SELECT ${objects.prefix} || reference AS reference, currency, ${both}, COUNT(*) OVER () AS total FROM (
      SELECT o.seq, o.id AS reference, o.currency, ${owed}, ${found}
        FROM ${objects.from} LEFT JOIN ledger_journals j ON j.reference = o.id
        LEFT JOIN ledger_entries e ON e.journal_id = j.id
       WHERE +${objects.book} = ? AND o.seq > ? AND o.seq <= ? GROUP BY o.seq
      HAVING ${names.map((name) => `owed_${name} <> found_${name}`).join(" OR ")})
     ORDER BY seq LIMIT ?`;
}

export interface JournalFilters {
  readonly book: number;
  /** The id of the object without its prefix. */
  readonly reference?: string | undefined;
  readonly currency?: string | undefined;
}

/** The ids of the journals of a page, newest first. */
function journalSteps(db: Db) {
  const inBlocks = blockReader(db);
  const ids = searcher<{ id: number }, keyof JournalFilters | "first" | "end">(
    db,
    "SELECT id FROM ledger_journals",
    {
      book: "book_id = ?",
      // Said in this way, SQLite takes the index by reference, and not the one by book, in which it would read them all.
      reference: "id IN (SELECT id FROM ledger_journals WHERE reference = ?)",
      currency: "EXISTS (SELECT 1 FROM ledger_entries WHERE journal_id = ledger_journals.id AND currency = ?)",
      first: "id >= ?",
      end: "id < ?",
    },
    "ORDER BY id DESC LIMIT ?",
  );
  return function* (filters: JournalFilters, place: ListPlace): Steps<number[]> {
    const { book, currency, reference } = filters;
    const rows = (first?: number, end?: number) => ids({ ...filters, first, end }, place.limit).map(({ id }) => id);
    if (currency === undefined || reference !== undefined) return rows(undefined, place.before);
    return yield* inBlocks({ list: "journals", book, values: [currency] }, place, rows);
  };
}

/** Returns the queries that list journals, and those that name what does not add up. */
export function ledgerQueries(db: Db) {
  const differingObjects = MONEY_OBJECTS.map((objects) =>
    slicedBroken<DifferingObject>(db, objects.table, "seq", differing(objects)),
  );
  const entrySums = sliced<ExactBalance>(db, "ledger_entries", "id", ENTRY_SUMS);
  return {
    journalSteps: journalSteps(db),
    /** Newest first, those of a JSON list of ids. */
    journalsAt: lister<ListedJournal>(
      db,
      `SELECT id, book_id, kind, ${PUBLIC_REFERENCE} AS reference, created_at FROM ledger_journals
        WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC`,
    ),
    entriesOf: lister<PostedEntry>(
      db,
      "SELECT currency, bucket, amount FROM ledger_entries WHERE journal_id = ? ORDER BY id",
    ),
    exactBalances: lister<ExactBalance>(
      db,
      `SELECT currency, bucket, ${exact("balance")} AS balance FROM ledger_balances WHERE book_id = ?`,
    ),
    overview: ledgerOverview(db),
    brokenJournals: slicedBroken<BrokenJournal>(db, "ledger_journals", "id", BROKEN_JOURNALS),
    strayEntries: slicedBroken<StrayEntry>(db, "ledger_entries", "journal_id", STRAY_ENTRIES),
    strayJournals: slicedBroken<ListedJournal & Broken>(db, "ledger_journals", "id", STRAY_JOURNALS),
    /** The sums of the entries of each bucket. */
    async entrySums(pause: Pause, book: number): Promise<Sums> {
      const sums = createSums();
      await entrySums(pause, book, (rows) => {
        for (const { currency, bucket, balance } of rows) sums.add(currency, bucket, balance);
      });
      return sums;
    },
    /** The objects that differ from their journals, for each table of objects. */
    async differingObjects(pause: Pause, book: number, limit: number): Promise<DifferingObject[][]> {
      const tables: DifferingObject[][] = [];
      for (const query of differingObjects) tables.push(await query(pause, book, limit));
      return tables;
    },
    /** Transactions whose refunds add up to another amount than the transaction says. */
    refundedAmounts: slicedBroken<Differing>(db, "transactions", "seq", REFUNDED_AMOUNTS),
  };
}
