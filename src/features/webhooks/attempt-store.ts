import { form, jsonObject, optional, type Row, words } from "../../db/columns/rule.js";
import { areTexts, count, instant, key, line, status, webhookUrl } from "../../db/columns/values.js";
import { type Db, getter, lister, runner, type SqlValue, valuesOf } from "../../db/driver.js";

/** The attempts of deliveries. */

const ENDED = {
  attempt: key,
  url: webhookUrl,
  signature: line,
  user_agent: line,
  sent_at: instant,
  /** `,name,name,`; null when nothing was done to it on purpose. */
  chaos: optional(form((column) => `${column} GLOB ',?*,' AND ${column} NOT GLOB '*[^a-z_,]*'`)),
  status_code: optional(status),
  /** JSON object; null when there was no answer. */
  headers: optional(jsonObject(areTexts)),
  body: optional(words),
  /** As `storedError` makes it; null when the answer was 2xx. */
  error: optional(words),
  duration_ms: count,
  attempted_at: instant,
};
const COLUMNS = Object.keys(ENDED);

/** An attempt with its place in the history: the newest row when it ended. */
export const ATTEMPT = { seq: key, delivery_seq: key, history_seq: count, ...ENDED };
export type StoredAttempt = Row<typeof ATTEMPT>;
export type AttemptRow = Omit<StoredAttempt, "seq" | "history_seq">;

export function attemptStatements(db: Db) {
  const into = `INSERT INTO delivery_attempts (${COLUMNS.join(", ")}, history_seq, delivery_seq)`;
  const marks = COLUMNS.map(() => "?").join(", ");
  const insertAttempt = runner(db, `${into} VALUES (${marks}, ?, ?)`);
  const insertIfThere = runner(db, `${into} SELECT ${marks}, ?, seq FROM deliveries WHERE seq = ? AND id = ?`);
  const values = (row: AttemptRow, history: number): SqlValue[] => [
    ...valuesOf(row, COLUMNS),
    history,
    row.delivery_seq,
  ];
  return {
    /**
     * Writes an attempt, unless its delivery is gone. `history` is the newest row of the history. `isThere` tells that the
     * delivery was changed just before, so that nobody has to look for it.
     */
    insertAttempt: (row: AttemptRow, deliveryId: string, history: number, isThere: boolean): number =>
      isThere ? insertAttempt(...values(row, history)) : insertIfThere(...values(row, history), deliveryId),
    attempts: lister<StoredAttempt>(db, "SELECT * FROM delivery_attempts WHERE delivery_seq = ? ORDER BY seq"),
    firstAttempt: getter<Pick<StoredAttempt, "chaos">>(
      db,
      "SELECT chaos FROM delivery_attempts WHERE delivery_seq = ? ORDER BY seq LIMIT 1",
    ),
  };
}
