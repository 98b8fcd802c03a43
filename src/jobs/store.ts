import { isAwaited } from "../db/awaited.js";
import { type Db, getter, lister, runner } from "../db/driver.js";
import type { JobKind } from "./kinds.js";

/** Work that is due at an emulated instant. Instant, subject and kind identify it. */
export interface JobRow {
  readonly due_at: number;
  /** The id of the object that the job is about. */
  readonly subject: string;
  readonly kind: JobKind;
  /** JSON text; its form depends on the kind. */
  readonly payload: string;
  /** How often the job was tried and failed. */
  readonly failures: number;
  /** The account and mode of the object. */
  readonly book_id: number;
  /** The `seq` in the history of the change that made the work due. */
  readonly history_seq: number;
}

/** A place in the order of jobs. */
export interface JobPlace {
  readonly due_at: number;
  readonly subject: string;
  readonly kind: string;
}

export type JobStore = ReturnType<typeof jobStore>;

/** Jobs in the order (instant, subject, kind). */
export function jobStore(db: Db) {
  const insert = runner(
    db,
    `INSERT OR REPLACE INTO jobs (due_at, subject, kind, payload, failures, book_id, history_seq)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = runner(db, "DELETE FROM jobs WHERE due_at = ? AND subject = ? AND kind = ? AND payload = ?");
  const drop = runner(db, "DELETE FROM jobs WHERE due_at = ? AND subject = ? AND kind = ?");
  const bounds = "(due_at, subject, kind) > (?, ?, ?) AND due_at <= ? AND book_id = ?";
  const ofBook = lister<JobRow>(db, `SELECT * FROM jobs WHERE ${bounds} ORDER BY due_at, subject, kind LIMIT ?`);
  const ofSubjects = lister<JobRow>(
    db,
    `SELECT * FROM jobs INDEXED BY jobs_by_subject
      WHERE ${bounds} AND subject IN (SELECT value FROM json_each(?)) ORDER BY due_at, subject, kind LIMIT ?`,
  );
  return {
    insert({ due_at, subject, kind, payload, failures, book_id, history_seq }: JobRow): void {
      insert(due_at, subject, kind, payload, failures, book_id, history_seq);
    },
    /** Removes exactly this job; one that replaced it with another payload stays. Answers how many were removed. */
    remove: ({ due_at, subject, kind, payload }: JobRow) => remove(due_at, subject, kind, payload),
    /** Removes a job that would do nothing any more. */
    drop: ({ due_at, subject, kind }: JobPlace) => drop(due_at, subject, kind),
    /**
     * Jobs of a book behind a place and due at `until` or before, those of the given objects alone if there are any.
     */
    ofBook(bookId: number, behind: JobPlace, until: number, subjects: readonly string[] | undefined, limit: number) {
      const bounds = [behind.due_at, behind.subject, behind.kind, until, bookId];
      return subjects === undefined ? ofBook(...bounds, limit) : ofSubjects(...bounds, JSON.stringify(subjects), limit);
    },
    /** Answers a row when work is due at an instant that was not added behind a place in the history. */
    awaited: getter<{ due_at: number }>(
      db,
      `SELECT due_at FROM jobs j WHERE due_at <= ? AND ${isAwaited("j.history_seq")} LIMIT 1`,
    ),
    nextDue: getter<{ due_at: number }>(db, "SELECT due_at FROM jobs ORDER BY due_at LIMIT 1"),
    /** When the first work after an instant is due. */
    nextDueAfter: getter<{ due_at: number }>(db, "SELECT due_at FROM jobs WHERE due_at > ? ORDER BY due_at LIMIT 1"),
    due: lister<JobRow>(db, "SELECT * FROM jobs WHERE due_at <= ? ORDER BY due_at, subject, kind LIMIT ?"),
  };
}
