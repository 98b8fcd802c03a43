import { type Db, getter } from "./driver.js";
import { damageOf, distrust, lookInto, usableVersion } from "./look.js";
import { MIGRATIONS } from "./migrations/index.js";
import { oddSchema } from "./schema.js";

const UNBALANCED = `SELECT journal_id AS id FROM ledger_entries GROUP BY journal_id HAVING SUM(amount) <> 0 LIMIT 1`;
const WRONG_BALANCE = `
  SELECT COALESCE(b.currency, e.currency) || ' ' || COALESCE(b.bucket, e.bucket) AS name
    FROM ledger_balances b FULL JOIN (
      SELECT book_id, currency, bucket, SUM(amount) AS balance FROM ledger_entries GROUP BY book_id, currency, bucket
    ) e ON e.book_id = b.book_id AND e.currency = b.currency AND e.bucket = b.bucket
   WHERE COALESCE(b.balance, 0) <> COALESCE(e.balance, 0) LIMIT 1`;

/** Returns which sum of the ledger is wrong, in words; null when all are right. */
export function findLedgerFault(db: Db): string | null {
  const journal = getter<{ id: number }>(db, UNBALANCED)();
  if (journal !== null) return `journal ${journal.id} does not sum to zero`;
  const balance = getter<{ name: string }>(db, WRONG_BALANCE)();
  return balance === null ? null : `the balance of ${balance.name} is not the sum of its entries`;
}

/**
 * Inspects a database and changes nothing. Throws DatabaseError, which says what to do, for a file that cannot be read
 * or is no database of qa-pay. Returns the version of the schema (0 for an empty database) and the newest that this program writes,
 * what is wrong with the file, and which sum of the ledger; null where all is right. The ledger of a damaged file is not read.
 */
export function inspectDatabase(file: string, migrations = MIGRATIONS) {
  const newest = migrations.length;
  return lookInto(file, (db) => {
    const version = usableVersion(db, file, migrations);
    distrust(db);
    const odd = oddSchema(db, migrations.slice(0, version));
    // A view in place of a table could keep the queries below busy for ever.
    if (odd !== null) return { version, newest, damage: `it ${odd}`, ledger: null };
    const damage = damageOf(db);
    const ledger = damage !== null || version === 0 ? null : findLedgerFault(db);
    return { version, newest, damage, ledger };
  });
}
