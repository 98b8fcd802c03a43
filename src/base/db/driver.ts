import { namesOf } from "../kernel/names.js";
import type { Columns, Row } from "./columns/rule.js";

/** The part of a SQLite driver that the project uses; better-sqlite3, Node's own node:sqlite and the bundled one have it. */

export type SqlValue = string | number | bigint | Uint8Array | null;

export interface Statement {
  run(...values: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
}

export interface Db {
  prepare(sql: string): Statement;
  exec(sql: string): unknown;
  close(): unknown;
}

/** Prepares a statement at its first use: to prepare all of them would be about a third of the work of a start. */
function lazily(db: Db, sql: string): () => Statement {
  let statement: Statement | undefined;
  return () => {
    statement ??= db.prepare(sql);
    return statement;
  };
}

/** An INSERT of rows with these columns. The function returns the number of the row. */
export function inserter<Of extends Columns>(
  db: Db,
  table: string,
  columns: Of,
  verb: "INSERT" | "INSERT OR REPLACE" = "INSERT",
): (row: Row<Of>) => number {
  const names = Object.keys(columns);
  const marks = names.map(() => "?").join(",");
  const statement = lazily(db, `${verb} INTO ${table} (${names.join(",")}) VALUES (${marks})`);
  return (row) => Number(statement().run(...valuesOf(row, names)).lastInsertRowid);
}

export function valuesOf(row: object, names: readonly string[]): SqlValue[] {
  return names.map((name) => (row as Readonly<Record<string, SqlValue>>)[name] as SqlValue);
}

/**
 * Writes a new state of an object over the expected one: `state` are the columns that change. Another state in the row is a
 * fault of the program, never of the caller.
 */
export function stateWriter<Of extends Columns>(db: Db, table: string, noun: string, state: Of) {
  const names = Object.keys(state);
  const sets = names.map((name) => `${name} = ?`).join(", ");
  const update = runner(db, `UPDATE ${table} SET ${sets} WHERE id = ? AND status = ?`);
  return (next: Row<Of> & { readonly id: string }, expected: string): void => {
    if (update(...valuesOf(next, names), next.id, expected) !== 1) {
      throw new Error(`${noun} ${next.id} is not ${expected} any more`);
    }
  };
}

/** A query for one row, or null. The caller writes the SQL and names the type of its row. */
export function getter<Row>(db: Db, sql: string): (...values: SqlValue[]) => Row | null {
  const statement = lazily(db, sql);
  return (...values) => (statement().get(...values) as Row | undefined) ?? null;
}

export function lister<Row>(db: Db, sql: string): (...values: SqlValue[]) => Row[] {
  const statement = lazily(db, sql);
  return (...values) => statement().all(...values) as Row[];
}

/** A statement that changes rows. The function returns how many rows it changed. */
export function runner(db: Db, sql: string): (...values: SqlValue[]) => number {
  const statement = lazily(db, sql);
  return (...values) => Number(statement().run(...values).changes);
}

/**
 * A query with optional conditions. Only the conditions whose value is given become part of the WHERE, so that SQLite
 * can choose an index for each combination. Each combination is prepared once.
 */
export function searcher<Row, Name extends string>(
  db: Db,
  select: string,
  conditions: Readonly<Record<Name, string>>,
  tail: string,
): (filters: Partial<Record<Name, SqlValue | undefined>>, ...tailValues: SqlValue[]) => Row[] {
  const prepared = new Map<string, Statement>();
  const names = namesOf(conditions);
  return (filters, ...tailValues) => {
    const given = names.filter((name) => filters[name] !== undefined && filters[name] !== null);
    const key = given.join();
    let statement = prepared.get(key);
    if (statement === undefined) {
      const where = given.map((name) => conditions[name]).join(" AND ");
      statement = db.prepare(`${select} ${where === "" ? "" : `WHERE ${where}`} ${tail}`);
      prepared.set(key, statement);
    }
    return statement.all(...given.map((name) => filters[name] ?? null), ...tailValues) as Row[];
  };
}

/**
 * A list: the rows that fit the given filters, in one order, page by page. A page begins at its `offset`, or behind the last row of
 * the page before, where a condition names that row.
 */
export function pages<Row, Name extends string>(
  db: Db,
  select: string,
  conditions: Readonly<Record<Name, string>>,
  order: string,
): (filters: Partial<Record<Name, SqlValue | undefined>>, limit: number, offset?: number) => Row[] {
  const search = searcher<Row, Name>(db, select, conditions, `ORDER BY ${order} LIMIT ? OFFSET ?`);
  return (filters, limit, offset = 0) => search(filters, limit, offset);
}
