import { type Db, lister, type SqlValue, searcher } from "../../db/driver.js";
import type { TransactionStatus } from "./machine.js";

/** Pages of transactions in any order. */

export interface PageFilters {
  readonly book: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly status: TransactionStatus | undefined;
}

export const PAGE_FILTERS = {
  book: "book_id = ?",
  status: "status = ?",
  from: "created_at >= ?",
  to: "created_at <= ?",
};

export interface PageSort {
  /** A column, or an expression with a `?` for each of `values`. */
  readonly column: string;
  readonly values: readonly SqlValue[];
  readonly order: "ASC" | "DESC";
}

/** Pages of rows, sorted by any column. The pages before are skipped in an index; only the rows of the page are read. */
export function pages<Row>(db: Db, columns: string) {
  type Search = ReturnType<typeof searcher<Row, keyof PageFilters>>;
  const prepared = new Map<string, Search>();
  return (filters: PageFilters, sort: PageSort, limit: number, offset: number): Row[] => {
    const order = `ORDER BY ${sort.column} ${sort.order}, seq ${sort.order}`;
    let search = prepared.get(order);
    if (search === undefined) {
      search = searcher(
        db,
        `SELECT ${columns} FROM transactions WHERE seq IN (SELECT seq FROM transactions`,
        PAGE_FILTERS,
        `${order} LIMIT ? OFFSET ?) ${order}`,
      );
      prepared.set(order, search);
    }
    return search({ ...filters }, ...sort.values, limit, offset, ...sort.values);
  };
}

/** The orders that have an index, and its name. */
const INDEXES = { amount: "transactions_by_amount", customer_name: "transactions_by_customer_name" };
export type Indexed = keyof typeof INDEXES;

export function isIndexed(column: string): column is Indexed {
  return Object.hasOwn(INDEXES, column);
}

interface IndexedPage {
  readonly book: number;
  readonly column: Indexed;
  readonly order: "ASC" | "DESC";
  readonly limit: number;
  readonly offset: number;
}

/**
 * The ids of a page in an order with an index. The index leaves out what waits for its payer, which is therefore sorted apart: the best
 * of both are the best of all.
 */
export function indexedPages(db: Db) {
  const prepared = new Map<string, ReturnType<typeof lister<{ id: string }>>>();
  return ({ book, column, order, limit, offset }: IndexedPage) => {
    const by = `ORDER BY ${column} ${order}, seq ${order}`;
    const best = (condition: string, index: string) =>
      `SELECT * FROM (SELECT seq, ${column}, id FROM transactions INDEXED BY ${index}
         WHERE book_id = ? AND status ${condition} 'WAITING_PAYMENT' ${by} LIMIT ?)`;
    let page = prepared.get(by);
    page ??= lister<{ id: string }>(
      db,
      `SELECT id FROM (${best("<>", INDEXES[column])} UNION ALL ${best("=", "transactions_by_status")}) ${by} LIMIT ? OFFSET ?`,
    );
    prepared.set(by, page);
    return page(book, offset + limit, book, offset + limit, limit, offset).map(({ id }) => id);
  };
}
