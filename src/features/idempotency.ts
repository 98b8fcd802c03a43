import { type Db, getter, inserter } from "../db/driver.js";
import type { IdempotencyKind } from "../kernel/contract.js";

/** A used idempotency key with its first answer. The body of the answer is `body`, or else the data of an event. */
export interface IdempotencyRow {
  readonly book_id: number;
  readonly kind: IdempotencyKind;
  readonly key: string;
  readonly request_hash: string;
  readonly status: number;
  readonly body: string | null;
  readonly event_seq: number | null;
  readonly created_at: number;
}

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

export function idempotencyStore(db: Db) {
  return {
    find: getter<{ request_hash: string; status: number; body: string }>(
      db,
      `SELECT k.request_hash, k.status, COALESCE(k.body, e.data) AS body
         FROM idempotency_keys k LEFT JOIN events e ON e.seq = k.event_seq
        WHERE k.book_id = ? AND k.kind = ? AND k.key = ?`,
    ),
    claim: inserter<IdempotencyRow>(db)(
      "idempotency_keys",
      ["book_id", "kind", "key", "request_hash", "status", "body", "event_seq", "created_at"],
      (row) => [row.book_id, row.kind, row.key, row.request_hash, row.status, row.body, row.event_seq, row.created_at],
    ),
  };
}
