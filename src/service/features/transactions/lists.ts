import { type Db, pages, type SqlValue, searcher } from "../../../base/db/driver.js";
import { saoPauloDay, saoPauloMidnight } from "../../../base/kernel/time.js";
import { type PaymentMethod, packMethods } from "./catalogue.js";
import type { TransactionStatus } from "./machine.js";

/** The payments of a list, page by page, and their number. */

export interface ListFilters {
  readonly book: number;
  readonly status?: TransactionStatus | undefined;
  /** Inclusive bounds on the instant of creation. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The document of the customer without punctuation. */
  readonly taxId?: string | undefined;
  /** One of the methods that the payer may choose from. */
  readonly method?: PaymentMethod | undefined;
  /** The `seq` of a payment, newest first: only those after it. */
  readonly after?: number | undefined;
}

const CONDITIONS: Readonly<Record<keyof ListFilters, string>> = {
  book: "book_id = ?",
  status: "status = ?",
  from: "created_at >= ?",
  to: "created_at <= ?",
  taxId: "customer_tax_id = ?",
  method: "instr(payment_methods, ?) > 0",
  after: "(created_at, seq) < (SELECT created_at, seq FROM transactions WHERE seq = ?)",
};

function valuesOf({ method, ...filters }: ListFilters) {
  return { ...filters, method: method === undefined ? undefined : packMethods([method]) };
}

/** An order of payments. Equal ones are in the order of their creation. */
export interface ListOrder {
  /** A column, or an expression with a `?` for each of `values`. */
  readonly column: string;
  readonly values: readonly SqlValue[];
  readonly order: "ASC" | "DESC";
}

interface PaymentPlace {
  readonly created_at: number;
  readonly seq: number;
}

const newestFirst = (one: PaymentPlace, other: PaymentPlace) =>
  other.created_at - one.created_at || other.seq - one.seq;

/** The payments of one status and currency. */
export interface StatusTotal {
  readonly status: TransactionStatus;
  readonly currency: string;
  readonly count: number;
  /** The sum of their amounts, in the smallest unit; 0 for those that nobody has paid. */
  readonly gross: number;
}

/** The number of payments in a list. Whole days are counted already; rows are counted only for parts of days. */
function counter(db: Db) {
  const ofDays = searcher<{ total: number | null }, "book" | "status" | "first" | "last">(
    db,
    "SELECT SUM(count) AS total FROM daily_figures",
    { book: "book_id = ?", status: "status = ?", first: "day >= ?", last: "day <= ?" },
    "",
  );
  const ofRows = searcher<{ total: number }, keyof ListFilters>(
    db,
    "SELECT COUNT(*) AS total FROM transactions",
    CONDITIONS,
    "",
  );
  return ({ book, status, from, to }: Pick<ListFilters, "book" | "status" | "from" | "to">): number => {
    if (from !== undefined && to !== undefined && from > to) return 0;
    const rows = (first: number, last: number) => ofRows({ book, status, from: first, to: last })[0]?.total ?? 0;
    const [first, last] = [from, to].map((at) => (at === undefined ? undefined : saoPauloDay(at)));
    const days = ofDays({ book, status, first, last })[0]?.total ?? 0;
    const before = from === undefined || first === undefined ? 0 : rows(saoPauloMidnight(first), from - 1);
    const after = to === undefined || last === undefined ? 0 : rows(to + 1, saoPauloMidnight(last + 1) - 1);
    return days - before - after;
  };
}

/** What `counter` counts, of all statuses and currencies at once, with the sums of paid amounts. */
function totals(db: Db) {
  const by = "GROUP BY status, currency";
  const ofDays = searcher<StatusTotal, "book" | "first" | "last">(
    db,
    `SELECT status, currency, SUM(count) AS count, SUM(gross * (method <> '')) AS gross FROM daily_figures`,
    { book: "book_id = ?", first: "day >= ?", last: "day <= ?" },
    by,
  );
  const ofRows = searcher<StatusTotal, keyof ListFilters>(
    db,
    "SELECT status, currency, COUNT(*) AS count, SUM(amount * (paid_at IS NOT NULL)) AS gross FROM transactions",
    CONDITIONS,
    by,
  );
  return ({ book, from, to }: Pick<ListFilters, "book" | "from" | "to">): readonly StatusTotal[] => {
    if (from !== undefined && to !== undefined && from > to) return [];
    const [first, last] = [from, to].map((at) => (at === undefined ? undefined : saoPauloDay(at)));
    const before =
      from === undefined || first === undefined ? [] : ofRows({ book, from: saoPauloMidnight(first), to: from - 1 });
    const after =
      to === undefined || last === undefined ? [] : ofRows({ book, from: to + 1, to: saoPauloMidnight(last + 1) - 1 });
    const outside = [...before, ...after];
    return ofDays({ book, first, last }).map((total) => {
      const own = outside.filter(({ status, currency }) => status === total.status && currency === total.currency);
      const less = (field: "count" | "gross") => own.reduce((rest, one) => rest - one[field], total[field]);
      return { ...total, count: less("count"), gross: less("gross") };
    });
  };
}

/** Returns the statements of the lists of payments. */
export function listStatements<Row extends PaymentPlace>(db: Db) {
  const newest = pages<Row, keyof ListFilters>(
    db,
    "SELECT * FROM transactions",
    CONDITIONS,
    "created_at DESC, seq DESC",
  );
  type Sorted = ReturnType<typeof searcher<{ id: string }, keyof ListFilters>>;
  const sorted = new Map<string, Sorted>();
  return {
    count: counter(db),
    totals: totals(db),
    /** The newest payments of these statuses; of any status, without them. */
    newest(filters: Omit<ListFilters, "status">, statuses: readonly TransactionStatus[] | undefined, limit: number) {
      if (statuses === undefined) return newest(valuesOf(filters), limit);
      const ofEach = statuses.flatMap((status) => newest({ ...valuesOf(filters), status }, limit));
      return ofEach.sort(newestFirst).slice(0, limit);
    },
    /** The ids of a page in any order. SQLite sorts all matching payments, except for an order by time. */
    listSortedIds(filters: ListFilters, { column, values, order }: ListOrder, limit: number, offset: number): string[] {
      const by = `ORDER BY ${column} ${order}, seq ${order}`;
      let page = sorted.get(by);
      // The inner query skips rows by an index alone. A CROSS JOIN of SQLite keeps the order of its left side.
      const joined = `${by} LIMIT ? OFFSET ?) page CROSS JOIN transactions t ON t.seq = page.seq`;
      page ??= searcher(db, "SELECT t.id FROM (SELECT seq FROM transactions", CONDITIONS, joined);
      sorted.set(by, page);
      // Without a bound in time, SQLite may read status by status, back and forth in the table, which takes thrice as
      // long.
      const { from = Number.MIN_SAFE_INTEGER } = filters;
      return page(valuesOf({ ...filters, from }), ...values, limit, offset).map(({ id }) => id);
    },
  };
}
