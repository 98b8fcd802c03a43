import { type Db, lister } from "../../db/driver.js";
import type { EventName } from "./catalogue.js";

const MAX_LISTS = 10_000;
const MAX_LISTED = 100;

/**
 * The endpoints that want an event. Every event asks for them, and they hardly ever change, so the answers are remembered.
 * Whoever changes an endpoint calls `forgetSubscribers`, and once more when the change is undone.
 */
export function subscriberStatements(db: Db) {
  const find = lister<{ seq: number }>(
    db,
    `SELECT seq FROM endpoints
      WHERE book_id = ? AND private = 0 AND status = 'ACTIVE' AND deleted_at IS NULL AND instr(events, ?) > 0 ORDER BY seq`,
  );
  const books = new Map<number, Map<EventName, readonly number[]>>();
  let lists = 0;
  const forgetSubscribers = (): void => {
    books.clear();
    lists = 0;
  };
  function remember(bookId: number, type: EventName, endpoints: readonly number[]): void {
    if (endpoints.length > MAX_LISTED) return;
    if (lists >= MAX_LISTS) forgetSubscribers();
    const ofBook = books.get(bookId) ?? new Map<EventName, readonly number[]>();
    books.set(bookId, ofBook.set(type, endpoints));
    lists += 1;
  }
  return {
    /** The `seq` of each endpoint that wants an event, the oldest first. */
    subscribers(bookId: number, type: EventName): readonly number[] {
      const known = books.get(bookId)?.get(type);
      if (known !== undefined) return known;
      const found = find(bookId, `,${type},`).map(({ seq }) => seq);
      remember(bookId, type, found);
      return found;
    },
    forgetSubscribers,
  };
}
