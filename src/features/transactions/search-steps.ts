import { type Db, searcher } from "../../db/driver.js";
import type { Steps } from "../../db/long-read.js";
import type { TransactionStatus } from "./machine.js";

/** Pages of payments by what no index has: a method, or several statuses. */

export interface SearchFilters {
  readonly book: number;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly taxId?: string | undefined;
  readonly statuses?: readonly TransactionStatus[] | undefined;
  /** Between commas, as `packMethods` makes it. */
  readonly method?: string | undefined;
}

/** So many payments are read by one query. */
const CHUNK = 150;

const CONDITIONS = {
  book: "book_id = ?",
  from: "created_at >= ?",
  to: "created_at <= ?",
  taxId: "customer_tax_id = ?",
  status: "status = ?",
  method: "instr(payment_methods, ?) > 0",
  behind: "(created_at, seq) < (SELECT created_at, seq FROM transactions WHERE seq = ?)",
  until: "(created_at, seq) >= (SELECT created_at, seq FROM transactions WHERE seq = ?)",
};

interface Place {
  readonly created_at: number;
  readonly seq: number;
}

const newestFirst = (one: Place, other: Place) => other.created_at - one.created_at || other.seq - one.seq;

export function searchSteps<Row extends Place>(db: Db) {
  const ends = searcher<{ seq: number }, keyof typeof CONDITIONS>(
    db,
    "SELECT seq FROM transactions",
    CONDITIONS,
    `ORDER BY created_at DESC, seq DESC LIMIT 1 OFFSET ${CHUNK - 1}`,
  );
  const rows = searcher<Row, keyof typeof CONDITIONS>(
    db,
    "SELECT * FROM transactions",
    CONDITIONS,
    "ORDER BY created_at DESC, seq DESC LIMIT ?",
  );
  function* ofStatus(
    { method, ...filters }: Omit<SearchFilters, "statuses"> & { status: TransactionStatus | undefined },
    after: number | undefined,
    limit: number,
  ): Steps<Row[]> {
    const found: Row[] = [];
    for (let behind = after; ; ) {
      // Without a method, an index has the rows in their order.
      const until = method === undefined ? undefined : ends({ ...filters, behind })[0]?.seq;
      found.push(...rows({ ...filters, method, behind, until }, limit - found.length));
      if (until === undefined || found.length === limit) return found;
      behind = until;
      yield;
    }
  }
  /** The payments of a page, newest first. `after` is the `seq` of the last one of the page before. */
  return function* ({ statuses, ...filters }: SearchFilters, after: number | undefined, limit: number): Steps<Row[]> {
    const found: Row[] = [];
    for (const status of statuses ?? [undefined])
      found.push(...(yield* ofStatus({ ...filters, status }, after, limit)));
    return found.sort(newestFirst).slice(0, limit);
  };
}
