import { type Columns, oneOf, words } from "../../../base/db/columns/rule.js";
import { mergeParts } from "../../../base/kernel/merge-parts.js";
import { NOUNS } from "../../../service/features/index.js";
import { isPayload } from "../../../service/features/jobs/kinds.js";
import { JOB } from "../../../service/features/jobs/store.js";
import { SETTINGS } from "./settings.js";

/** The values that the product writes into a table. */
export interface TableRules {
  readonly columns: Columns;
  /** A rule for two texts of a row together. */
  readonly pair?: { readonly of: readonly [string, string]; fits(one: string, other: string): boolean };
}

/** The columns of each table of the newest schema. */
const TABLES: Readonly<Record<string, Columns>> = {
  settings: { name: oneOf(Object.keys(SETTINGS)), value: words },
  ...mergeParts(NOUNS.map(({ tables }) => tables)),
  jobs: JOB,
};

const PAIRS: Readonly<Record<string, TableRules["pair"]>> = {
  settings: { of: ["name", "value"], fits: (name, value) => SETTINGS[name]?.(value) === true },
  jobs: { of: ["kind", "payload"], fits: isPayload },
};

/** The rules of each table (docs/decisions/073-files-nobody-vouches-for.md), without foreign keys. */
export const ROW_RULES: Readonly<Record<string, TableRules>> = Object.fromEntries(
  Object.entries(TABLES).map(([table, columns]) => [table, { columns, ...(PAIRS[table] && { pair: PAIRS[table] }) }]),
);
