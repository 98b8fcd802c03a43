import { charactersOf, jsonObject, oneOf, optional, refersTo, whole, words } from "../../../base/db/columns/rule.js";
import { book, instant } from "../../../base/db/columns/values.js";
import { type Db, getter, inserter } from "../../../base/db/driver.js";
import { IDEMPOTENCY_KINDS } from "../../../base/kernel/contract.js";

/** A used idempotency key with its first answer. The body of the answer is `body`, or else the data of an event. */
export const IDEMPOTENCY_KEY = {
  book_id: book,
  kind: oneOf(IDEMPOTENCY_KINDS),
  key: words,
  request_hash: charactersOf("A-Za-z0-9_-", 43),
  status: whole(200, 299),
  body: optional(jsonObject()),
  event_seq: optional(refersTo<number>("events", "seq")),
  created_at: instant,
};

export type IdempotencyStore = ReturnType<typeof idempotencyStore>;

export function idempotencyStore(db: Db) {
  return {
    find: getter<{ request_hash: string; status: number; body: string }>(
      db,
      `SELECT k.request_hash, k.status, COALESCE(k.body, e.data) AS body
         FROM idempotency_keys k LEFT JOIN events e ON e.seq = k.event_seq
        WHERE k.book_id = ? AND k.kind = ? AND k.key = ?`,
    ),
    claim: inserter(db, "idempotency_keys", IDEMPOTENCY_KEY),
  };
}
