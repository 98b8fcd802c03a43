import { type Db, searcher } from "../../db/driver.js";
import { PAGE_FILTERS, type PageFilters } from "./page-queries.js";

/** Long lists of payments in slices of a few rows each, so that no query reads much. */

interface SliceFilters extends PageFilters {
  readonly taxId?: string | undefined;
}

/** A slice of a list. These bounds are of a slice inside of one instant. */
export type Slice = SliceFilters & {
  readonly [Bound in "at" | "above" | "upTo" | "below" | "downTo"]?: number | undefined;
};

export const SLICE_CONDITIONS = {
  ...PAGE_FILTERS,
  // Without statistics, SQLite takes the index by time alone for a slice, and reads what has other values too.
  status: "unlikely(status = ?)",
  taxId: "likelihood(customer_tax_id = ?, 0.001)",
  at: "created_at = ?",
  above: "seq > ?",
  upTo: "seq <= ?",
  below: "seq < ?",
  downTo: "seq >= ?",
};

interface Place {
  readonly created_at: number;
  readonly seq: number;
}

/**
 * The slices of a list by time, each of at most `size` payments. A clock that stands still makes many payments at one instant,
 * which are in several slices then. `behind` is the row that the first slice comes after.
 */
export function slicer(db: Db, order: "ASC" | "DESC", size: number) {
  const isUp = order === "ASC";
  const rowAt = searcher<Place, keyof typeof SLICE_CONDITIONS>(
    db,
    "SELECT seq, created_at FROM transactions",
    SLICE_CONDITIONS,
    `ORDER BY created_at ${order}, seq ${order} LIMIT 1 OFFSET ?`,
  );
  function* inInstant(filters: SliceFilters, at: number, behind?: number): Generator<Slice> {
    const instant = { ...filters, from: undefined, to: undefined, at };
    for (let last = behind; ; ) {
      const rest = { ...instant, ...(isUp ? { above: last } : { below: last }) };
      const end = rowAt(rest, size - 1)[0]?.seq;
      if (end === undefined) return yield rest;
      yield { ...rest, ...(isUp ? { upTo: end } : { downTo: end }) };
      last = end;
    }
  }
  return function* slices(filters: SliceFilters, behind?: Place): Generator<Slice> {
    const { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = filters;
    let rest = filters;
    const goOnAt = (at: number) => {
      rest = isUp ? { ...rest, from: Math.max(from, at) } : { ...rest, to: Math.min(to, at) };
    };
    const step = isUp ? 1 : -1;
    if (behind !== undefined) {
      const { created_at: at, seq } = behind;
      if (from <= at && at <= to) yield* inInstant(filters, at, seq);
      goOnAt(at + step);
    }
    for (;;) {
      const [first, next] = [rowAt({ ...rest }, 0)[0], rowAt({ ...rest }, size)[0]];
      if (first === undefined || next === undefined) return yield rest;
      if (next.created_at === first.created_at) {
        yield* inInstant(filters, first.created_at);
        goOnAt(first.created_at + step);
      } else {
        yield { ...rest, ...(isUp ? { to: next.created_at - 1 } : { from: next.created_at + 1 }) };
        goOnAt(next.created_at);
      }
    }
  };
}
