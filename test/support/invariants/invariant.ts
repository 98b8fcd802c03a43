import type { Db, SqlValue, Statement } from "../../../src/base/db/driver.js";

/** A rule that every database obeys between two units of work. It is checked from the rows alone. */
export interface Invariant {
  readonly name: string;
  /** One sentence for each breach; empty when the rule is obeyed. */
  readonly breaches: (db: Db) => readonly string[];
}

const prepared = new WeakMap<Db, Map<string, Statement>>();

/** All rows of a query. Many checks run the same query on one database, and to prepare a query takes longer than to run it. */
function rowsOf(db: Db, query: string, ...values: readonly SqlValue[]): unknown[] {
  const known = prepared.get(db) ?? new Map<string, Statement>();
  prepared.set(db, known);
  const statement = known.get(query) ?? db.prepare(query);
  known.set(query, statement);
  return statement.all(...values);
}

/** The first column of each row, as text. */
export function textsOf(db: Db, query: string, ...values: readonly SqlValue[]): string[] {
  return rowsOf(db, query, ...values).map((row) => String(Object.values(row ?? {})[0]));
}

/** One query, which selects a sentence for each breach. */
export function sqlInvariant(name: string, query: string): Invariant {
  return { name, breaches: (db) => textsOf(db, query) };
}

/** Two queries for the same columns that must find the same rows. */
export function sameRows(name: string, stored: string, wanted: string): Invariant {
  function only(db: Db, one: string, other: string, word: string): string[] {
    const rows = rowsOf(db, `SELECT * FROM (${one}) EXCEPT SELECT * FROM (${other})`);
    return rows.map((row) => `${word} ${JSON.stringify(row)}`);
  }
  return {
    name,
    breaches: (db) => [...only(db, stored, wanted, "stored is"), ...only(db, wanted, stored, "it should be")],
  };
}
