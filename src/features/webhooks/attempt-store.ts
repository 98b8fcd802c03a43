import { type Db, everyColumn, lister, runner, type SqlValue } from "../../db/driver.js";

/** The attempts of deliveries. */

/** One attempt that has ended. */
export interface AttemptRow {
  readonly delivery_seq: number;
  readonly attempt: number;
  readonly url: string;
  readonly signature: string;
  readonly user_agent: string;
  readonly sent_at: number;
  /** `,name,name,`; null when nothing was done to it on purpose. */
  readonly chaos: string | null;
  readonly status_code: number | null;
  /** JSON object; null when there was no answer. */
  readonly headers: string | null;
  readonly body: string | null;
  readonly error: string | null;
  readonly duration_ms: number;
  readonly attempted_at: number;
}

/** An attempt with its place in the history: the newest row when it ended. */
export interface StoredAttempt extends AttemptRow {
  readonly seq: number;
  readonly history_seq: number;
}

const ATTEMPT_COLUMNS = everyColumn<Omit<AttemptRow, "delivery_seq">>()([
  "attempt",
  "url",
  "signature",
  "user_agent",
  "sent_at",
  "chaos",
  "status_code",
  "headers",
  "body",
  "error",
  "duration_ms",
  "attempted_at",
]);

export function attemptStatements(db: Db) {
  const into = `INSERT INTO delivery_attempts (${ATTEMPT_COLUMNS.join(", ")}, history_seq, delivery_seq)`;
  const marks = ATTEMPT_COLUMNS.map(() => "?").join(", ");
  const insertAttempt = runner(db, `${into} VALUES (${marks}, ?, ?)`);
  const insertIfThere = runner(db, `${into} SELECT ${marks}, ?, seq FROM deliveries WHERE seq = ? AND id = ?`);
  function valuesOf(row: AttemptRow, history: number): SqlValue[] {
    const values: SqlValue[] = [];
    for (const column of ATTEMPT_COLUMNS) values.push(row[column]);
    values.push(history, row.delivery_seq);
    return values;
  }
  return {
    /**
     * Writes an attempt, unless its delivery is gone. `history` is the newest row of the history. `isThere` tells that the
     * delivery was changed just before, so that nobody has to look for it.
     */
    insertAttempt: (row: AttemptRow, deliveryId: string, history: number, isThere: boolean): number =>
      isThere ? insertAttempt(...valuesOf(row, history)) : insertIfThere(...valuesOf(row, history), deliveryId),
    attempts: lister<StoredAttempt>(db, "SELECT * FROM delivery_attempts WHERE delivery_seq = ? ORDER BY seq"),
  };
}
