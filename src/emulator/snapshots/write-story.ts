import { rmSync } from "node:fs";
import { isWhole } from "../../base/db/columns/values.js";
import { type Db, lister, type SqlValue } from "../../base/db/driver.js";
import { openDatabase } from "../../base/db/open.js";
import { reasonOf } from "../../base/kernel/reason.js";
import { MAX_INSTANT } from "../../base/kernel/time.js";
import { STORY_TABLES, type StoryRow, type StoryRows, storyColumns } from "../../service/features/timeline/story.js";
import { roundSeconds } from "../../service/features/transactions/rules.js";
import { transactionStore } from "../../service/features/transactions/store.js";
import { faultOf } from "./check.js";
import { disarm } from "./disarm.js";
import { ROW_RULES } from "./rows/rules.js";

/** Creates a database from the rows of a charge in an incident file (docs/decisions/152-incidents.md). */

const columnsOf = (table: string) => storyColumns(ROW_RULES[table]?.columns ?? {});

/** The columns that the rows of a table have. A file of an older version lacks those that migrations have added since. */
function columnsIn(table: string, [first = {}]: readonly StoryRow[]): string[] {
  return columnsOf(table).filter((column) => Object.hasOwn(first, column));
}

/** Returns the fault in the names of the rows, in words; null for right ones. Only names of our schema may become SQL. */
function strangeName(rows: StoryRows): string | null {
  for (const [table, all] of Object.entries(rows)) {
    if (!STORY_TABLES.includes(table)) return `it has a table ${table.slice(0, 40)}, which no incident has`;
    const columns = columnsIn(table, all);
    const isOurs = (row: StoryRow) =>
      Object.keys(row).length === columns.length && columns.every((column) => Object.hasOwn(row, column));
    if (!all.every(isOurs)) return `the columns of ${table} are not those of qa-pay`;
  }
  const [account, ...others] = rows.accounts ?? [];
  if (account === undefined || others.length > 0 || rows.transactions?.length !== 1)
    return "it is not about one charge";
  return null;
}

/** The instant of the last thing that happened. */
function endOfStory({ history = [], deliveries = [], delivery_attempts: attempts = [] }: StoryRows): number {
  const instants = [
    ...history.map(({ at }) => at),
    ...attempts.map(({ attempted_at }) => attempted_at),
    ...deliveries.map(({ updated_at }) => updated_at),
  ];
  const known = instants.filter((at): at is number => isWhole(at) && at >= 0 && at <= MAX_INSTANT);
  return known.reduce((latest, at) => Math.max(latest, at), 0);
}

const TYPES: Readonly<Record<string, string>> = { INTEGER: "number", TEXT: "string" };

interface SqlColumn {
  readonly name: string;
  readonly type: string;
  /** True if a row must have a value for it, because no migration could have added it. */
  readonly needed: number;
}

const SQL_COLUMNS = `SELECT name, type, pk > 0 OR ("notnull" AND dflt_value IS NULL) AS needed FROM pragma_table_info(?)`;

/** SQLite would number a row without a key, and turn a text of digits into a number. */
function checkColumns(db: Db, table: string, rows: readonly StoryRow[]): void {
  for (const { name, type, needed } of lister<SqlColumn>(db, SQL_COLUMNS)(table)) {
    const isOdd = ({ [name]: value }: StoryRow) =>
      value !== undefined && value !== null && typeof value !== TYPES[type];
    if (rows.some(isOdd)) throw new Error(`a value in ${name} of ${table} has another type`);
    if (needed && rows.some((row) => !Object.hasOwn(row, name)))
      throw new Error(`the rows of ${table} have no ${name}`);
  }
}

/** A column that the rows do not have gets its default, as a migration gives it to old rows. */
function insert(db: Db, rows: StoryRows): void {
  for (const table of STORY_TABLES) {
    const all = rows[table] ?? [];
    const columns = columnsIn(table, all);
    checkColumns(db, table, all);
    if (all.length === 0) continue;
    const into = `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
    const statement = db.prepare(into);
    for (const row of all) statement.run(...columns.map((column): SqlValue => row[column] ?? null));
  }
}

/** The other rows that a database needs: both books of the account, the times to pay, and a clock that stands at the end. */
function complete(db: Db, rows: StoryRows): void {
  db.exec(
    `INSERT INTO books (account_id, mode) SELECT a.id, m.mode FROM accounts a, (SELECT 'test' AS mode UNION SELECT 'live') m
      WHERE NOT EXISTS (SELECT 1 FROM books b WHERE b.account_id = a.id AND b.mode = m.mode)`,
  );
  const paid = lister<{ book_id: number; day: number; currency: string; ms: number }>(
    db,
    "SELECT book_id, day, currency, paid_at - created_at AS ms FROM transactions WHERE paid_at IS NOT NULL",
  );
  const { countPaymentTime } = transactionStore(db);
  for (const { book_id, day, currency, ms } of paid()) countPaymentTime(book_id, day, currency, roundSeconds(ms));
  const at = endOfStory(rows);
  const clock = JSON.stringify({ offset: 0, frozenAt: at, shown: at });
  db.prepare("INSERT INTO settings (name, value) VALUES ('clock', ?)").run(clock);
}

/**
 * Writes the rows into a new database file. Returns their fault in words, or null when every value passed the checks of an
 * import. No file is left after a fault.
 */
export function writeStory(path: string, rows: StoryRows, secret: string): string | null {
  const strange = strangeName(rows);
  if (strange !== null) return strange;
  const database = openDatabase(path);
  let wrong: string | null;
  try {
    database.db.exec("BEGIN");
    insert(database.db, rows);
    disarm(database.db, secret);
    complete(database.db, rows);
    database.db.exec("COMMIT");
    wrong = faultOf(database.db);
  } catch (error) {
    wrong = reasonOf(error);
  } finally {
    database.close();
  }
  if (wrong !== null) rmSync(path, { force: true });
  return wrong;
}
