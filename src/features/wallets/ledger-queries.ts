import { type Db, rareLister, searcher } from "../../db/driver.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import type { Balance, Entry } from "./entries.js";

/** Queries about the ledger: its journals, and the rows that it does not agree with. */

/**
 * The public id of a journal's object, from the columns `kind` and `reference`. A transaction with Pix is a charge, any
 * other is a payment.
 */
const PUBLIC_REFERENCE = `CASE
    WHEN kind GLOB 'refund_*' THEN '${ID_PREFIX.refund}'
    WHEN kind GLOB 'payout_*' THEN '${ID_PREFIX.payout}'
    WHEN kind GLOB 'med_*' THEN '${ID_PREFIX.medCase}'
    WHEN EXISTS (SELECT 1 FROM transactions WHERE id = reference AND instr(payment_methods, ',PIX,') = 0)
      THEN '${ID_PREFIX.transaction}'
    ELSE '${ID_PREFIX.charge}' END || reference`;

export interface JournalRow {
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

/** The sums that an object is checked by. `wallet` is `available` and `pending` together. */
export const SUMMED = ["wallet", "review", "clearing", "retained", "provider_fees", "platform_fees"] as const;
export type Summed = (typeof SUMMED)[number];

const FOUND_IN: Readonly<Record<Summed, string>> = {
  wallet: "e.bucket IN ('available', 'pending')",
  review: "e.bucket = 'review'",
  clearing: "e.bucket = 'clearing'",
  retained: "e.bucket = 'retained'",
  provider_fees: "e.bucket = 'provider_fees'",
  platform_fees: "e.bucket = 'platform_fees'",
};

/** A table of objects, with SQL for the amounts that the ledger must hold for each object. */
interface Objects {
  /** The kind of the journals that belong to these objects. */
  readonly kind: string;
  readonly from: string;
  readonly book: string;
  /** A condition that leaves out objects without an amount, where it is faster than computing the amounts. */
  readonly some?: string;
  /** SQL for each amount; an amount that is missing is zero. */
  readonly owed: Partial<Readonly<Record<Summed, string>>>;
}

const OBJECTS: readonly Objects[] = [
  {
    kind: "settlement",
    from: "transactions o",
    book: "o.book_id",
    some: "(o.paid_at IS NOT NULL OR o.held_at IS NOT NULL)",
    owed: {
      wallet: "(o.amount - o.provider_fee - o.platform_fee) * (o.paid_at IS NOT NULL)",
      review: "o.amount * (o.status = 'PROCESSING' AND o.held_at IS NOT NULL)",
      provider_fees: "o.provider_fee * (o.paid_at IS NOT NULL)",
      platform_fees: "o.platform_fee * (o.paid_at IS NOT NULL)",
    },
  },
  {
    kind: "refund_reserve",
    // The return of a payment that was never credited moves nothing in the ledger.
    from: "refunds o JOIN transactions t ON t.id = o.transaction_id",
    book: "t.book_id",
    owed: {
      wallet: "-(o.amount + o.fee) * (t.paid_at IS NOT NULL AND o.status <> 'FAILED')",
      clearing: "(o.amount + o.fee) * (t.paid_at IS NOT NULL AND o.status IN ('PENDING', 'IN_PROGRESS'))",
      provider_fees: "o.fee * (t.paid_at IS NOT NULL AND o.status = 'REFUNDED')",
    },
  },
  {
    kind: "payout_reserve",
    from: "payouts o",
    book: "o.book_id",
    owed: { wallet: "-o.amount * (o.status <> 'failed')", clearing: "o.amount * (o.status = 'pending')" },
  },
  {
    kind: "med_hold",
    from: "med_cases o",
    book: "o.book_id",
    owed: {
      wallet: "-o.held * (COALESCE(o.money_outcome, '') <> 'refunded_to_merchant')",
      retained: "o.held * (o.money_outcome IS NULL)",
    },
  },
];

/** Queries for rows that break a rule. Each returns the first such rows, and in each row `total`, the number of all. */
interface Broken {
  readonly total: number;
}

export interface BrokenJournal extends JournalRow, Broken {
  readonly entries: number;
  readonly sum: number;
  readonly currency: string | null;
  /** 1 for entries of several currencies, or of another book than the journal's. */
  readonly mixed: number;
}

/** A row that differs from the journals of its object. */
export interface Differing extends Broken {
  readonly reference: string;
  readonly currency: string;
  readonly expected: number;
  readonly found: number;
}

export type DifferingObject = Omit<Differing, "expected" | "found"> & {
  readonly [Name in `owed_${Summed}` | `found_${Summed}`]?: number;
};

export interface StrayEntry extends PostedEntry, Broken {
  readonly id: number;
}

/** The amounts that the ledger must hold for all objects of a book, and for its money that waits for release. */
export type Owed = { readonly currency: string; readonly pending: number } & { readonly [Name in Summed]: number };

const BROKEN_JOURNALS = `
  SELECT id, kind, ${PUBLIC_REFERENCE} AS reference, created_at, entries, sum, currency, mixed, total FROM (
    SELECT j.*, COUNT(e.id) AS entries, COALESCE(SUM(e.amount), 0) AS sum, MIN(e.currency) AS currency,
           COALESCE(MIN(e.currency) <> MAX(e.currency) OR MIN(e.book_id) <> j.book_id
                    OR MAX(e.book_id) <> j.book_id, 0) AS mixed,
           COUNT(*) OVER () AS total
      FROM ledger_journals j LEFT JOIN ledger_entries e ON e.journal_id = j.id
     WHERE j.book_id = ? GROUP BY j.id HAVING COUNT(e.id) = 0 OR SUM(e.amount) <> 0 OR mixed)
   ORDER BY id LIMIT ?`;

const STRAY_ENTRIES = `
  SELECT e.id, e.currency, e.bucket, e.amount, COUNT(*) OVER () AS total FROM ledger_entries e
   WHERE e.book_id = ? AND NOT EXISTS (SELECT 1 FROM ledger_journals WHERE id = e.journal_id) ORDER BY e.id LIMIT ?`;

const STRAY_JOURNALS = `
  SELECT id, kind, ${PUBLIC_REFERENCE} AS reference, created_at, COUNT(*) OVER () AS total FROM ledger_journals
   WHERE book_id = ? AND NOT EXISTS (SELECT 1 FROM transactions WHERE id = reference)
     AND NOT EXISTS (SELECT 1 FROM refunds WHERE id = reference)
     AND NOT EXISTS (SELECT 1 FROM payouts WHERE id = reference)
     AND NOT EXISTS (SELECT 1 FROM med_cases WHERE id = reference) ORDER BY id LIMIT ?`;

const REFUNDED_AMOUNTS = `
  WITH done AS MATERIALIZED (
    SELECT transaction_id, SUM(amount) AS amount FROM refunds WHERE status = 'REFUNDED' GROUP BY transaction_id),
  told AS (
    SELECT id FROM transactions WHERE +book_id = ? AND refunded_amount <> 0 UNION SELECT transaction_id FROM done)
  SELECT ${PUBLIC_REFERENCE} AS reference, currency, found, expected, COUNT(*) OVER () AS total FROM (
    SELECT t.seq, 'settlement' AS kind, t.id AS reference, t.currency, t.refunded_amount AS found,
           CASE WHEN t.paid_at IS NULL THEN 0 ELSE COALESCE(done.amount, 0) END AS expected
      FROM told JOIN transactions t ON t.id = told.id LEFT JOIN done ON done.transaction_id = t.id
     WHERE +t.book_id = ?)
   WHERE found <> expected ORDER BY seq LIMIT ?`;

const owedAs = ({ owed }: Objects) => SUMMED.map((name) => `${owed[name] ?? "0"} AS owed_${name}`).join(", ");

/**
 * The amounts that the ledger must hold, by currency, computed from the objects alone. Takes the book once for each
 * table.
 */
const OWED = `
  SELECT currency, SUM(pending) AS pending, ${SUMMED.map((name) => `SUM(owed_${name}) AS ${name}`).join(", ")} FROM (
    ${OBJECTS.map((objects) => `SELECT o.currency, 0 AS pending, ${owedAs(objects)} FROM ${objects.from} WHERE +${objects.book} = ? AND ${objects.some ?? "1"}`).join(" UNION ALL ")}
    UNION ALL SELECT currency, amount, ${SUMMED.map(() => "0").join(", ")} FROM tranches
     WHERE book_id = ? AND released_at IS NULL)
   GROUP BY currency`;

/** The sums that the objects of a table are compared by. */
const comparedBy = ({ owed }: Objects) => SUMMED.filter((name) => owed[name] !== undefined);

/** The objects of one table whose journals moved another amount than the object says. */
function differing(objects: Objects): string {
  const names = comparedBy(objects);
  const owed = names.map((name) => `${objects.owed[name]} AS owed_${name}`).join(", ");
  const found = names.map((name) => `COALESCE(SUM(e.amount * (${FOUND_IN[name]})), 0) AS found_${name}`).join(", ");
  const both = names.map((name) => `owed_${name}, found_${name}`).join(", ");
  // The plus keeps SQLite from an index by book: in the order of `seq`, nothing has to be sorted for the groups.
  return `
    SELECT ${PUBLIC_REFERENCE} AS reference, currency, ${both}, COUNT(*) OVER () AS total FROM (
      SELECT o.seq, '${objects.kind}' AS kind, o.id AS reference, o.currency, ${owed}, ${found}
        FROM ${objects.from} LEFT JOIN ledger_journals j ON j.reference = o.id
        LEFT JOIN ledger_entries e ON e.journal_id = j.id
       WHERE +${objects.book} = ? GROUP BY o.seq
      HAVING ${names.map((name) => `owed_${name} <> found_${name}`).join(" OR ")})
     ORDER BY seq LIMIT ?`;
}

export function ledgerQueries(db: Db) {
  const owed = rareLister<Owed>(db, OWED);
  const differingObjects = OBJECTS.map((objects) => rareLister<DifferingObject>(db, differing(objects)));
  const refunded = rareLister<Differing>(db, REFUNDED_AMOUNTS);
  const counts = rareLister<{ journals: number; entries: number }>(
    db,
    `SELECT (SELECT COUNT(*) FROM ledger_journals WHERE book_id = ?) AS journals,
            (SELECT COUNT(*) FROM ledger_entries WHERE book_id = ?) AS entries`,
  );
  return {
    /** Newest first. `reference` is the id of the object without its prefix. */
    journals: searcher<JournalRow, "id" | "book" | "before" | "reference" | "currency">(
      db,
      `SELECT id, book_id, kind, ${PUBLIC_REFERENCE} AS reference, created_at FROM ledger_journals`,
      {
        id: "id = ?",
        book: "book_id = ?",
        before: "id < ?",
        reference: "reference = ?",
        currency: "EXISTS (SELECT 1 FROM ledger_entries WHERE journal_id = ledger_journals.id AND currency = ?)",
      },
      "ORDER BY id DESC LIMIT ?",
    ),
    entriesOf: rareLister<PostedEntry>(
      db,
      "SELECT currency, bucket, amount FROM ledger_entries WHERE journal_id = ? ORDER BY id",
    ),
    journalsAndEntries: (book: number) => counts(book, book)[0] ?? { journals: 0, entries: 0 },
    brokenJournals: rareLister<BrokenJournal>(db, BROKEN_JOURNALS),
    strayEntries: rareLister<StrayEntry>(db, STRAY_ENTRIES),
    strayJournals: rareLister<JournalRow & Broken>(db, STRAY_JOURNALS),
    /** The sum of the entries of each bucket. */
    entrySums: rareLister<Balance>(
      db,
      `SELECT currency, bucket, SUM(amount) AS balance FROM ledger_entries WHERE book_id = ? GROUP BY currency, bucket`,
    ),
    owed: (book: number) => owed(...OBJECTS.map(() => book), book),
    differingObjects: (book: number, limit: number) => differingObjects.map((query) => query(book, limit)),
    /** Transactions whose refunds add up to another amount than the transaction says. */
    refundedAmounts: (book: number, limit: number) => refunded(book, book, limit),
  };
}
