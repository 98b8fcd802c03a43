import * as z from "zod";
import { fieldError } from "./errors.js";
import { rawId } from "./ids.js";
import { queryInteger } from "./schemas.js";

/** Pages of a list. The `next_cursor` of a page goes into the query of the next one. */

/** The query parameters of every list of the control interface. */
export const PAGE_QUERY = {
  limit: queryInteger(1, 100, 25),
  after: z.string().optional().describe("Cursor: next_cursor of the previous page"),
};

export function page<Item extends z.ZodType>(item: Item) {
  return z.object({ data: z.array(item), has_more: z.boolean(), next_cursor: z.string().nullable() });
}

export function cursorError() {
  return fieldError("after", "must be the next_cursor of a page before");
}

/** Returns the row that a cursor names; undefined without a cursor. Throws the refusal when `find` does not know it. */
export function rowAt<Row>(
  after: string | undefined,
  prefixes: readonly string[],
  find: (id: string) => Row | null,
  refusal = cursorError,
): Row | undefined {
  if (after === undefined) return undefined;
  const id = rawId(after, ...prefixes);
  const row = id === null ? null : find(id);
  if (row === null) throw refusal();
  return row;
}

/** A page of `rows`, one more than `limit` when there is a next page. The cursor is the member `key` of its last object. */
export function cursorPage<Row, Shown extends Readonly<Record<Key, string | number>>, Key extends string = "id">(
  rows: readonly Row[],
  limit: number,
  show: (row: Row, index: number) => Shown,
  key = "id" as Key,
) {
  const data = rows.slice(0, limit).map(show);
  const last = rows.length > limit ? data.at(-1) : undefined;
  return { data, has_more: last !== undefined, next_cursor: last === undefined ? null : String(last[key]) };
}
