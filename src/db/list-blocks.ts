import { type Db, getter } from "./driver.js";

/**
 * Lists that are filtered by a value, read block by block: `list_blocks` of the schema knows in which blocks of 512 rows a
 * value is (docs/decisions/015-lists-and-figures.md).
 */

/** As in the triggers of `list_blocks`. */
const BLOCK = 512;

export interface BlockList {
  readonly list: "events" | "deliveries" | "journals";
  readonly book: number;
  /** A row with none of these values is not on the list. */
  readonly values: readonly string[];
}

export interface ListPlace {
  /** The number of the last row of the page before. */
  readonly before?: number | undefined;
  readonly offset?: number;
  readonly limit: number;
}

/** The numbers of rows from `first` on and before `end` that are on a list, newest first. */
type RowsOf = (first: number, end: number) => readonly number[];

/** Finds the numbers of the rows of a page, newest first. Between two queries it yields. */
export function blockReader(db: Db) {
  const blockBefore = getter<{ block: number | null }>(
    db,
    `SELECT MAX((SELECT block FROM list_blocks WHERE list = ? AND book_id = ? AND value = v.value AND block < ?
                  ORDER BY block DESC LIMIT 1)) AS block FROM json_each(?) v`,
  );
  return function* inBlocks({ list, book, values }: BlockList, place: ListPlace, rowsOf: RowsOf) {
    const { before = Number.MAX_SAFE_INTEGER, limit } = place;
    const found: number[] = [];
    let { offset = 0 } = place;
    let next: number | null = Math.ceil(before / BLOCK);
    for (;;) {
      next = blockBefore(list, book, next, JSON.stringify(values))?.block ?? null;
      if (next === null) return found;
      const rows = rowsOf(next * BLOCK, Math.min(before, (next + 1) * BLOCK));
      found.push(...rows.slice(offset, offset + limit - found.length));
      offset = Math.max(0, offset - rows.length);
      if (found.length === limit) return found;
      yield;
    }
  };
}
