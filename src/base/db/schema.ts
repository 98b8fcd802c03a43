import { type Db, lister } from "./driver.js";
import { loadDriver } from "./load-driver.js";

/** True if a database has the schema of our migrations. */

interface SchemaObject {
  readonly type: string;
  readonly name: string;
  readonly sql: string | null;
}

/** The objects that SQLite itself creates: indexes of constraints, and the figures of ANALYZE. */
const OF_SQLITE = (part: SchemaObject) =>
  (part.type === "index" && part.sql === null) || (part.type === "table" && /^sqlite_stat[14]$/.test(part.name));

function schemaOf(db: Db): Map<string, string | null> {
  const parts = lister<SchemaObject>(db, "SELECT type, name, sql FROM main.sqlite_schema ORDER BY type, name")();
  return new Map(parts.filter((part) => !OF_SQLITE(part)).map(({ type, name, sql }) => [`${type} ${name}`, sql]));
}

/** The expected schemas, by their migrations. A list of snapshots needs one many times. */
const expected = new Map<string, Map<string, string | null>>();

function expectedSchema(migrations: readonly string[]): Map<string, string | null> {
  const all = migrations.join(";\n");
  const known = expected.get(all);
  if (known !== undefined) return known;
  const db = loadDriver().open(":memory:");
  try {
    db.exec(all);
    const schema = schemaOf(db);
    expected.set(all, schema);
    return schema;
  } finally {
    db.close();
  }
}

/**
 * Returns how the tables, indexes, triggers and views differ from those of these migrations, as the end of a sentence about the
 * file; null when they do not. Those of another author could do anything when they are used. Nothing of the file is run.
 */
export function oddSchema(db: Db, migrations: readonly string[]): string | null {
  const found = schemaOf(db);
  const ours = expectedSchema(migrations);
  const odd = [...found].find(([part, sql]) => ours.get(part) !== sql)?.[0];
  if (odd !== undefined) {
    const how = ours.has(odd) ? "which differs from that of this version of qa-pay" : "which qa-pay does not create";
    return `holds ${JSON.stringify(odd.slice(0, 100))}, ${how}`;
  }
  const missing = [...ours.keys()].find((part) => !found.has(part));
  return missing === undefined ? null : `has no ${missing}`;
}
