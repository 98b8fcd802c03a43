import { type Db, getter, lister } from "../../../base/db/driver.js";
import { type MoneyObjects, SUMMED, type Summed } from "../money-objects.js";
import { comparedBy, createSums, type ExactSum, exact, isIn, type Sums } from "./ledger-objects.js";

/**
 * The whole ledger in two passes: from the objects over their journals to the entries, and from the entries to their journals.
 * Where it finds nothing odd, all adds up, and the sums of the entries are those of the objects. Otherwise the queries that name
 * each odd row have to look (ledger-queries.ts).
 */

/** The sums of the objects of one currency, and what was seen of their entries. */
type Seen = {
  readonly currency: string;
  readonly entries: number;
  /** The part of `wallet` that is in the bucket `pending`. */
  readonly pending: ExactSum;
  /** How many objects do not agree with their entries. */
  readonly odd: number;
} & { readonly [Name in Summed]: ExactSum };

/** Whether an object of another table has the id too: then a journal would be seen twice. */
function isTwice({ table }: MoneyObjects, money: readonly MoneyObjects[]): string {
  const others = money.filter((other) => other.table !== table);
  return others.map((other) => `EXISTS (SELECT 1 FROM ${other.table} WHERE id = o.id)`).join(" OR ");
}

/**
 * The objects of one table, each compared with all of its entries. An object is odd also when an entry is of another currency or
 * book, or in a bucket that it never has: so the sums of its entries follow from its amounts.
 */
function seenFrom(objects: MoneyObjects, money: readonly MoneyObjects[]): string {
  const names = comparedBy(objects);
  const others = SUMMED.filter((name) => !names.includes(name));
  const odd = [
    ...names.map((name) => `owed_${name} <> COALESCE(found_${name}, 0)`),
    ...["strange", "is_refunded_wrong", "is_twice"],
  ].join(" OR ");
  return `
    SELECT currency, SUM(entries) AS entries, ${exact("COALESCE(SUM(pending), 0)")} AS pending, SUM(${odd}) AS odd,
           ${SUMMED.map((name) => `${names.includes(name) ? exact(`SUM(owed_${name})`) : "'0'"} AS ${name}`).join(", ")} FROM (
      SELECT o.currency, COUNT(e.id) AS entries, SUM(e.amount) FILTER (WHERE e.bucket = 'pending') AS pending,
             COUNT(*) FILTER (WHERE e.currency <> o.currency OR e.book_id <> ${objects.book}
                                 OR e.bucket IN (${others.map((name) => `'${name}'`).join(", ")})) AS strange,
             ${names.map((name) => `${objects.owed[name]} AS owed_${name}, SUM(e.amount) FILTER (WHERE ${isIn(name)}) AS found_${name}`).join(", ")},
             ${objects.isRefundedWrong ?? "0"} AS is_refunded_wrong, ${objects.journals === undefined ? "0" : isTwice(objects, money)} AS is_twice
        FROM ${objects.from} LEFT JOIN ledger_journals j ON j.reference = o.id
        LEFT JOIN ledger_entries e ON e.journal_id = j.id
       WHERE +${objects.book} = ? AND ${objects.some ?? "1"} GROUP BY o.seq)
     GROUP BY currency`;
}

/** Entries by their journal. Odd are those that do not sum to zero, and those without a journal in their book. */
const SEEN_ENTRIES = `
  SELECT COUNT(*) AS journals, COALESCE(SUM(entries), 0) AS entries, COALESCE(SUM(odd), 0) AS odd FROM (
    SELECT COUNT(*) AS entries, SUM(amount) <> 0 OR NOT EXISTS (
             SELECT 1 FROM ledger_journals j WHERE j.id = e.journal_id AND j.book_id = e.book_id) AS odd
      FROM ledger_entries e WHERE +book_id = ? GROUP BY journal_id)`;

const UNRELEASED = `
  SELECT currency, ${exact("SUM(amount)")} AS pending FROM tranches
   WHERE book_id = ? AND released_at IS NULL GROUP BY currency`;

const JOURNALS = "SELECT COUNT(*) AS count FROM ledger_journals WHERE book_id = ?";

export interface Overview {
  /** What the objects owe, by the names of `Summed`, and as `pending` what waits for its release. */
  readonly owed: Sums;
  /** What the entries hold, by bucket; null when something is odd. */
  readonly entrySums: Sums | null;
  readonly journals: number;
  readonly entries: number;
}

/** The sums of the entries that those of the objects stand for. */
function entriesOf(owed: Sums, pending: Sums): Sums {
  const sums = createSums();
  for (const currency of owed.currencies()) {
    for (const name of SUMMED) {
      sums.add(currency, name === "wallet" ? "available" : name, owed.of(currency, name));
      sums.add(currency, "world", -owed.of(currency, name));
    }
    sums.add(currency, "available", -pending.of(currency, "pending"));
    sums.add(currency, "pending", pending.of(currency, "pending"));
  }
  return sums;
}

/** Returns what reads the whole ledger of a book. Its `entrySums` are null when something is odd, and must be counted then. */
export function ledgerOverview(db: Db, money: readonly MoneyObjects[]) {
  const tables = money.map((objects) => lister<Seen>(db, seenFrom(objects, money)));
  const byJournal = getter<Record<"journals" | "entries" | "odd", number>>(db, SEEN_ENTRIES);
  const unreleased = lister<Pick<Seen, "currency" | "pending">>(db, UNRELEASED);
  const countJournals = getter<{ count: number }>(db, JOURNALS);
  return (book: number): Overview => {
    const [owed, pending] = [createSums(), createSums()];
    const rows = tables.flatMap((read) => read(book));
    for (const row of rows) {
      pending.add(row.currency, "pending", row.pending);
      for (const name of SUMMED) owed.add(row.currency, name, row[name]);
    }
    const found = byJournal(book) ?? { journals: 0, entries: 0, odd: 0 };
    const journals = countJournals(book)?.count ?? 0;
    const odd = rows.reduce((sum, row) => sum + row.odd, found.odd);
    const seen = rows.reduce((sum, row) => sum + row.entries, 0);
    const isSound = odd === 0 && seen === found.entries && found.journals === journals;
    const entrySums = isSound ? entriesOf(owed, pending) : null;
    for (const row of unreleased(book)) owed.add(row.currency, "pending", row.pending);
    return { owed, entrySums, journals, entries: found.entries };
  };
}
