import { type Invariant, sameRows, sqlInvariant } from "./invariant.js";

/** The ledger, the balances of every wallet, and the figures behind lists and statistics. */

/** The amount that each bucket must hold, computed from the objects and not from the ledger. */
const OWED = `
  WITH facts AS (
    SELECT book_id, currency, 'provider_fees' AS bucket, provider_fee AS amount FROM transactions
     WHERE paid_at IS NOT NULL
    UNION ALL SELECT book_id, currency, 'platform_fees', platform_fee FROM transactions WHERE paid_at IS NOT NULL
    UNION ALL SELECT book_id, currency, 'wallet', amount - provider_fee - platform_fee FROM transactions
     WHERE paid_at IS NOT NULL
    UNION ALL SELECT book_id, currency, 'review', amount FROM transactions
     WHERE status = 'PROCESSING' AND held_at IS NOT NULL
    UNION ALL SELECT t.book_id, t.currency, 'wallet', -r.amount - r.fee
      FROM refunds r JOIN transactions t ON t.id = r.transaction_id
     WHERE t.paid_at IS NOT NULL AND r.status <> 'FAILED'
    UNION ALL SELECT t.book_id, t.currency, 'clearing', r.amount + r.fee
      FROM refunds r JOIN transactions t ON t.id = r.transaction_id WHERE r.status IN ('PENDING', 'IN_PROGRESS')
    UNION ALL SELECT t.book_id, t.currency, 'provider_fees', r.fee
      FROM refunds r JOIN transactions t ON t.id = r.transaction_id WHERE r.status = 'REFUNDED'
    UNION ALL SELECT book_id, currency, 'wallet', -amount FROM payouts WHERE status <> 'failed'
    UNION ALL SELECT book_id, currency, 'clearing', amount FROM payouts WHERE status = 'pending'
    UNION ALL SELECT book_id, currency, 'wallet', -held FROM med_cases
     WHERE money_outcome IS NULL OR money_outcome <> 'refunded_to_merchant'
    UNION ALL SELECT book_id, currency, 'retained', held FROM med_cases WHERE money_outcome IS NULL)
  SELECT book_id, currency, bucket, SUM(amount) AS balance FROM facts GROUP BY 1, 2, 3 HAVING balance <> 0`;

const HELD = `
  SELECT book_id, currency, CASE WHEN bucket IN ('available', 'pending') THEN 'wallet' ELSE bucket END AS bucket,
         SUM(balance) AS balance
    FROM ledger_balances WHERE bucket <> 'world' GROUP BY 1, 2, 3 HAVING SUM(balance) <> 0`;

const LEDGER: readonly Invariant[] = [
  sqlInvariant(
    "every journal sums to zero",
    `SELECT 'journal ' || journal_id || ' sums to ' || SUM(amount) || ' ' || currency FROM ledger_entries
      GROUP BY journal_id, currency HAVING SUM(amount) <> 0`,
  ),
  sqlInvariant(
    "every journal has entries, of its own book and of one currency",
    `SELECT 'journal ' || j.id || ' of book ' || j.book_id || ' has ' || COUNT(e.id) || ' entries in '
            || COALESCE(GROUP_CONCAT(DISTINCT e.currency || ' of book ' || e.book_id), 'nothing')
       FROM ledger_journals j LEFT JOIN ledger_entries e ON e.journal_id = j.id GROUP BY j.id
     HAVING COUNT(e.id) = 0 OR COUNT(DISTINCT e.currency) > 1 OR MIN(e.book_id) <> j.book_id OR MAX(e.book_id) <> j.book_id`,
  ),
  sameRows(
    "every balance is the sum of its entries",
    "SELECT book_id, currency, bucket, balance FROM ledger_balances",
    "SELECT book_id, currency, bucket, SUM(amount) AS balance FROM ledger_entries GROUP BY 1, 2, 3",
  ),
  sameRows("the ledger holds what payments, refunds, payouts and cases add up to", HELD, OWED),
  sameRows(
    "pending money waits in tranches",
    "SELECT book_id, currency, balance FROM ledger_balances WHERE bucket = 'pending' AND balance <> 0",
    `SELECT book_id, currency, SUM(amount) AS balance FROM tranches WHERE released_at IS NULL GROUP BY 1, 2`,
  ),
];

/** Every transaction with the sum of its refunds that have not failed, and the sum of those that are done. */
const REFUNDED = `
  SELECT t.id, t.status, t.amount, t.paid_at, t.refunded_amount,
         COALESCE(SUM(r.amount) FILTER (WHERE r.status <> 'FAILED'), 0) AS taken,
         COALESCE(SUM(r.amount) FILTER (WHERE r.status = 'REFUNDED'), 0) AS done
    FROM transactions t LEFT JOIN refunds r ON r.transaction_id = t.id GROUP BY t.id`;

/** Transactions with the cases that hold a part of their money, or have lost it. */
const CONTESTED = `
  SELECT t.id, t.status, COUNT(m.id) FILTER (WHERE m.money_outcome IS NULL) AS undecided,
         COUNT(m.id) FILTER (WHERE m.held > 0 AND COALESCE(m.money_outcome, '') <> 'refunded_to_merchant') AS lost
    FROM transactions t LEFT JOIN med_cases m ON m.transaction_id = t.id GROUP BY t.id`;

const TRANSACTIONS: readonly Invariant[] = [
  sqlInvariant(
    "no transaction gives back more than it received",
    `SELECT 'transaction ' || id || ' of ' || amount || ' has refunds of ' || taken FROM (${REFUNDED})
      WHERE taken > amount`,
  ),
  sqlInvariant(
    "a transaction knows what its refunds gave back",
    `SELECT 'transaction ' || id || ' says ' || refunded_amount || ' where refunds say ' || done FROM (${REFUNDED})
      WHERE refunded_amount <> CASE WHEN paid_at IS NULL THEN 0 ELSE done END`,
  ),
  sqlInvariant(
    "a transaction is REFUNDED while, and only while, all of it went back",
    `SELECT 'transaction ' || id || ' is ' || status || ' with ' || done || ' of ' || amount || ' given back'
       FROM (${REFUNDED}) WHERE (status = 'REFUNDED') <> (done = amount)`,
  ),
  sqlInvariant(
    "a transaction is disputed while, and only while, a case holds its money or has lost it",
    `SELECT 'transaction ' || id || ' is ' || status || ' with ' || lost || ' such cases' FROM (${CONTESTED})
      WHERE (status IN ('DISPUTE', 'CHARGEBACK')) <> (lost > 0) OR undecided > 1`,
  ),
];

const PAID_METHOD = "CASE WHEN paid_at IS NULL THEN '' ELSE paid_with END";
/** Whole seconds to two significant digits. */
const SECONDS = "CAST(ROUND((paid_at - created_at) / 1000.0) AS INTEGER)";
const SCALE = `CAST(POW(10, MAX(0, LENGTH(${SECONDS}) - 2)) AS INTEGER)`;
const ROUNDED = `MAX(0, (${SECONDS} + ${SCALE} / 2) / ${SCALE} * ${SCALE})`;

const FIGURES: readonly Invariant[] = [
  sameRows(
    "the figures of each day are those of its transactions",
    `SELECT book_id, day, status, currency, method, count, gross, fees, refunded FROM daily_figures
      WHERE count <> 0 OR gross <> 0 OR fees <> 0 OR refunded <> 0`,
    `SELECT book_id, day, status, currency, ${PAID_METHOD} AS method, COUNT(*) AS count, SUM(amount) AS gross,
            SUM(provider_fee + platform_fee) AS fees, SUM(refunded_amount) AS refunded
       FROM transactions GROUP BY 1, 2, 3, 4, 5`,
  ),
  sameRows(
    "the times to pay are those of the transactions",
    "SELECT book_id, span, start, currency, seconds, count FROM payment_times",
    `SELECT book_id, span, day / span * span AS start, currency, ${ROUNDED} AS seconds, COUNT(*) AS count
       FROM transactions, (SELECT 1 AS span UNION SELECT 32) WHERE paid_at IS NOT NULL GROUP BY 1, 2, 3, 4, 5`,
  ),
];

export const MONEY_INVARIANTS: readonly Invariant[] = [...LEDGER, ...TRANSACTIONS, ...FIGURES];
