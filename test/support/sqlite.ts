import type { Db, SqlValue } from "../../src/base/db/driver.js";
import { loadDriver } from "../../src/base/db/load-driver.js";

/**
 * SQLite files, as tests look at them and change them. The driver is that of the service: better-sqlite3 need not be there, and
 * in one process two copies of SQLite take away each other's locks.
 */
export function openFile(file: string, readOnly = false): Db {
  const db = loadDriver().open(file, readOnly);
  // An object of native code cannot be used through a proxy, which `shared` returns.
  return { prepare: (sql) => db.prepare(sql), exec: (sql) => db.exec(sql), close: () => db.close() };
}

/** Opens a file whose schema may be written as rows are, in drivers that forbid it by default. */
export function openUnguarded(file: string): Db {
  const db: Db & { unsafeMode?(on: boolean): void; enableDefensive?(on: boolean): void } = loadDriver().open(file);
  db.unsafeMode?.(true);
  db.enableDefensive?.(false);
  return db;
}

/** The first column of each row. */
export function columnOf(db: Db, query: string, ...values: SqlValue[]): unknown[] {
  return db
    .prepare(query)
    .all(...values)
    .map((row) => Object.values(row ?? {})[0]);
}

/** The first column of the first row. */
export function firstOf(db: Db, query: string, ...values: SqlValue[]): unknown {
  return columnOf(db, query, ...values)[0];
}
