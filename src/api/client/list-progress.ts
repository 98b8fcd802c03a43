import { isJsonObject } from "../../base/kernel/json.js";
import { t, type Wording } from "../../base/kernel/wording.js";

/** The progress of a list, page by page, and a check that it approaches its end: a host may answer anything. */

export interface NextPage {
  /** The parameter of the query that selects the page. */
  readonly field: string;
  readonly value: string;
}

/** The number of remembered ids, so that a long list needs little memory. */
const REMEMBERED_IDS = 10_000;
/**
 * The maximum of successive pages without new objects. A search may return an empty page after many objects, and
 * objects created meanwhile shift the others to later pages.
 */
const MOST_BARREN = 100;

/**
 * The page after an answer with `count` objects: by a cursor, by a number or by an offset. `takes` returns true for a
 * parameter of the list. Null after the last page, and when the answer does not name the next one.
 */
export function nextPageOf(answer: unknown, count: number, takes: (field: string) => boolean): NextPage | null {
  if (!isJsonObject(answer)) return null;
  const { next_cursor: cursor, page, limit, offset, total } = answer;
  const to = (value: string | number, ...fields: readonly string[]): NextPage | null => {
    const field = fields.find(takes);
    return field === undefined ? null : { field, value: String(value) };
  };
  if (typeof cursor === "string") return to(cursor, "after", "starting_after");
  if (typeof total !== "number") return null;
  if (typeof page === "number" && typeof limit === "number") return page * limit < total ? to(page + 1, "page") : null;
  return typeof offset === "number" && offset + count < total ? to(offset + count, "offset") : null;
}

/** The identity of an object in a list. Requests have a number, and ids that their senders choose. */
function keyOf(item: unknown): string | number | undefined {
  if (!isJsonObject(item)) return undefined;
  const { number, id } = item;
  if (typeof number === "number") return number;
  return typeof id === "string" ? id : undefined;
}

/** Watches one reading of a list, page by page. It keeps a bounded number of ids, however long the list is. */
export function listProgress() {
  const seenIds = new Set<string | number>();
  let isBarren = false;
  let barren = 0;
  let last = "";
  // One page is remembered, and replaced by a later one whenever twice as many have been read: a cycle of any length
  // returns to the remembered page.
  let remembered = "";
  let pages = 0;
  let renewed = 1;
  return {
    /** The objects of a page that were not on an earlier one; an object without an id always counts as new. */
    takeNew(items: readonly unknown[]): unknown[] {
      const found = items.filter((item) => {
        const key = keyOf(item);
        if (key === undefined) return true;
        const isNew = !seenIds.has(key);
        seenIds.add(key);
        return isNew;
      });
      for (const key of seenIds) {
        if (seenIds.size <= REMEMBERED_IDS) break;
        seenIds.delete(key);
      }
      // Objects without an id are new, unless the page repeats the previous one.
      const text = found.some((item) => keyOf(item) !== undefined) ? "" : JSON.stringify(items);
      isBarren = found.length === 0 || (text !== "" && text === last);
      last = text;
      return found;
    },
    /** The problem with the next page in an answer, as a sentence; null if there is none. */
    problem(answer: unknown, items: readonly unknown[], next: NextPage | null): Wording | null {
      if (next === null) {
        const isCut = isJsonObject(answer) && answer.has_more === true;
        return isCut
          ? t`The host says that there is more, but not where it begins (has_more without next_cursor).`
          : null;
      }
      const place = `${next.field} ${next.value}`;
      if (place === remembered) return t`The host names the same next page again (${place}).`;
      pages += 1;
      if (pages === renewed) {
        remembered = place;
        renewed *= 2;
      }
      barren = isBarren ? barren + 1 : 0;
      const isNumbered = next.field === "page" || next.field === "offset";
      if (items.length === 0 && isNumbered) return t`The host says that there is more, but this page is empty.`;
      if (isBarren && (barren === MOST_BARREN || (items.length > 0 && !isNumbered))) {
        return t`The host says that there is more, but brings nothing new (${place}).`;
      }
      return null;
    },
  };
}
