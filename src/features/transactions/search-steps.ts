import { type Db, searcher } from "../../db/driver.js";
import type { Steps } from "../../db/long-read.js";
import { PAYMENT_METHODS, type PaymentMethod, packMethods } from "./catalogue.js";
import type { TransactionStatus } from "./machine.js";
import { SLICE_CONDITIONS, slicer } from "./slices.js";

/** Pages of payments by what no index has: a method, or several statuses. */

export interface SearchFilters {
  readonly book: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly taxId?: string | undefined;
  readonly statuses?: readonly TransactionStatus[] | undefined;
  readonly method?: PaymentMethod | undefined;
}

/** So many payments are read by one query. */
const CHUNK = 150;

const CONDITIONS = { ...SLICE_CONDITIONS, method: "instr(payment_methods, ?) > 0" };

interface Place {
  readonly created_at: number;
  readonly seq: number;
}

const newestFirst = (one: Place, other: Place) => other.created_at - one.created_at || other.seq - one.seq;

export function searchSteps<Row extends Place>(db: Db) {
  const chunks = slicer(db, "DESC", CHUNK);
  const rows = searcher<Row, keyof typeof CONDITIONS>(
    db,
    "SELECT * FROM transactions",
    CONDITIONS,
    "ORDER BY created_at DESC, seq DESC LIMIT ?",
  );
  const countAtMost = searcher<{ count: number | null }, "book" | "status" | "currencies">(
    db,
    "SELECT SUM(count) AS count FROM daily_figures",
    { book: "book_id = ?", status: "status = ?", currencies: "currency IN (SELECT value FROM json_each(?))" },
    "",
  );
  /** How many payments by a method there are at most: as many as are in one of its currencies. */
  const mostBy = (method: PaymentMethod, book: number, status: TransactionStatus | undefined) =>
    countAtMost({ book, status, currencies: JSON.stringify(PAYMENT_METHODS[method].currencies) })[0]?.count ?? 0;
  function* ofStatus(
    { method, ...filters }: Omit<SearchFilters, "statuses"> & { readonly status: TransactionStatus | undefined },
    behind: Place | undefined,
    pageSize: number,
  ): Steps<Row[]> {
    const found: Row[] = [];
    const most = method === undefined ? pageSize : mostBy(method, filters.book, filters.status);
    if (most === 0) return found;
    const limit = Math.min(pageSize, most);
    const packed = method === undefined ? undefined : packMethods([method]);
    for (const chunk of chunks({ from: undefined, to: undefined, ...filters }, behind)) {
      found.push(...rows({ ...chunk, method: packed }, limit - found.length));
      if (found.length === limit) break;
      yield;
    }
    return found;
  }
  /** The payments of a page, newest first. `after` is the last one of the page before. */
  return function* ({ statuses, ...filters }: SearchFilters, after: Place | undefined, limit: number): Steps<Row[]> {
    const found: Row[] = [];
    for (const status of statuses ?? [undefined])
      found.push(...(yield* ofStatus({ ...filters, status }, after, limit)));
    return found.sort(newestFirst).slice(0, limit);
  };
}
