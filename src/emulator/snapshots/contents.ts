import { type Db, getter, runner } from "../../base/db/driver.js";
import { quoteName } from "../../base/db/replace-contents.js";
import { isJsonObject, parseObject } from "../../base/kernel/json.js";
import { byName, namesOf } from "../../base/kernel/names.js";
import { instantOf } from "../../service/jobs/clock.js";

/** The contents of a snapshot in figures. They are counted when it is saved and kept in it, so that a list never counts rows. */
export interface SnapshotContents {
  /** The emulated clock at the moment of saving, in milliseconds. */
  readonly now: number;
  /** How many rows of each kind, of all accounts. */
  readonly counts: SnapshotCounts;
}

/** The counts, in the order in which answers show them, each with its table. */
const COUNTED = {
  accounts: "accounts",
  charges: "transactions",
  refunds: "refunds",
  payouts: "payouts",
  med_cases: "med_cases",
  events: "events",
  deliveries: "deliveries",
  emails: "emails",
} as const;

type CountName = keyof typeof COUNTED;
export type SnapshotCounts = Readonly<Record<CountName, number>>;

export const COUNT_NAMES = namesOf(COUNTED);

/** The setting of a snapshot in which its contents are kept. A restored database does not have it. */
const SETTING = "snapshot";

/** Counts the rows. `source` returns the SQL name of the table to count in. */
export function countRows(db: Db, source: (table: string) => string): SnapshotCounts {
  return byName(COUNT_NAMES, (name) => {
    const row = getter<{ n: number }>(db, `SELECT COUNT(*) AS n FROM ${source(COUNTED[name])}`)();
    return Number(row?.n ?? 0);
  });
}

/** Writes the contents into a database that is attached as `schema`. */
export function keepContents(db: Db, schema: string, contents: SnapshotContents): void {
  const sql = `INSERT OR REPLACE INTO ${quoteName(schema)}.settings (name, value) VALUES ('${SETTING}', ?)`;
  runner(db, sql)(JSON.stringify(contents));
}

/** Removes the contents of a snapshot from the database that it was restored into. */
export function dropContents(db: Db): void {
  runner(db, `DELETE FROM main.settings WHERE name = '${SETTING}'`)();
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The contents that are kept in a snapshot; null for a database that was not saved as one. */
export function readContents(db: Db): SnapshotContents | null {
  const row = getter<{ value: string }>(db, `SELECT value FROM main.settings WHERE name = '${SETTING}'`)();
  if (row === null) return null;
  try {
    const { now, counts } = parseObject(row.value);
    if (!isCount(now) || !isJsonObject(counts) || !COUNT_NAMES.every((name) => isCount(counts[name]))) return null;
    return { now, counts: byName(COUNT_NAMES, (name) => Number(counts[name])) };
  } catch {
    return null;
  }
}

/** The instant that the stored clock of a database shows at the real instant `epoch`; null when it has none that can be read. */
export function readStoredNow(db: Db, epoch: number): number | null {
  const row = getter<{ value: string }>(db, "SELECT value FROM main.settings WHERE name = 'clock'")();
  return row === null ? null : instantOf(row.value, epoch);
}
