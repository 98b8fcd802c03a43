import type { Db } from "../../../src/base/db/driver.js";
import { faultOf } from "../../../src/emulator/snapshots/check.js";
import { type Invariant, sqlInvariant, textsOf } from "./invariant.js";

/** The file itself, rows that belong together, due work, and the deliveries of webhooks. */

/** The first invariant. When it is broken, no other row can be read reliably. */
export const FILE_IS_WHOLE: Invariant = {
  name: "SQLite finds the file whole",
  breaches: (db) => {
    try {
      return textsOf(db, "PRAGMA integrity_check").filter((text) => text !== "ok");
    } catch (error) {
      return [String(error)];
    }
  },
};

/** The emulated instant at which the clock of a new start on this database would continue, in milliseconds. */
function clockOf(db: Db): { readonly now: number; readonly frozen: boolean } {
  const [text] = textsOf(db, "SELECT value FROM settings WHERE name = 'clock'");
  const { offset, frozenAt } = JSON.parse(text ?? '{"offset":0,"frozenAt":null}') as {
    offset: number;
    frozenAt: number | null;
  };
  return { now: frozenAt ?? Date.now() + offset, frozen: frozenAt !== null };
}

/** Tables whose rows are made on the emulated clock and go with a reset. */
const DATED = {
  transactions: "MAX(created_at, updated_at, COALESCE(paid_at, 0))",
  refunds: "MAX(created_at, updated_at)",
  payouts: "MAX(created_at, updated_at)",
  ledger_journals: "created_at",
  events: "created_at",
  deliveries: "MAX(created_at, updated_at, COALESCE(delivered_at, 0))",
  delivery_attempts: "attempted_at",
  med_cases: "MAX(created_at, updated_at, COALESCE(closed_at, 0))",
  med_evidence: "MAX(created_at, COALESCE(uploaded_at, 0))",
  emails: "created_at",
  audit: "created_at",
  history: "at",
} as const;

const NOT_AHEAD: Invariant = {
  name: "nothing happened later than the emulated now",
  breaches: (db) => {
    const { now } = clockOf(db);
    return Object.entries(DATED).flatMap(([table, at]) => {
      const ahead = Number(textsOf(db, `SELECT COALESCE(MAX(${at}), 0) FROM ${table}`)[0]) - now;
      return ahead <= 0 ? [] : [`the newest row of ${table} is ${ahead} ms ahead of the clock`];
    });
  },
};

/**
 * Rules between rows that foreign keys do not check. Which events each change has, and in which order, says the model of the
 * simulation.
 */
const REFERENCES: readonly Invariant[] = [
  {
    name: "every foreign key leads somewhere",
    breaches: (db) =>
      (db.prepare("PRAGMA foreign_key_check").all() as { table: string; parent: string }[]).map(
        ({ table, parent }) => `a row of ${table} belongs to no row of ${parent}`,
      ),
  },
  sqlInvariant(
    "every account has both books and an API key for each",
    `SELECT 'account ' || a.id || ' has ' || COUNT(DISTINCT b.id) || ' books, ' || COUNT(DISTINCT k.book_id) || ' with keys'
       FROM accounts a LEFT JOIN books b ON b.account_id = a.id LEFT JOIN api_keys k ON k.book_id = b.id
      GROUP BY a.id HAVING COUNT(DISTINCT b.id) <> 2 OR COUNT(DISTINCT k.book_id) <> 2`,
  ),
  sqlInvariant(
    "an account has a user of every role, or none yet",
    `SELECT 'account ' || account_id || ' has ' || COUNT(*) || ' users' FROM users GROUP BY account_id
     HAVING COUNT(*) <> 3 OR COUNT(DISTINCT role) <> 3`,
  ),
  sqlInvariant(
    "what the audit speaks of is there",
    `SELECT 'audit ' || id || ' is of key ' || key_id || ' and user ' || user_id FROM audit
      WHERE key_id NOT IN (SELECT id FROM api_keys) OR user_id NOT IN (SELECT id FROM users)`,
  ),
  sqlInvariant(
    "an idempotency key stands for an object of its book",
    `WITH answers AS (
       SELECT k.book_id, k.kind, k.key, e.subject AS id, e.type FROM idempotency_keys k
         LEFT JOIN events e ON e.seq = k.event_seq AND e.book_id = k.book_id WHERE k.body IS NULL
       UNION ALL SELECT book_id, kind, key, SUBSTR(json_extract(body, '$.id'), -36), NULL FROM idempotency_keys
        WHERE body IS NOT NULL)
     SELECT 'the ' || a.kind || ' key ' || a.key || ' stands for ' || COALESCE(a.id, 'nothing') FROM answers a
       LEFT JOIN refunds r ON a.kind = 'refund' AND r.id = a.id
       LEFT JOIN transactions t ON t.id = COALESCE(r.transaction_id, a.id) AND t.book_id = a.book_id
      WHERE t.id IS NULL OR (a.kind = 'refund' AND r.id IS NULL) OR COALESCE(a.type, 'charge.created') <> 'charge.created'`,
  ),
  sqlInvariant(
    "every event is about something that is there, in its own book",
    `SELECT 'event ' || e.id || ', ' || e.type || ', is about nothing' FROM events e
      WHERE NOT EXISTS (SELECT 1 FROM transactions t WHERE t.id = e.subject AND t.book_id = e.book_id)
        AND NOT EXISTS (SELECT 1 FROM payouts p WHERE p.id = e.subject AND p.book_id = e.book_id)
        AND NOT EXISTS (SELECT 1 FROM med_cases m WHERE m.id = e.subject AND m.book_id = e.book_id)`,
  ),
  sqlInvariant(
    "every case was announced by one e-mail, and its end by another",
    `SELECT 'case ' || m.id || ' in ' || m.status || ' has the e-mails ' || COALESCE(GROUP_CONCAT(e.kind), 'none')
       FROM med_cases m LEFT JOIN emails e ON e.case_id = m.id GROUP BY m.id
     HAVING SUM(e.kind IS 'MED opened') <> 1 OR SUM(e.kind IS 'MED resolved') <> (m.money_outcome IS NOT NULL)`,
  ),
  sqlInvariant(
    "a file of evidence is as long as it is said to be",
    `SELECT 'evidence ' || id || ' of ' || COALESCE(stored_size, 'no') || ' bytes has ' || COALESCE(LENGTH(content), 'none')
       FROM med_evidence WHERE stored_size IS NOT LENGTH(content) OR (uploaded_at IS NOT NULL AND stored_size <> file_size)`,
  ),
];

/** `job` must be among the due work of every row that `subjects` finds, which are rows of (id, text, payload, due). */
function due(name: string, job: string, subjects: string): Invariant {
  return sqlInvariant(
    name,
    `SELECT s.text || ' has no ${job} due' FROM (${subjects}) s WHERE NOT EXISTS (
       SELECT 1 FROM jobs j WHERE j.kind = '${job}' AND j.subject = CAST(s.id AS TEXT)
          AND (s.payload IS NULL OR json_extract(j.payload, '$.from') = s.payload)
          AND (s.due IS NULL OR j.due_at = s.due OR j.failures > 0))`,
  );
}

const JOBS: readonly Invariant[] = [
  due(
    "whatever waits for its payer has its expiry due",
    "transaction.expire",
    `SELECT id, 'transaction ' || id AS text, NULL AS payload, expires_at AS due FROM transactions
      WHERE status IN ('PENDING', 'WAITING_PAYMENT') OR (status = 'PROCESSING' AND held_at IS NULL)`,
  ),
  due(
    "whatever the acquirer has not issued yet has its issue due",
    "transaction.finalise",
    `SELECT id, 'transaction ' || id AS text, NULL AS payload, NULL AS due FROM transactions
      WHERE status = 'WAITING_PAYMENT' AND provider_reference IS NULL`,
  ),
  due(
    "a refund on its way has its next step due",
    "refund.advance",
    `SELECT id, 'refund ' || id || ' in ' || status AS text, status AS payload, NULL AS due FROM refunds
      WHERE status IN ('PENDING', 'IN_PROGRESS')`,
  ),
  due(
    "money that is held has its release due",
    "wallet.release",
    "SELECT id, 'tranche ' || id AS text, NULL AS payload, release_at AS due FROM tranches WHERE released_at IS NULL",
  ),
  {
    name: "a case that a scenario asks for is due or was opened",
    breaches: (db) =>
      textsOf(
        db,
        `SELECT 'transaction ' || id || ' has no med.open due' FROM transactions t
          WHERE script IS NOT NULL AND paid_at + ROUND(json_extract(script, '$.medAfter') * 1000) > ?
            AND NOT EXISTS (SELECT 1 FROM jobs j WHERE j.kind = 'med.open' AND j.subject = t.id)`,
        clockOf(db).now,
      ),
  },
  sqlInvariant(
    "due work is of something that is there",
    `SELECT kind || ' of ' || subject || ' is of nothing' FROM jobs j
      WHERE CASE WHEN kind = 'refund.advance' THEN NOT EXISTS (SELECT 1 FROM refunds WHERE id = j.subject)
                 WHEN kind = 'wallet.release' THEN NOT EXISTS (SELECT 1 FROM tranches WHERE id = CAST(j.subject AS INTEGER))
                 ELSE NOT EXISTS (SELECT 1 FROM transactions WHERE id = j.subject) END`,
  ),
];

const DELIVERIES: readonly Invariant[] = [
  sqlInvariant(
    "a delivery is of an event and an endpoint of its own book",
    `SELECT 'delivery ' || d.id || ' of book ' || d.book_id || ' joins books ' || e.book_id || ' and ' || p.book_id
       FROM deliveries d JOIN events e ON e.seq = d.event_seq JOIN endpoints p ON p.seq = d.endpoint_seq
      WHERE d.book_id <> e.book_id OR d.book_id <> p.book_id`,
  ),
  sqlInvariant(
    "the state of a delivery agrees with itself and with its endpoint",
    `SELECT 'delivery ' || d.id || ' is ' || d.status || ', parked ' || d.parked || ', after ' || d.attempts || ' attempts'
       FROM deliveries d JOIN endpoints p ON p.seq = d.endpoint_seq
      WHERE (d.status = 'DELIVERED') <> (d.delivered_at IS NOT NULL)
         OR (d.status IN ('PENDING', 'PROCESSING') AND (d.next_attempt_at IS NULL OR (p.deleted_at IS NOT NULL AND d.target_url IS NULL)))
         OR (d.status = 'FAILED' AND d.attempts < d.max_attempts)
         OR (d.status = 'CANCELLED' AND p.deleted_at IS NULL)
         OR (d.status = 'PENDING' AND d.parked <> (d.target_url IS NULL AND p.status = 'INACTIVE'))`,
  ),
  sqlInvariant(
    "every attempt is on record, in order",
    `SELECT 'delivery ' || d.id || ', ' || d.status || ' after ' || d.attempts || ' attempts, has ' || COUNT(a.seq) || ' on record'
       FROM deliveries d LEFT JOIN delivery_attempts a ON a.delivery_seq = d.seq GROUP BY d.seq
     HAVING COUNT(DISTINCT a.attempt) <> COUNT(a.seq) OR COALESCE(MAX(a.attempt), 0) <> COUNT(a.seq)
         OR NOT (COUNT(a.seq) = d.attempts OR (d.status = 'CANCELLED' AND COUNT(a.seq) = d.attempts + 1))`,
  ),
];

/** A start and an import refuse a database that breaks one of the rules. */
const AS_WRITTEN: Invariant = {
  name: "every value is as the product writes it",
  breaches: (db) => [faultOf(db as unknown as Db)].filter((fault) => fault !== null),
};

export const RECORD_INVARIANTS: readonly Invariant[] = [
  FILE_IS_WHOLE,
  AS_WRITTEN,
  NOT_AHEAD,
  ...REFERENCES,
  ...JOBS,
  ...DELIVERIES,
];
