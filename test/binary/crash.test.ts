import { expect, it } from "vitest";
import { chanceOf } from "../simulation/chance.js";
import { crash, missed } from "../simulation/crash.js";
import { faultsOf, passes } from "../simulation/process-host.js";
import { ask, beginServe, newPlace } from "../support/binary.js";
import { firstOf, openFile } from "../support/sqlite.js";

/** The seed is the same in every run. CONTRIBUTING.md says how to choose another one. */
const SEED = Number(process.env.QA_PAY_CRASH_SEED ?? 20_261_121);
const ASKED = process.env.QA_PAY_CRASH_KILLS;
/** Each kind of steps is aimed at once, and again while it was not interrupted. */
const KILLS = Number(ASKED ?? 12);
const MOST = ASKED === undefined ? 72 : KILLS;

it("kill -9 during any work of the emulator loses no acknowledged change and leaves no change half done", async () => {
  const place = newPlace();
  try {
    const tally = await crash(SEED, KILLS, place, MOST);
    const count = (what: string) => tally.get(what) ?? 0;
    expect(count("kills in the middle") + count("kills at rest")).toBeGreaterThanOrEqual(KILLS);
    if (KILLS < 12) return;
    expect(missed(tally)).toEqual([]);
    expect(count("webhooks")).toBeGreaterThan(20);
  } finally {
    place.remove();
  }
});

/** Kills a first start after `ms` milliseconds, and checks the next start on the files that are left. */
async function killFirstStart(ms: number): Promise<void> {
  const key = "qa_test_first-start";
  const own = newPlace();
  try {
    const first = beginServe(own, ["--test-key", key]);
    const ready = first.ready.catch(() => null);
    await passes(ms);
    first.signal("SIGKILL");
    await Promise.all([first.ended, ready]);
    const second = beginServe(own, ["--test-key", key]);
    const server = await second.ready;
    const answer = await ask(server, key, "POST", "/v1/charges", { amount: 1, payment_method: "pix" });
    expect([answer.status, server.ready.users.length]).toEqual([201, 3]);
    expect((await server.stop()).code).toBe(0);
    expect(faultsOf(own.db)).toEqual([]);
    const db = openFile(own.db, true);
    expect(firstOf(db, "SELECT COUNT(*) FROM accounts JOIN users")).toBe(3);
    db.close();
  } finally {
    own.remove();
  }
}

it("kill -9 during the first start leaves a file, or none, with which the next start works like a first one", async () => {
  const chance = chanceOf(SEED);
  await Promise.all([0, 1].map((part) => killFirstStart((part + chance.fraction()) * 160)));
});
