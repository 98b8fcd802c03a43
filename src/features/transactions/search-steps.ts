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

const CONDITIONS = {
  ...SLICE_CONDITIONS,
  method: "instr(payment_methods, ?) > 0",
  // With the plus, SQLite reads the rows of a slice and not those of another index.
  ofCustomer: "+customer_tax_id = ?",
  statuses: "+status IN (SELECT value FROM json_each(?))",
};

interface Place {
  readonly created_at: number;
  readonly seq: number;
}

const newestFirst = (one: Place, other: Place) => other.created_at - one.created_at || other.seq - one.seq;

/** What the one of two readings gives that ends first. They take turns. */
function* sooner<Result>(...readings: readonly [Steps<Result>, Steps<Result>]): Steps<Result> {
  for (;;) {
    for (const reading of readings) {
      const { done, value } = reading.next();
      if (done === true) return value;
      yield;
    }
  }
}

/** How many payments by a method there are at most: as many as are in one of its currencies. */
function mostByMethod(db: Db) {
  const count = searcher<{ count: number | null }, "book" | "status" | "currencies">(
    db,
    "SELECT SUM(count) AS count FROM daily_figures",
    { book: "book_id = ?", status: "status = ?", currencies: "currency IN (SELECT value FROM json_each(?))" },
    "",
  );
  return (method: PaymentMethod, book: number, status: TransactionStatus | undefined) =>
    count({ book, status, currencies: JSON.stringify(PAYMENT_METHODS[method].currencies) })[0]?.count ?? 0;
}

/** Returns the search for a page of payments in steps, so that others have their turn between two of its queries. */
export function searchSteps<Row extends Place>(db: Db) {
  const chunks = slicer(db, "DESC", CHUNK);
  const rows = searcher<Row, keyof typeof CONDITIONS>(
    db,
    "SELECT * FROM transactions",
    CONDITIONS,
    "ORDER BY created_at DESC, seq DESC LIMIT ?",
  );
  const mostBy = mostByMethod(db);
  /** Reads the rows of the customer and tests their status, or those of each status and tests their customer. */
  function* pageBy(
    index: "customer" | "status",
    { statuses, method, ...given }: SearchFilters,
    after: Place | undefined,
    limit: number,
  ): Steps<Row[]> {
    const { book, taxId, from, to } = given;
    const isByCustomer = index === "customer";
    const tested = {
      method: method === undefined ? undefined : packMethods([method]),
      ...(isByCustomer ? { statuses: statuses && JSON.stringify(statuses) } : { ofCustomer: taxId }),
    };
    const slicedBy = isByCustomer
      ? [{ taxId, status: undefined }]
      : (statuses ?? [undefined]).map((status) => ({ status }));
    const parts = slicedBy.map((by) => ({
      chunks: chunks({ book, from, to, ...by }, after),
      /** How many more there may be, and where the next chunk begins at the latest. */
      left: method === undefined ? limit : mostBy(method, book, by.status),
      at: Number.MAX_SAFE_INTEGER,
    }));
    let found: Row[] = [];
    for (;;) {
      const last = found.length === limit ? (found.at(-1)?.created_at ?? 0) : Number.MIN_SAFE_INTEGER;
      const open = parts.filter(({ left, at }) => left > 0 && at >= last);
      const [newest] = open.sort((one, other) => other.at - one.at);
      if (newest === undefined) return found;
      const { value: chunk } = newest.chunks.next();
      const more = chunk === undefined ? [] : rows({ ...chunk, ...tested }, limit);
      newest.left = chunk === undefined ? 0 : newest.left - more.length;
      newest.at = chunk?.at ?? chunk?.from ?? newest.at;
      found = [...found, ...more].sort(newestFirst).slice(0, limit);
      if (found.length < limit || open.length > 1) yield;
    }
  }
  /** The payments of a page, newest first. `after` is the last one of the page before. */
  return (filters: SearchFilters, after: Place | undefined, limit: number): Steps<Row[]> => {
    const by = (index: "customer" | "status") => pageBy(index, filters, after, limit);
    if (filters.taxId === undefined) return by("status");
    // Which of both is rare is not counted: a status that is rare as a whole may be rarer still among those of the customer.
    return filters.statuses === undefined ? by("customer") : sooner(by("customer"), by("status"));
  };
}
