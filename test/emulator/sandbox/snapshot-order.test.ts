import { beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { UnitOfWork } from "../../../src/base/db/unit-of-work.js";
import { SERVICE } from "../../../src/base/kernel/cause.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import {
  createSnapshotControls,
  type SnapshotControls,
  type SnapshotParts,
} from "../../../src/emulator/sandbox/snapshot-controls.js";
import type { Tx } from "../../../src/service/features/tx.js";
import { createClock, type EmulatedClock } from "../../../src/service/jobs/clock.js";
import { fresh } from "../../support/shared.js";

/** The order of the steps of a restore, and what it undoes when its last step fails. */

const database = fresh(() => openDatabase(":memory:"));
let uow: UnitOfWork<Tx>;
let clock: EmulatedClock;
let steps: string[];

beforeEach(() => {
  clock = createClock(database.db, realTime, { warn: () => undefined });
  clock.freezeAt(1_000, { afterUndo: () => undefined });
  steps = [];
  const stores = {
    ...{ accounts: { first: () => ({}) }, webhooks: { recoverClaimed: () => undefined } },
    ...{
      cause: SERVICE,
      history: { insert: () => 1 },
      notify: { onHistory: () => undefined },
    },
  };
  uow = new UnitOfWork(database, realTime, (commit) => ({ ...stores, ...commit }) as unknown as Tx);
});

/** Controls of a database whose clock shows 5 000. `promise` restores the keys that the start has passed to its clients. */
function controls(promise: () => void = () => undefined): SnapshotControls {
  const step = (name: string) => () => void steps.push(name);
  const goBack = () => {
    steps.push("refill");
    database.db.exec(`UPDATE settings SET value = '{"offset":0,"frozenAt":5000}' WHERE name = 'clock'`);
  };
  return createSnapshotControls({
    uow,
    clock,
    usersStored: () => Promise.resolve(),
    store: {
      restore(name: string, run: (refill: () => void) => void) {
        run(goBack);
        return { name, createdAt: 0, size: 0, file: null };
      },
    },
    scheduler: { withJobsPaused: (change: () => unknown) => change() },
    background: { lookAgain: () => undefined },
    carryOver: () => promise,
    caches: {
      secrets: [],
      signingKey: { forget: step("forget") },
      rateLimiter: null,
      paymentWatch: { notifyAll: () => undefined },
      stores: {
        accounts: { forget: () => undefined },
        history: { lastRequest: () => 0, forget: () => undefined },
        ledger: { forgetRoom: () => undefined },
        webhooks: { forget: () => undefined },
        transactions: { printed: { charges: { clear: () => undefined }, listed: { clear: () => undefined } } },
      },
      worker: { forget: step("abandon") },
      faults: { interrupt: step("interrupt") },
      requestLog: { clear: () => undefined },
      liveStream: { restart: () => undefined },
    },
  } as unknown as SnapshotParts);
}

it("a restore first commits earlier writes to the contents that it is about to replace", async () => {
  const asked = uow.write(() => void steps.push("asked before"));
  await controls().restore("seed", SERVICE);
  await asked;
  expect(steps).toEqual(["asked before", "refill", "forget", "interrupt", "abandon"]);
  expect(clock.now()).toBe(5_000);
});

it("a restore whose last step fails undoes everything, also the clock and what is kept in memory", async () => {
  const fail = () => {
    throw new Error("the last step");
  };
  await expect(controls(fail).restore("seed", SERVICE)).rejects.toThrow("the last step");
  expect(steps).toEqual(["refill", "forget", "forget"]);
  expect(clock.now()).toBe(1_000);
});
