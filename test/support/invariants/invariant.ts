import type Database from "better-sqlite3";

/** A rule that every database obeys between two units of work. It is checked from the rows alone. */
export interface Invariant {
  readonly name: string;
  /** One sentence for each breach; empty when the rule is obeyed. */
  readonly breaches: (db: Database.Database) => readonly string[];
}

/** One query, which selects a sentence for each breach. */
export function sqlInvariant(name: string, query: string): Invariant {
  return { name, breaches: (db) => db.prepare(query).pluck().all().map(String) };
}

/** Two queries for the same columns that must find the same rows. */
export function sameRows(name: string, stored: string, wanted: string): Invariant {
  function only(db: Database.Database, one: string, other: string, word: string): string[] {
    const rows = db.prepare(`SELECT * FROM (${one}) EXCEPT SELECT * FROM (${other})`).all();
    return rows.map((row) => `${word} ${JSON.stringify(row)}`);
  }
  return {
    name,
    breaches: (db) => [...only(db, stored, wanted, "stored is"), ...only(db, wanted, stored, "it should be")],
  };
}
