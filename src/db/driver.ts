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

/** What a list of columns must also be: nothing more when it names every column of the row, else what is missing. */
type Complete<Row, Names extends readonly string[]> = [Exclude<keyof Row, Names[number]>] extends [never]
  ? unknown
  : { readonly missing: Exclude<keyof Row, Names[number]> };

/** Every column of a row, in any order. A list that leaves one out does not compile. */
export function everyColumn<Row extends object>() {
  return <const Names extends readonly (keyof Row & string)[]>(names: Names & Complete<Row, Names>): Names => names;
}

/**
 * Prepares a statement at its first use. Most servers never use most of them, and to prepare all would be about a third of
 * the work of a start.
 */
function lazily(db: Db, sql: string): () => Statement {
  let statement: Statement | undefined;
  return () => {
    statement ??= db.prepare(sql);
    return statement;
  };
}

/**
 * An INSERT of whole rows. It takes the list of the columns, which does not compile when it leaves one out. For rows that
 * every create writes, `valuesOf` answers the values in the order of the columns: to look each up by the name in a list
 * takes several times as long.
 */
export function inserter<Row extends object>(db: Db) {
  return <const Names extends readonly (keyof Row & string)[]>(
    table: string,
    columns: Names & Complete<Row, Names>,
    valuesOf: (row: Row) => readonly SqlValue[] = (row) => columns.map((column) => row[column] as SqlValue),
  ): ((row: Row) => number) => {
    const marks = columns.map(() => "?").join(",");
    const statement = lazily(db, `INSERT INTO ${table} (${columns.join(",")}) VALUES (${marks})`);
    return (row) => Number(statement().run(...valuesOf(row)).lastInsertRowid);
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
  const names = Object.keys(conditions) as Name[];
  return (filters, ...tailValues) => {
    const given = names.filter((name) => filters[name] !== undefined && filters[name] !== null);
    const key = given.join();
    let statement = prepared.get(key);
    if (statement === undefined) {
      const where = given.map((name) => conditions[name]).join(" AND ");
      statement = db.prepare(`${select} ${where === "" ? "" : `WHERE ${where}`} ${tail}`);
      prepared.set(key, statement);
    }
    return statement.all(...given.map((name) => filters[name] as SqlValue), ...tailValues) as Row[];
  };
}
