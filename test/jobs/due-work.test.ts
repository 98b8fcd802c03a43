import { afterEach, beforeEach, expect, it } from "vitest";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { contentsOf, type Folder, newFolder } from "../support/snapshots.js";

/** Due work without an effect is removed from the table, so that the list of due work reads few rows. */

let folder: Folder;
let emulator: TestEmulator;

beforeEach(async () => {
  folder = newFolder();
  emulator = await startEmulator({ frozen: true, db: folder.db });
});
afterEach(async () => {
  await emulator.close();
  folder.remove();
});

it.each(["pay", "fail", "expire"])(
  "the expiry of a charge is removed by %s, and that of another one stays",
  async (act) => {
    const { id } = await emulator.charge();
    const other = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/${act}`);
    const jobs = contentsOf(folder.db).rows.jobs ?? [];
    expect(jobs.map(([, subject, kind]) => [subject, kind])).toEqual([[other.id.slice(3), "transaction.expire"]]);
  },
);
