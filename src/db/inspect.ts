import { type Db, getter } from "./driver.js";
import { MIGRATIONS } from "./migrations/index.js";
import { lookInto, usableVersion } from "./open.js";

/** What can be said of a database without changing it. Null stands for nothing to say. */
interface Inspection {
  /** How many migrations it has had, of how many there are; 0 for an empty one. */
  readonly version: number;
  readonly newest: number;
  /** What SQLite finds wrong with the file. */
  readonly damage: string | null;
  /** What does not add up in the ledger; not looked at in a damaged file. */
  readonly ledger: string | null;
}

const UNBALANCED = `SELECT journal_id AS id FROM ledger_entries GROUP BY journal_id HAVING SUM(amount) <> 0 LIMIT 1`;
const WRONG_BALANCE = `
  SELECT COALESCE(b.currency, e.currency) || ' ' || COALESCE(b.bucket, e.bucket) AS name
    FROM ledger_balances b FULL JOIN (
      SELECT book_id, currency, bucket, SUM(amount) AS balance FROM ledger_entries GROUP BY book_id, currency, bucket
    ) e ON e.book_id = b.book_id AND e.currency = b.currency AND e.bucket = b.bucket
   WHERE COALESCE(b.balance, 0) <> COALESCE(e.balance, 0) LIMIT 1`;

function wrongLedger(db: Db): string | null {
  const journal = getter<{ id: number }>(db, UNBALANCED)();
  if (journal !== null) return `journal ${journal.id} does not sum to zero`;
  const balance = getter<{ name: string }>(db, WRONG_BALANCE)();
  return balance === null ? null : `the balance of ${balance.name} is not the sum of its entries`;
}

/** Throws DatabaseError, with the way out, for a file that is no database of this version or cannot be read at all. */
export function inspectDatabase(file: string, migrations = MIGRATIONS): Inspection {
  return lookInto(file, (db) => {
    const version = usableVersion(db, file, migrations);
    const check = getter<{ quick_check: string }>(db, "PRAGMA quick_check(1)")()?.quick_check ?? "ok";
    const damage = check === "ok" ? null : check;
    const ledger = damage !== null || version === 0 ? null : wrongLedger(db);
    return { version, newest: migrations.length, damage, ledger };
  });
}
