import { getter } from "./driver.js";
import { openReadOnly } from "./open.js";

/** What can be said of a database without changing it. Null stands for nothing to say. */
export interface Inspection {
  readonly driver: string;
  readonly version: number;
  /** What SQLite finds wrong with the file. */
  readonly damage: string | null;
  /** What does not add up in the ledger. */
  readonly ledger: string | null;
}

const UNBALANCED = `SELECT journal_id AS id FROM ledger_entries GROUP BY journal_id HAVING SUM(amount) <> 0 LIMIT 1`;
const WRONG_BALANCE = `
  SELECT COALESCE(b.currency, e.currency) || ' ' || COALESCE(b.bucket, e.bucket) AS name
    FROM ledger_balances b FULL JOIN (
      SELECT book_id, currency, bucket, SUM(amount) AS balance FROM ledger_entries GROUP BY book_id, currency, bucket
    ) e ON e.book_id = b.book_id AND e.currency = b.currency AND e.bucket = b.bucket
   WHERE COALESCE(b.balance, 0) <> COALESCE(e.balance, 0) LIMIT 1`;

/** Looks into a database, or only at the driver when there is no file. Throws DatabaseError when it cannot be read. */
export function inspectDatabase(file: string | null): Inspection {
  const { db, driver, close } = openReadOnly(file ?? ":memory:");
  try {
    const { user_version: version } = getter<{ user_version: number }>(db, "PRAGMA user_version")() ?? {
      user_version: 0,
    };
    const check = getter<{ quick_check: string }>(db, "PRAGMA quick_check(1)")()?.quick_check ?? "ok";
    if (version === 0) return { driver, version, damage: check === "ok" ? null : check, ledger: null };
    const journal = getter<{ id: number }>(db, UNBALANCED)();
    const balance = getter<{ name: string }>(db, WRONG_BALANCE)();
    const wrong = journal === null ? null : `journal ${journal.id} does not sum to zero`;
    return {
      driver,
      version,
      damage: check === "ok" ? null : check,
      ledger: wrong ?? (balance === null ? null : `the balance of ${balance.name} is not the sum of its entries`),
    };
  } finally {
    close();
  }
}
