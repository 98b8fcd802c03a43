import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { lister } from "../../../src/base/db/driver.js";
import { loadDriver } from "../../../src/base/db/load-driver.js";
import { writeStory } from "../../../src/emulator/snapshots/write-story.js";
import type { StoryRow, StoryRows } from "../../../src/service/features/timeline/story.js";
import { eventfulCharge } from "../../support/incident.js";
import { ownFolder, sharedEmulator, sharedReceiver } from "../../support/shared.js";

/** Rows of a charge that another version of the schema wrote: a migration adds columns, and the file is as old as it is. */

const SECRET = "5".repeat(64);

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
let rows: StoryRows = {};

beforeAll(async () => {
  const id = await eventfulCharge(emulator, receiver);
  rows = (await emulator.sandbox(`/incidents/${id}`)).rows;
});

/** The rows before the columns of a table were added. */
function before(table: string, ...columns: string[]): StoryRows {
  const without = (row: StoryRow) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
  return { ...rows, [table]: (rows[table] ?? []).map(without) };
}

function written(file: string, sql: string): unknown[] {
  const db = loadDriver().open(file);
  try {
    return lister(db, sql)();
  } finally {
    db.close();
  }
}

it("a column that the file does not have yet gets its default, as old rows do in a migration", () => {
  const file = join(ownFolder().path, "older.db");
  expect(writeStory(file, before("refunds", "fee", "destination_key"), SECRET)).toBeNull();
  expect(written(file, "SELECT fee, destination_key FROM refunds")).toEqual([{ fee: 0, destination_key: null }]);
});

it.each([
  ["amount", "transactions"],
  ["seq", "transactions"],
  ["status", "deliveries"],
])("a column without a default is missed by its name: %s of %s", (column, table) => {
  const file = join(ownFolder().path, "older.db");
  expect(writeStory(file, before(table, column), SECRET)).toBe(`the rows of ${table} have no ${column}`);
});

it("a column that some rows have and others do not was left out by nobody's version", () => {
  const [first = {}, ...others] = before("history", "trace").history ?? [];
  const file = join(ownFolder().path, "mixed.db");
  const mixed = { ...rows, history: [first, ...(rows.history ?? []).slice(1)] };
  expect(others.length).toBeGreaterThan(1);
  expect(writeStory(file, mixed, SECRET)).toBe("the columns of history are not those of qa-pay");
});

it("a column that this version does not know is refused", () => {
  const file = join(ownFolder().path, "newer.db");
  const newer = (rows.refunds ?? []).map((row) => ({ ...row, colour: "red" }));
  expect(writeStory(file, { ...rows, refunds: newer }, SECRET)).toBe("the columns of refunds are not those of qa-pay");
});
