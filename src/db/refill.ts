import { type Db, lister } from "./driver.js";

/**
 * Puts other contents into the tables of a database, or none. Which tables, columns and triggers there are is read from the
 * database itself, so that a migration changes nothing here.
 */

/** As SQL writes a name. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Tables with contents of their own, the counters of AUTOINCREMENT among them. */
export function tablesOf(db: Db): string[] {
  const tables = lister<{ name: string }>(
    db,
    `SELECT name FROM pragma_table_list
      WHERE schema = 'main' AND type = 'table' AND (name NOT LIKE 'sqlite\\_%' ESCAPE '\\' OR name = 'sqlite_sequence')
      ORDER BY name`,
  );
  return tables().map(({ name }) => name);
}

/** The columns that are stored, as a list for SQL: generated ones follow from them. */
export function columnsOf(db: Db, table: string): string {
  const columns = lister<{ name: string }>(db, "SELECT name FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0");
  return columns(table)
    .map(({ name }) => quoted(name))
    .join(", ");
}

/**
 * Empties every table and fills it from its `source`, a name in SQL. Call it inside a transaction and without foreign
 * keys. No trigger fires: what triggers keep is in the tables that come, and some refuse any change. Throws when the
 * contents do not fit the schema.
 */
export function refill(db: Db, source: (table: string) => string): void {
  const triggers = lister<{ name: string; sql: string }>(
    db,
    "SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid",
  )();
  for (const { name } of triggers) db.exec(`DROP TRIGGER main.${quoted(name)}`);
  for (const table of tablesOf(db)) {
    const columns = columnsOf(db, table);
    db.exec(`DELETE FROM main.${quoted(table)}`);
    db.exec(`INSERT INTO main.${quoted(table)} (${columns}) SELECT ${columns} FROM ${source(table)}`);
  }
  // In the order of their making, which is the order in which those of one table fire.
  for (const { sql } of triggers) db.exec(sql);
}

/** Which of the tables refer to each table by a foreign key. */
function referrers(db: Db, tables: readonly string[]): Map<string, string[]> {
  const targets = lister<{ name: string }>(db, `SELECT DISTINCT "table" AS name FROM pragma_foreign_key_list(?)`);
  const found = new Map<string, string[]>();
  for (const table of tables) {
    for (const { name } of targets(table)) found.set(name, [...(found.get(name) ?? []), table]);
  }
  return found;
}

/**
 * Empties every table but those that are to stay. Call it inside a transaction. Foreign keys may be on: rows that refer
 * to others go first. Triggers fire as always.
 */
export function emptyTables(db: Db, staying: readonly string[]): void {
  const all = tablesOf(db);
  const unknown = staying.find((name) => !all.includes(name));
  if (unknown !== undefined) throw new Error(`there is no table ${unknown} that could stay`);
  const tables = all.filter((name) => !staying.includes(name));
  const children = referrers(db, tables);
  const emptied = new Set<string>();
  function empty(table: string): void {
    if (emptied.has(table)) return;
    emptied.add(table);
    children.get(table)?.forEach(empty);
    db.exec(`DELETE FROM main.${quoted(table)}`);
  }
  tables.forEach(empty);
}

/** Names a table with a row whose foreign key leads nowhere; null when there is none. */
export function brokenReference(db: Db): string | null {
  return lister<{ table: string }>(db, `SELECT "table" FROM pragma_foreign_key_check LIMIT 1`)()[0]?.table ?? null;
}
