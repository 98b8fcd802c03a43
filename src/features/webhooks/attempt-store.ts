import { type Db, everyColumn, lister, runner } from "../../db/driver.js";

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
  const insertAttempt = runner(
    db,
    `INSERT INTO delivery_attempts (${ATTEMPT_COLUMNS.join(", ")}, delivery_seq, history_seq)
     SELECT ${ATTEMPT_COLUMNS.map(() => "?").join(", ")}, seq, ?
       FROM deliveries WHERE seq = ? AND id = ?`,
  );
  return {
    /** Writes an attempt, unless its delivery is gone. `history` is the newest row of the history. */
    insertAttempt: (row: AttemptRow, deliveryId: string, history: number): number =>
      insertAttempt(...ATTEMPT_COLUMNS.map((column) => row[column]), history, row.delivery_seq, deliveryId),
    attempts: lister<StoredAttempt>(db, "SELECT * FROM delivery_attempts WHERE delivery_seq = ? ORDER BY seq"),
  };
}
