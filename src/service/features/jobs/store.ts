import { isAwaited } from "../../../base/db/awaited.js";
import { jsonObject, oneOf, type Row, whole, words } from "../../../base/db/columns/rule.js";
import { book, count, dueAt } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter, lister, runner } from "../../../base/db/driver.js";
import { JOB_KINDS } from "./kinds.js";

/** Work that is due at an emulated instant. Instant, subject and kind identify it. */
export const JOB = {
  due_at: dueAt,
  subject: words,
  kind: oneOf(JOB_KINDS),
  /** JSON text; its form depends on the kind. */
  payload: jsonObject(),
  /** The number of failed tries of the job. */
  failures: whole(0, 100),
  book_id: book,
  /** The `seq` in the history of the change that scheduled the work. */
  history_seq: count,
};
export type JobRow = Row<typeof JOB>;

export interface JobPlace {
  readonly due_at: number;
  readonly subject: string;
  readonly kind: string;
}

declare module "../tx.js" {
  interface Stores {
    readonly jobs: JobStore;
  }
}

export type JobStore = ReturnType<typeof jobStore>;

interface JobQuery {
  readonly bookId: number;
  readonly behind: JobPlace;
  readonly until: number;
  readonly subjects: readonly string[] | undefined;
  readonly limit: number;
}

/** Returns the statements about due work. A job has no id: instant, subject and kind identify it. */
export function jobStore(db: Db) {
  const remove = runner(db, "DELETE FROM jobs WHERE due_at = ? AND subject = ? AND kind = ? AND payload = ?");
  const drop = runner(db, "DELETE FROM jobs WHERE due_at = ? AND subject = ? AND kind = ?");
  const bounds = "(j.due_at, j.subject, j.kind) > (?, ?, ?) AND j.due_at <= ? AND j.book_id = ?";
  const order = "ORDER BY due_at, subject, kind LIMIT ?";
  const ofBook = lister<JobRow>(db, `SELECT * FROM jobs j WHERE ${bounds} ${order}`);
  // The index has no expiry that has not failed: its transaction names its instant.
  const ofSubjects = lister<JobRow>(
    db,
    `SELECT j.* FROM jobs j INDEXED BY jobs_by_subject
      WHERE j.subject IN (SELECT value FROM json_each(?)) AND (j.kind <> 'transaction.expire' OR j.failures > 0) AND ${bounds}
     UNION ALL
     SELECT j.* FROM transactions t
       CROSS JOIN jobs j ON j.due_at = t.expires_at AND j.subject = t.id AND j.kind = 'transaction.expire'
      WHERE t.id IN (SELECT value FROM json_each(?)) AND j.failures = 0 AND ${bounds} ${order}`,
  );
  return {
    insert: inserter(db, "jobs", JOB, "INSERT OR REPLACE"),
    /** Removes exactly this job, not a replacement with another payload. Returns the number of removed jobs. */
    remove: ({ due_at, subject, kind, payload }: JobRow) => remove(due_at, subject, kind, payload),
    /** Removes a job that would have no effect any more. */
    drop: ({ due_at, subject, kind }: JobPlace) => drop(due_at, subject, kind),
    /** Jobs of a book after a place, due at `until` or before; only those of `subjects` if there are any. */
    ofBook({ bookId, behind, until, subjects, limit }: JobQuery) {
      const bounds = [behind.due_at, behind.subject, behind.kind, until, bookId];
      if (subjects === undefined) return ofBook(...bounds, limit);
      const about = [JSON.stringify(subjects), ...bounds];
      return ofSubjects(...about, ...about, limit);
    },
    /** Returns a row when work is due at an instant that was not added after a place in the history. */
    awaited: getter<{ due_at: number }>(
      db,
      `SELECT due_at FROM jobs j WHERE due_at <= ? AND ${isAwaited("j.history_seq")} LIMIT 1`,
    ),
    nextDue: getter<{ due_at: number }>(db, "SELECT due_at FROM jobs ORDER BY due_at LIMIT 1"),
    /** The instant of the first work after an instant. */
    nextDueAfter: getter<{ due_at: number }>(db, "SELECT due_at FROM jobs WHERE due_at > ? ORDER BY due_at LIMIT 1"),
    due: lister<JobRow>(db, "SELECT * FROM jobs WHERE due_at <= ? ORDER BY due_at, subject, kind LIMIT ?"),
  };
}
