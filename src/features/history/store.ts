import { type Db, getter, inserter, lister } from "../../db/driver.js";

/** The kind of object that a row of the history is about. */
export type HistoryNoun = "transaction" | "refund" | "payout" | "med_case" | "delivery" | "clock";

/** One thing that happened. Rows are only added, and `seq` is the order in which things happened. */
export interface HistoryRow {
  readonly seq: number;
  /** Null for the clock, which all books share. */
  readonly book_id: number | null;
  readonly noun: HistoryNoun;
  /** The id of the object, without its prefix; empty for the clock. */
  readonly subject: string;
  /** The name of the move in the state machine, `create` for the first one, or the name of another change. */
  readonly move: string;
  readonly from_status: string | null;
  readonly to_status: string | null;
  /** JSON object with particulars; null when there are none. */
  readonly data: string | null;
  /** `Cause.text`, `Cause.request`, `Cause.command` and `Cause.parent`. */
  readonly cause: string;
  readonly request: number | null;
  readonly command: string | null;
  readonly parent: number | null;
  /** Emulated milliseconds. */
  readonly at: number;
}

export type HistoryStore = ReturnType<typeof historyStore>;

/** Requests that may be under way at once, estimated generously: their numbers may be out of order in the history. */
const UNDER_WAY = 10_000;

function inserterOf(db: Db) {
  return inserter<Omit<HistoryRow, "seq">>(db)(
    "history",
    [
      "book_id",
      "noun",
      "subject",
      "move",
      "from_status",
      "to_status",
      "data",
      "cause",
      "request",
      "command",
      "parent",
      "at",
    ],
    (row) => [
      row.book_id,
      row.noun,
      row.subject,
      row.move,
      row.from_status,
      row.to_status,
      row.data,
      row.cause,
      row.request,
      row.command,
      row.parent,
      row.at,
    ],
  );
}

export function historyStore(db: Db) {
  const lastRequest = getter<{ number: number | null }>(
    db,
    `SELECT MAX(request) AS number
       FROM (SELECT request FROM history WHERE request IS NOT NULL ORDER BY seq DESC LIMIT ${UNDER_WAY})`,
  );
  const newest = getter<{ seq: number | null }>(db, "SELECT MAX(seq) AS seq FROM history");
  const add = inserterOf(db);
  /** The `seq` of the newest row, in memory because every request asks for it; null while it is not known. */
  let last: number | null = null;
  return {
    /** The `seq` of the newest row; 0 for an empty history. */
    last(): number {
      last ??= newest()?.seq ?? 0;
      return last;
    },
    /** The newest row may be gone: the change that wrote it was undone, or the contents were replaced. */
    forget(): void {
      last = null;
    },
    /** The highest number of a request that the history names; 0 when it names none. */
    lastRequest: () => lastRequest()?.number ?? 0,
    insert(row: Omit<HistoryRow, "seq">): number {
      last = add(row);
      return last;
    },
    /** What happened to an object, oldest first. */
    of: lister<HistoryRow>(db, "SELECT * FROM history WHERE subject = ? ORDER BY seq"),
    bySeq: getter<HistoryRow>(db, "SELECT * FROM history WHERE seq = ?"),
    /** How the clock was moved after `seq`, oldest first. */
    clockSince: lister<HistoryRow>(db, "SELECT * FROM history WHERE noun = 'clock' AND seq > ? ORDER BY seq"),
  };
}
