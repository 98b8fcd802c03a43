import { expect, it } from "vitest";
import { newFolder } from "../../../support/folder.js";
import { fresh, freshEmulator } from "../../../support/shared.js";
import { contentsOf } from "../../../support/snapshots.js";

/** Due work without an effect is removed from the table, so that the list of due work reads few rows. */

const folder = fresh(newFolder);
const emulator = freshEmulator(() => ({ frozen: true, db: folder.db }));

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
