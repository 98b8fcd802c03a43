import { type Db, lister } from "./driver.js";

/** Replaces or removes the contents of a database. The list of its tables is read from the database itself. */

/** Quotes a name for SQL. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function withAttached<Result>(db: Db, file: string, schema: string, use: () => Result): Result {
  db.prepare(`ATTACH ? AS ${schema}`).run(file);
  try {
    return use();
  } finally {
    db.exec(`DETACH ${schema}`);
  }
}

/** The tables that hold contents, `sqlite_sequence` (the counters of AUTOINCREMENT) included. */
export function tablesOf(db: Db): string[] {
  const tables = lister<{ name: string }>(
    db,
    `SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence')
      ORDER BY name`,
  );
  return tables().map(({ name }) => name);
}

/** The columns of a table as a list for SQL. Generated columns are left out: they cannot be written. */
export function columnsOf(db: Db, table: string): string {
  const columns = lister<{ name: string }>(db, "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0");
  return columns(table)
    .map(({ name }) => quoteName(name))
    .join(", ");
}

/**
 * Empties every table and copies the rows of its source into it. `source` returns the SQL name of the table to copy from. Call
 * it inside a transaction, with foreign keys off. Triggers are dropped meanwhile: the rows that they would write are among the
 * copied rows, and some triggers refuse every change. Throws when the rows do not fit the schema.
 */
export function replaceContents(db: Db, source: (table: string) => string): void {
  const triggers = lister<{ name: string; sql: string }>(
    db,
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid",
  )();
  for (const { name } of triggers) db.exec(`DROP TRIGGER main.${quoteName(name)}`);
  for (const table of tablesOf(db)) {
    const columns = columnsOf(db, table);
    db.exec(`DELETE FROM main.${quoteName(table)}`);
    db.exec(`INSERT INTO main.${quoteName(table)} (${columns}) SELECT ${columns} FROM ${source(table)}`);
  }
  // In their old order: triggers of one table fire in the order in which they were created.
  for (const { sql } of triggers) db.exec(sql);
}

function referrers(db: Db, tables: readonly string[]): Map<string, string[]> {
  const targets = lister<{ name: string }>(db, `SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)`);
  const found = new Map<string, string[]>();
  for (const table of tables) {
    for (const { name } of targets(table)) found.set(name, [...(found.get(name) ?? []), table]);
  }
  return found;
}

/**
 * Empties every table but those that are to stay. Call it inside a transaction. Foreign keys may be on: a table is
 * emptied before the tables that it refers to. Triggers fire as always.
 */
export function emptyTables(db: Db, staying: readonly string[]): void {
  const all = tablesOf(db);
  const unknown = staying.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`there is no table ${unknown} that could stay`);
  const tables = all.filter((name) => !staying.includes(name));
  const children = referrers(db, tables);
  const emptied = new Set<string>();
  function emptyTable(table: string): void {
    if (emptied.has(table)) return;
    emptied.add(table);
    children.get(table)?.forEach(emptyTable);
    db.exec(`DELETE FROM main.${quoteName(table)}`);
  }
  tables.forEach(emptyTable);
}

/** The name of a table with a foreign key that leads nowhere, or null. */
export function findBrokenReference(db: Db): string | null {
  return lister<{ table: string }>(db, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`)()[0]?.table ?? null;
}
