import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ask, beginServe, newPlace, type Place } from "../support/binary.js";
import { chanceOf } from "../support/crash/chance.js";
import { passes } from "../support/crash/killer.js";
import { crash } from "../support/crash/run.js";
import { breachesOf } from "../support/invariants.js";
import { type Receiver, startReceiver } from "../support/receiver.js";

/** The seed is the same in every run. CONTRIBUTING.md says how to choose another one. */
const SEED = Number(process.env.QA_PAY_CRASH_SEED ?? 20_261_121);
const KILLS = Number(process.env.QA_PAY_CRASH_KILLS ?? 50);

let place: Place;
let receiver: Receiver;

beforeEach(async () => {
  place = newPlace();
  receiver = await startReceiver();
});

afterEach(async () => {
  await receiver.close();
  place.remove();
});

describe("kill -9 during any work of the emulator", () => {
  it("loses no acknowledged change and leaves no change half done", async () => {
    const report = await crash({ seed: SEED, kills: KILLS, place, receiver });
    expect(report.kills).toBe(KILLS);
    if (KILLS < 50) return;
    // The seed must give moments at which each of these is interrupted.
    const rare = ["start", "save", "restore", "reset", "travel", "account", "upload evidence", "sell", "keys"];
    expect(rare.filter((name) => report.cut[name] === undefined)).toEqual([]);
    expect(report.answers).toBeGreaterThan(1_000);
    expect(report.webhooks).toBeGreaterThan(1_000);
  });
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
    const db = new Database(own.db, { readonly: true });
    expect(breachesOf(db)).toEqual([]);
    expect(db.prepare("SELECT COUNT(*) FROM accounts JOIN users").pluck().get()).toBe(3);
    db.close();
  } finally {
    own.remove();
  }
}

describe("kill -9 during the first start", () => {
  it("leaves a file, or none, with which the next start works like a first one", async () => {
    const chance = chanceOf(SEED);
    await Promise.all([0, 1, 2, 3].map((part) => killFirstStart((part + chance.fraction()) * 80)));
  });
});
