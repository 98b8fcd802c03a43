import { type Db, getter } from "../../base/db/driver.js";

/**
 * Checks the stored figures about rows against the rows: `daily_figures`, `payment_times` and `deliveries.event_type` of the
 * schema.
 */

const KEY = ["book_id", "day", "status", "currency", "method"];
const FIGURES = ["count", "gross", "fees", "refunded"];

const WRONG_DAY = `
  SELECT 1 AS wrong
    FROM (SELECT * FROM daily_figures WHERE ${FIGURES.map((name) => `${name} <> 0`).join(" OR ")}) kept
    FULL JOIN (
      SELECT book_id, day, status, currency, CASE WHEN paid_at IS NULL THEN '' ELSE paid_with END AS method,
             COUNT(*) AS count, SUM(amount) AS gross, SUM(provider_fee + platform_fee) AS fees,
             SUM(refunded_amount) AS refunded
        FROM transactions GROUP BY 1, 2, 3, 4, 5
    ) made ON ${KEY.map((name) => `kept.${name} = made.${name}`).join(" AND ")}
   WHERE ${FIGURES.map((name) => `kept.${name} IS NOT made.${name}`).join(" OR ")} LIMIT 1`;

/** Each payment is counted once for each span. */
const WRONG_TIMES = `
  SELECT 1 AS wrong
    FROM (SELECT book_id, currency, span, SUM(count) AS count FROM payment_times GROUP BY 1, 2, 3) kept
    FULL JOIN (
      SELECT book_id, currency, span, COUNT(*) AS count
        FROM transactions, (SELECT 1 AS span UNION SELECT 32) WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3
    ) made ON kept.book_id = made.book_id AND kept.currency = made.currency AND kept.span = made.span
   WHERE kept.count IS NOT made.count LIMIT 1`;

const WRONG_TYPE = `
  SELECT 1 AS wrong FROM deliveries d JOIN events e ON e.seq = d.event_seq WHERE d.event_type <> e.type LIMIT 1`;

/** The stored figures about rows, and the sentence for a wrong one. */
const KEPT = [
  [WRONG_DAY, "the figures of a day are not those of its transactions"],
  [WRONG_TIMES, "the times to pay are not those of the transactions"],
  [WRONG_TYPE, "the type of a delivery is not that of its event"],
] as const;

/** Which figures are wrong, in words; null when all are right. */
export function findWrongFigures(db: Db): string | null {
  return KEPT.find(([wrong]) => getter(db, wrong)() !== null)?.[1] ?? null;
}
