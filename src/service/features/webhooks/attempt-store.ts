import { form, jsonObject, optional, type Row, words } from "../../../base/db/columns/rule.js";
import { areTexts, count, instant, key, line, status, webhookUrl } from "../../../base/db/columns/values.js";
import { type Db, getter, lister, runner, type SqlValue, valuesOf } from "../../../base/db/driver.js";
import type { EventName } from "./catalogue.js";

/** The attempts of deliveries. */

const ENDED = {
  attempt: key,
  url: webhookUrl,
  signature: line,
  user_agent: line,
  sent_at: instant,
  /** `,name,name,`; null without chaos. */
  chaos: optional(form((column) => `${column} GLOB ',?*,' AND ${column} NOT GLOB '*[^a-z_,]*'`)),
  status_code: optional(status),
  /** JSON object; null when there was no answer. */
  headers: optional(jsonObject(areTexts)),
  body: optional(words),
  /** See `toStoredError`; null when the answer was 2xx. */
  error: optional(words),
  duration_ms: count,
  attempted_at: instant,
};
const COLUMNS = Object.keys(ENDED);

/** An attempt with its place in the history: the newest row when it ended. */
export const ATTEMPT = { seq: key, delivery_seq: key, history_seq: count, ...ENDED };
export type StoredAttempt = Row<typeof ATTEMPT>;
export type AttemptRow = Omit<StoredAttempt, "seq" | "history_seq">;

/** A webhook that a collector received. */
export interface CollectedRow extends Pick<AttemptRow, "url" | "signature" | "user_agent" | "sent_at" | "chaos"> {
  /** Its place among all, which later ones do not change. */
  readonly place: number;
  readonly delivery_id: string;
  readonly event_id: string;
  readonly type: EventName;
  readonly data: string;
  readonly event_created_at: number;
}

/** Returns the statements about attempts of deliveries and the webhooks of collectors. */
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
     * Writes an attempt, unless its delivery was removed. `history` is the newest row of the history. `isThere` is true
     * if the delivery was changed just before, so that it need not be searched.
     */
    insertAttempt: (row: AttemptRow, deliveryId: string, history: number, isThere: boolean): number =>
      isThere ? insertAttempt(...values(row, history)) : insertIfThere(...values(row, history), deliveryId),
    /** The webhooks of a collector after a place, oldest first. Chaos may have sent an attempt twice. */
    collected: lister<CollectedRow>(
      db,
      `SELECT 2 * a.seq + c.copy AS place, a.url, a.signature, a.user_agent, a.sent_at, a.chaos, d.id AS delivery_id,
              e.id AS event_id, e.type, e.data, e.created_at AS event_created_at
         FROM delivery_attempts a JOIN deliveries d ON d.seq = a.delivery_seq JOIN events e ON e.seq = d.event_seq
         JOIN (SELECT 0 AS copy UNION ALL SELECT 1) c ON c.copy = 0 OR a.chaos LIKE '%,duplicate,%'
        WHERE d.endpoint_seq = ? AND d.target_url IS NULL AND a.status_code = 200 AND 2 * a.seq + c.copy > ?
        ORDER BY place LIMIT ?`,
    ),
    attempts: lister<StoredAttempt>(db, "SELECT * FROM delivery_attempts WHERE delivery_seq = ? ORDER BY seq"),
    firstAttempt: getter<Pick<StoredAttempt, "chaos">>(
      db,
      "SELECT chaos FROM delivery_attempts WHERE delivery_seq = ? ORDER BY seq LIMIT 1",
    ),
  };
}
