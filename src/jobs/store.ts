import { type Db, getter, lister, runner } from "../db/driver.js";

export interface JobRow {
  readonly due_at: number;
  readonly subject: string;
  readonly kind: string;
  readonly payload: string;
  readonly failures: number;
}

export type JobStore = ReturnType<typeof jobStore>;

/** Work that is due at an emulated instant, in the order (instant, subject, kind). */
export function jobStore(db: Db) {
  return {
    insert: runner(db, "INSERT OR REPLACE INTO jobs (due_at, subject, kind, payload, failures) VALUES (?, ?, ?, ?, ?)"),
    /** Takes away exactly this work: what took its place at the same instant is another, and stays. */
    remove: runner(db, "DELETE FROM jobs WHERE due_at = ? AND subject = ? AND kind = ? AND payload = ?"),
    nextDue: getter<{ due_at: number }>(db, "SELECT due_at FROM jobs ORDER BY due_at LIMIT 1"),
    due: lister<JobRow>(db, "SELECT * FROM jobs WHERE due_at <= ? ORDER BY due_at, subject, kind LIMIT ?"),
  };
}
