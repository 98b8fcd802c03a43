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

/** How a slice is bounded in the order of the list: behind a row, up to a row, from an instant on, and before an instant. */
const BOUNDS = {
  ASC: {
    step: 1,
    behind: (seq: number | undefined) => ({ above: seq }),
    upTo: (seq: number) => ({ upTo: seq }),
    startingAt: (at: number, { from = at }: SliceFilters) => ({ from: Math.max(from, at) }),
    before: (at: number) => ({ to: at - 1 }),
  },
  DESC: {
    step: -1,
    behind: (seq: number | undefined) => ({ below: seq }),
    upTo: (seq: number) => ({ downTo: seq }),
    startingAt: (at: number, { to = at }: SliceFilters) => ({ to: Math.min(to, at) }),
    before: (at: number) => ({ from: at + 1 }),
  },
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
  const bounds = BOUNDS[order];
  const rowAt = searcher<Place, keyof typeof SLICE_CONDITIONS>(
    db,
    "SELECT seq, created_at FROM transactions",
    SLICE_CONDITIONS,
    `ORDER BY created_at ${order}, seq ${order} LIMIT 1 OFFSET ?`,
  );
  function* inInstant(filters: SliceFilters, at: number, behind?: number): Generator<Slice, void> {
    const instant = { ...filters, from: undefined, to: undefined, at };
    for (let last = behind; ; ) {
      const rest = { ...instant, ...bounds.behind(last) };
      const end = rowAt(rest, size - 1)[0]?.seq;
      if (end === undefined) return yield rest;
      yield { ...rest, ...bounds.upTo(end) };
      last = end;
    }
  }
  return function* slices(filters: SliceFilters, behind?: Place): Generator<Slice, void> {
    const { from = Number.MIN_SAFE_INTEGER, to = Number.MAX_SAFE_INTEGER } = filters;
    let rest = filters;
    const goOnAt = (at: number) => {
      rest = { ...rest, ...bounds.startingAt(at, filters) };
    };
    if (behind !== undefined) {
      const { created_at: at, seq } = behind;
      if (from <= at && at <= to) yield* inInstant(filters, at, seq);
      goOnAt(at + bounds.step);
    }
    for (;;) {
      const [first, next] = [rowAt({ ...rest }, 0)[0], rowAt({ ...rest }, size)[0]];
      if (first === undefined || next === undefined) return yield rest;
      if (next.created_at === first.created_at) {
        yield* inInstant(filters, first.created_at);
        goOnAt(first.created_at + bounds.step);
      } else {
        yield { ...rest, ...bounds.before(next.created_at) };
        goOnAt(next.created_at);
      }
    }
  };
}
