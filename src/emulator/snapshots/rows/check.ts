import { type Rule, refersTo } from "../../../base/db/columns/rule.js";
import { type Db, lister } from "../../../base/db/driver.js";
import { quoteName } from "../../../base/db/replace-contents.js";
import { ROW_RULES, type TableRules } from "./rules.js";

/** Looks for rows that the product would not have written (docs/decisions/073-files-nobody-vouches-for.md). */

/** The number of rows that are checked together: their different values are in memory at once. */
const STEP = 5_000;

interface Column {
  readonly name: string;
  /** Its place in the primary key, from 1; 0 for the others. */
  readonly pk: number;
}

interface Reference {
  readonly from: string;
  readonly table: string;
  readonly to: string;
}

interface Checked {
  readonly table: string;
  readonly rules: readonly { readonly column: string; readonly rule: Rule }[];
  readonly pair: TableRules["pair"];
  readonly key: readonly string[];
}

type Key = (string | number)[];

function listCheckedTables(db: Db): Checked[] {
  const columns = lister<Column>(db, "SELECT name, pk FROM pragma_table_xinfo(?, 'main')");
  const references = lister<Reference>(db, `SELECT "from", "table", "to" FROM pragma_foreign_key_list(?)`);
  return Object.entries(ROW_RULES).map(([table, { columns: own, pair }]) => {
    const found = columns(table);
    const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const rules = Object.entries(own).map(([column, rule]) => ({ column, rule }));
    for (const { from, table: parent, to } of references(table)) {
      const { sql } = refersTo(parent, to);
      rules.push({ column: from, rule: { sql: (column) => `(${column} IS NULL OR ${sql(column)})` } });
    }
    return { table, rules, pair, key: key.map(({ name }) => name) };
  });
}

/** A part of a table between two keys, as SQL with its values. */
interface KeyRange {
  readonly where: string;
  readonly values: Key;
}

const list = (names: readonly string[]) => names.map((name) => `row.${quoteName(name)}`).join(", ");

/** The parts of a table, one after the other. Throws RangeError for a key that JavaScript cannot hold, as the drivers do. */
function* partsOf(db: Db, { table, key }: Checked): Generator<KeyRange, void> {
  const columns = list(key);
  const marks = `(${key.map(() => "?").join(", ")})`;
  const from = `FROM main.${quoteName(table)} row`;
  const order = `ORDER BY ${columns} LIMIT 1 OFFSET ${STEP - 1}`;
  let last: Key = [];
  for (;;) {
    const behind = last.length === 0 ? "1" : `(${columns}) > ${marks}`;
    const row = lister<Record<string, string | number>>(
      db,
      `SELECT ${columns} ${from} WHERE ${behind} ${order}`,
    )(...last)[0];
    if (row === undefined) return yield { where: behind, values: last };
    const next = key.map((name) => row[name] ?? 0);
    const same = lister<{ n: number }>(db, `SELECT 1 AS n ${from} WHERE (${columns}) = ${marks} AND ${behind}`);
    if (same(...next, ...last).length !== 1) throw new RangeError("a key that JavaScript cannot hold");
    yield { where: `${behind} AND (${columns}) <= ${marks}`, values: [...last, ...next] };
    last = next;
  }
}

/** Checks a part by a rule. Returns the first row that breaks it, in words. */
function findBroken(db: Db, checked: Checked, { where, values }: KeyRange): string | null {
  const { table, rules, pair } = checked;
  const from = `FROM main.${quoteName(table)} row WHERE ${where}`;
  const holds = rules.map(({ column, rule }) => `(${rule.sql(`row.${quoteName(column)}`)})`).join(" AND ");
  const odd = lister<unknown>(db, `SELECT 1 ${from} AND NOT coalesce((${holds}), 0) LIMIT 1`)(...values);
  if (odd.length > 0) return qualifiedName(table, findBrokenRule(db, checked, from, values));
  for (const { column, rule } of rules) {
    const { fits } = rule;
    if (fits === undefined) continue;
    const name = `row.${quoteName(column)}`;
    const different = lister<{ value: string }>(
      db,
      `SELECT DISTINCT ${name} AS value ${from} AND ${name} IS NOT NULL`,
    )(...values);
    if (!different.every(({ value }) => fits(value))) return qualifiedName(table, column);
  }
  if (pair === undefined) return null;
  const [one, other] = pair.of.map((column) => `row.${quoteName(column)}`);
  const both = lister<{ one: string; other: string }>(db, `SELECT DISTINCT ${one} AS one, ${other} AS other ${from}`);
  return both(...values).every((row) => pair.fits(row.one, row.other)) ? null : qualifiedName(table, pair.of[1]);
}

function qualifiedName(table: string, column: string): string {
  return `a row of ${table} has a value in ${column} that qa-pay does not write`;
}

function findBrokenRule(db: Db, { rules }: Checked, from: string, values: Key): string {
  const breaks = ({ column, rule }: Checked["rules"][number]) => {
    const condition = rule.sql(`row.${quoteName(column)}`);
    return lister<unknown>(db, `SELECT 1 ${from} AND NOT coalesce((${condition}), 0) LIMIT 1`)(...values).length > 0;
  };
  return rules.find(breaks)?.column ?? "value";
}

/**
 * Checks every row. Returns the fault of one of them, or null. The schema must have been compared before. Throws the error of
 * SQLite for a damaged file.
 */
export function findWrongRow(db: Db): string | null {
  for (const checked of listCheckedTables(db)) {
    try {
      for (const part of partsOf(db, checked)) {
        const wrong = findBroken(db, checked, part);
        if (wrong !== null) return wrong;
      }
    } catch (error) {
      if (error instanceof RangeError) return qualifiedName(checked.table, checked.key.join());
      throw error;
    }
  }
  return null;
}
