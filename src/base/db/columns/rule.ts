import { parseObject } from "../../kernel/json.js";

/**
 * The columns of the tables. A store declares its columns once, each with the rule of its values. The type of its rows, its
 * inserts and the checks of a file from outside follow from that.
 *
 * SQLite itself finds the rows that break a rule, so a rule is a condition in SQL. A condition that SQL cannot express, such as
 * a valid URL, is a function that is called once for each different value.
 */

export interface Rule<Value = unknown> {
  /** SQL that is true for a value that obeys the rule, and false or null for all others. */
  readonly sql: (column: string) => string;
  /** A further condition for the value. Called with texts alone. */
  readonly fits?: (value: string) => boolean;
  /** The type of the value, for the compiler alone. */
  readonly value?: Value;
}

export type Columns = Readonly<Record<string, Rule>>;

export type Row<Of extends Columns> = {
  readonly [Name in keyof Of]: Of[Name] extends Rule<infer Value> ? Value : never;
};

/** Longer than any text that the service takes or creates: a body has 1 MiB, and an event repeats parts of it. */
const MOST_BYTES = 16_777_216;

export function whole(min: number, max: number): Rule<number> {
  return { sql: (column) => `typeof(${column}) = 'integer' AND ${column} BETWEEN ${min} AND ${max}` };
}

/** Any text of a merchant or of a receiver. */
export const words: Rule<string> = {
  sql: (column) => `typeof(${column}) = 'text' AND length(CAST(${column} AS BLOB)) <= ${MOST_BYTES}`,
};

/** A text in one of our own forms. It has no NUL, because SQLite would compare only the part before it. */
export function form(condition: (column: string) => string, fits?: Rule["fits"]): Rule<string> {
  return {
    sql: (column) => `${words.sql(column)} AND instr(${column}, char(0)) = 0 AND ${condition(column)}`,
    ...(fits && { fits }),
  };
}

function quoteText(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** A text that a pattern of GLOB describes. */
export function like(pattern: string): Rule<string> {
  return form((column) => `${column} GLOB ${quoteText(pattern)}`);
}

/** A text of these characters alone, as in the brackets of GLOB: `0-9a-f`. */
export function charactersOf(of: string, min: number, max = min): Rule<string> {
  return form((column) => `length(${column}) BETWEEN ${min} AND ${max} AND ${column} NOT GLOB '*[^${of}]*'`);
}

export function oneOf<const Name extends string>(names: readonly Name[]): Rule<Name> {
  return form((column) => `${column} IN (${names.map(quoteText).join(", ")})`) as Rule<Name>;
}

/** A list of names, written as `,name,name,`, or as a comma when the empty name is among the known ones. */
export function listOf(names: readonly string[]): Rule<string> {
  const known = new Set(names);
  return form(
    (column) => `(${column} = ',' OR ${column} GLOB ',?*,')`,
    (value) =>
      value
        .slice(1, -1)
        .split(",")
        .every((name) => known.has(name)),
  );
}

/** The text of a JSON object. `fits` is called with the object. */
export function jsonObject(fits?: (value: Readonly<Record<string, unknown>>) => boolean): Rule<string> {
  return form(
    // Not `AND`: json_type throws for a text that is no JSON.
    (column) => `CASE WHEN json_valid(${column}) THEN json_type(${column}) = 'object' ELSE 0 END`,
    fits && ((value) => fits(parseObject(value))),
  );
}

/** The value of a column of another table. */
export function refersTo<Value extends string | number>(table: string, key: string): Rule<Value> {
  return { sql: (column) => `EXISTS (SELECT 1 FROM main.${table} other WHERE other.${key} = ${column})` };
}

export function optional<Value>({ sql, fits }: Rule<Value>): Rule<Value | null> {
  return { sql: (column) => `(${column} IS NULL OR (${sql(column)}))`, ...(fits && { fits }) };
}
