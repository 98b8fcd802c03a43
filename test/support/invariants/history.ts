import { type Invariant, sqlInvariant } from "./invariant.js";

/** The history: every change, its cause, and the rows that follow from it. */

const OBJECTS = { transaction: "transactions", refund: "refunds", payout: "payouts", med_case: "med_cases" } as const;

/** Every move of every object, with the move before it. */
const MOVES = `SELECT *, LAG(to_status) OVER (PARTITION BY noun, subject ORDER BY seq) AS status_before,
  LEAD(seq) OVER (PARTITION BY noun, subject ORDER BY seq) AS next_seq FROM history WHERE to_status IS NOT NULL`;

/** Rows of (what, book_id, history_seq, at). `at` is null for rows that may be later than their cause. */
const CAUSED = `SELECT 'event ' || id AS what, book_id, history_seq, created_at AS at FROM events
  UNION ALL SELECT 'journal ' || id, book_id, history_seq, created_at FROM ledger_journals
  UNION ALL SELECT 'e-mail ' || id, book_id, history_seq, created_at FROM emails
  UNION ALL SELECT 'delivery ' || id, book_id, history_seq, created_at FROM deliveries WHERE history_seq IS NOT NULL
  UNION ALL SELECT 'work ' || kind || ' of ' || subject, book_id, history_seq, NULL FROM jobs`;

export const HISTORY_INVARIANTS: readonly Invariant[] = [
  sqlInvariant(
    "the status of every object is that of its last move",
    Object.entries(OBJECTS)
      .map(
        ([
          noun,
          table,
        ]) => `SELECT '${noun} ' || o.id || ' is ' || o.status || ' and was moved to ' || COALESCE(m.to_status, 'nothing')
          FROM ${table} o LEFT JOIN (${MOVES}) m ON m.noun = '${noun}' AND m.subject = o.id AND m.next_seq IS NULL
         WHERE m.to_status IS NOT o.status`,
      )
      .join(" UNION ALL "),
  ),
  sqlInvariant(
    "every move begins where the one before it ended",
    `SELECT noun || ' ' || subject || ' moves from ' || COALESCE(from_status, 'nothing') || ' and was ' || COALESCE(status_before, 'nothing')
       FROM (${MOVES}) WHERE from_status IS NOT status_before OR (from_status IS NULL) <> (move = 'create')`,
  ),
  sqlInvariant(
    "what comes of something is in its book, at its instant",
    `SELECT c.what || ' comes of ' || COALESCE(h.noun || ' ' || h.subject, 'nothing') FROM (${CAUSED}) c
       LEFT JOIN history h ON h.seq = c.history_seq
      WHERE h.book_id IS NOT c.book_id OR (c.at IS NOT NULL AND h.at <> c.at)`,
  ),
  sqlInvariant(
    "everything has a cause: due work what made it due, a request its number",
    `SELECT h.move || ' of ' || h.noun || ' ' || h.subject || ' was caused by ' || h.cause FROM history h
       LEFT JOIN history p ON p.seq = h.parent
      WHERE (h.cause LIKE 'work %') <> (h.parent IS NOT NULL)
         OR (h.parent IS NOT NULL AND (p.seq IS NULL OR p.seq >= h.seq OR p.book_id IS NOT h.book_id))
         OR (h.cause LIKE 'request %' OR h.cause LIKE 'page %') <> (h.request IS NOT NULL)`,
  ),
];
