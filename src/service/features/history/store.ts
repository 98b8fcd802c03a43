import { charactersOf, jsonObject, oneOf, optional, type Row, words } from "../../../base/db/columns/rule.js";
import { book, count, instant } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister } from "../../../base/db/driver.js";

/** One event. Rows are only added, and `seq` is the order of the events. */
export const HISTORY = {
  /** Null for the clock, which all books share. */
  book_id: optional(book),
  noun: oneOf(["transaction", "refund", "payout", "med_case", "delivery", "clock"]),
  /** The id of the object, without its prefix; empty for the clock. */
  subject: words,
  /** The name of the move in the state machine, `create` for the first one, or the name of another change. */
  move: charactersOf("a-z_", 1, 64),
  from_status: optional(charactersOf("A-Za-z_", 1, 64)),
  to_status: optional(charactersOf("A-Za-z_", 1, 64)),
  /** JSON object with details; null when there are none. */
  data: optional(jsonObject()),
  /** `Cause.text`, `Cause.request`, `Cause.command` and `Cause.parent`. */
  cause: words,
  request: optional(count),
  command: optional(words),
  parent: optional(count),
  /** `Cause.trace`. */
  trace: optional(charactersOf("0-9a-f-", 49, 128)),
  /** Emulated milliseconds. */
  at: instant,
};
export type NewHistory = Row<typeof HISTORY>;
export type HistoryRow = NewHistory & { readonly seq: number };

/** The kinds of changes of the clock. `restore` is a snapshot, whose instant may be in the past. */
export type ClockMove = "advance" | "freeze" | "resume" | "restore" | "speed";

/** Changes of one kind within a minute. */
export interface Happened {
  readonly kind: string;
  readonly at: number;
  readonly count: number;
}

/** The console shows the recent past, and reads it often. */
const MOST_COUNTED = 500;

export type HistoryStore = ReturnType<typeof historyStore>;

/** The maximum of requests in progress at once, estimated generously: the history may have them out of order. */
const UNDER_WAY = 10_000;

/** Returns the statements about the history. The newest `seq` is kept in memory, because every request needs it. */
export function historyStore(db: Db) {
  const lastRequest = getter<{ number: number | null }>(
    db,
    `SELECT MAX(request) AS number
       FROM (SELECT request FROM history WHERE request IS NOT NULL ORDER BY seq DESC LIMIT ${UNDER_WAY})`,
  );
  const newest = getter<{ seq: number | null }>(db, "SELECT MAX(seq) AS seq FROM history");
  const insert = inserter(db, "history", HISTORY);
  /** Every request needs it. Null when it must be read. */
  let last: number | null = null;
  return {
    /** The `seq` of the newest row; 0 for an empty history. */
    last(): number {
      last ??= newest()?.seq ?? 0;
      return last;
    },
    /** The highest number of a request that the history names; 0 when it names none. */
    lastRequest: () => lastRequest()?.number ?? 0,
    insert(row: NewHistory): number {
      last = insert(row);
      return last;
    },
    forget(): void {
      last = null;
    },
    of: lister<HistoryRow>(db, "SELECT * FROM history WHERE subject = ? ORDER BY seq"),
    bySeq: getter<HistoryRow>(db, "SELECT * FROM history WHERE seq = ?"),
    /** The newest changes of the objects of a book, counted by the minute and the kind. Only the newest rows of all books are read. */
    counts: lister<Happened>(
      db,
      `SELECT noun || '.' || move AS kind, MAX(at) AS at, COUNT(*) AS count
         FROM (SELECT book_id, noun, move, at FROM history ORDER BY seq DESC LIMIT ${MOST_COUNTED})
        WHERE book_id = ? GROUP BY kind, at / 60000 ORDER BY at DESC`,
    ),
    clockSince: lister<HistoryRow>(db, "SELECT * FROM history WHERE noun = 'clock' AND seq > ? ORDER BY seq"),
  };
}
