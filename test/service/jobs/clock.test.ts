import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../../src/base/db/open.js";
import { MAX_INSTANT, MAX_SPEED } from "../../../src/base/kernel/time.js";
import { createClock } from "../../../src/service/jobs/clock.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { seededRuntime } from "../../support/seed.js";
import { fresh } from "../../support/shared.js";
import { openFile } from "../../support/sqlite.js";

/** docs/decisions/075-time-never-goes-back.md */

const DAY = 86_400_000;
const START = Date.parse("2026-11-21T12:00:00Z");

/** The clock of a machine, which somebody sets. */
function createMachine() {
  const machine = { at: START, warnings: [] as string[] };
  const log = { warn: (text: string) => void machine.warnings.push(text), error: console.error };
  return { machine, log, epoch: () => machine.at };
}

describe("the clock of a server", () => {
  const folder = fresh(newFolder);
  let emulator: TestEmulator;
  let made: ReturnType<typeof createMachine>;
  const start = async (more: object = {}) => {
    const runtime = seededRuntime(made.log);
    const real = { ...runtime.real, epoch: made.epoch };
    emulator = await startEmulator({ db: folder.db, runtime: { ...runtime, real }, ...more });
    return emulator;
  };
  const shown = async () => Date.parse((await emulator.sandbox("/clock")).now);
  beforeEach(async () => {
    made = createMachine();
    await start();
  });
  afterEach(async () => {
    await emulator.close();
  });
  const restart = async () => {
    const { key } = emulator;
    await emulator.close();
    await start({ testKey: key });
  };

  it("goes on from where it was when the machine's clock is set back, and the log says so", async () => {
    made.machine.at = START + 100 * 365 * DAY;
    expect(await shown()).toBe(made.machine.at);
    const latest = made.machine.at;
    made.machine.at -= 60 * 365 * DAY;
    expect(await shown()).toBe(latest);
    made.machine.at += 5_000;
    expect(await shown()).toBe(latest + 5_000);
    const charge = await emulator.charge();
    expect(Date.parse(charge.created_at)).toBe(latest + 5_000);
    expect(made.machine.warnings).toEqual([
      "The clock of this machine went back by 1892160000 s. The emulated clock goes on from 2126-10-28T12:00:00.000Z, " +
        "so that its time does not go back.",
    ]);
  });

  it("has no line in the log for steps of less than a second", async () => {
    expect(await shown()).toBe(START);
    made.machine.at -= 900;
    expect(await shown()).toBe(START);
    expect(made.machine.warnings).toEqual([]);
  });

  it("does not start before the instant at which it was stopped", async () => {
    made.machine.at += 10_000;
    expect(await shown()).toBe(START + 10_000);
    made.machine.at -= 10 * DAY;
    await restart();
    expect(await shown()).toBe(START + 10_000);
    expect(made.machine.warnings).toEqual([
      expect.stringMatching(/^The clock of this machine went back by 864000 s\./),
    ]);
    made.machine.at += 1_000;
    await restart();
    expect(await shown()).toBe(START + 11_000);
  });

  it("does not start before the newest stored instant when it was killed", async () => {
    made.machine.at += 10_000;
    await emulator.charge();
    const { key } = emulator;
    const killed = join(folder.path, "killed.db");
    const copy = openFile(folder.db);
    copy.prepare("VACUUM INTO ?").run(killed);
    copy.close();
    await emulator.close();
    made.machine.at -= 10 * DAY;
    await start({ db: killed, testKey: key });
    expect(await shown()).toBe(START + 10_000);
  });

  it("goes back by a reset and by a snapshot, as it should", async () => {
    await emulator.sandbox("/snapshots", { name: "before" });
    await emulator.sandbox("/clock/advance", { seconds: 5 * 86_400 });
    expect(await shown()).toBe(START + 5 * DAY);
    await emulator.call("POST", "/_sandbox/snapshots/before/restore");
    expect(await shown()).toBe(START);
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    await emulator.sandbox("/reset");
    expect(await shown()).toBe(START);
    expect(made.machine.warnings).toEqual([]);
  });

  it("stops at the end of the year 9999, and every answer has four digits for the year", async () => {
    await emulator.sandbox("/clock/advance", { to: "9999-12-31T23:59:50.000Z" });
    made.machine.at += 60_000;
    expect(await shown()).toBe(MAX_INSTANT);
    const charge = await emulator.charge();
    expect(charge.created_at).toBe("9999-12-31T23:59:59.999Z");
    expect(JSON.stringify(charge)).not.toContain("+01");
    expect((await emulator.sandbox(`/charges/${charge.id}/pay`)).outcome).toBe("paid");
    made.machine.at += DAY;
    await restart();
    expect(await shown()).toBe(MAX_INSTANT);
    expect((await emulator.call("GET", `/v1/charges/${charge.id}`)).body.status).toBe("paid");
    expect(JSON.stringify((await emulator.call("GET", "/_sandbox/clock/due")).body)).not.toContain("+01");
  });
});

it("whatever the machine's clock does, however fast it is and however often it is started again, it never goes back", () => {
  const taken = {
    step: fc.integer({ min: -3 * DAY, max: 3 * DAY }),
    isRestart: fc.boolean(),
    speed: fc.constantFrom(null, null, 1, 60, MAX_SPEED),
  };
  const steps = fc.array(fc.record(taken), { maxLength: 30 });
  fc.assert(
    fc.property(steps, (taken) => {
      const database = openDatabase(":memory:");
      const { machine, log, epoch } = createMachine();
      const real = { ...seededRuntime(log).real, epoch };
      const unit = { afterUndo: () => undefined };
      let clock = createClock(database.db, real, log);
      clock.persist();
      let latest = clock.now();
      for (const { step, isRestart, speed } of taken) {
        if (speed !== null) clock.setSpeed(speed, unit);
        if (isRestart) clock.persist();
        machine.at = Math.max(0, machine.at + step);
        if (isRestart) {
          clock = createClock(database.db, real, log);
          expect(clock.restore(unit)).toBe(true);
        }
        const now = clock.now();
        expect(now).toBeGreaterThanOrEqual(latest);
        latest = now;
      }
      database.close();
    }),
    { numRuns: 50, seed: 1 },
  );
});
