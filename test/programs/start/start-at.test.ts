import { afterEach, beforeEach, expect, it } from "vitest";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { fresh } from "../../support/shared.js";
import { restore, save } from "../../support/snapshots.js";

/** Where the clock of a new database starts. */

const NEW_YEAR = Date.UTC(2031, 0, 1);
const folder = fresh(newFolder);
let emulator: TestEmulator;
let warnings: string[];

beforeEach(() => {
  warnings = [];
});
afterEach(async () => {
  await emulator.close();
});

async function start(options: EmulatorOptions = {}): Promise<void> {
  const log = { warn: (text: string) => void warnings.push(text), error: () => undefined };
  emulator = await startEmulator({ db: folder.db, testKey: "qa_test_start-at", log, ...options });
}
const clock = (): Promise<Loose> => emulator.sandbox("/clock");

it("the clock starts there and runs, or stands still", async () => {
  await start({ startAt: NEW_YEAR });
  const { now, frozen } = await clock();
  expect([now.slice(0, 13), frozen]).toEqual(["2031-01-01T00", false]);
  expect((await emulator.charge()).created_at).toMatch(/^2031-01-01T00/);
  await emulator.close();
  await start({ db: ":memory:", startAt: NEW_YEAR, frozen: true });
  expect(await clock()).toMatchObject({ now: "2031-01-01T00:00:00.000Z", frozen: true });
  expect(warnings).toEqual([]);
});

it("a database that has its clock keeps it, and the start says so", async () => {
  await start({ frozen: true, startAt: NEW_YEAR });
  await emulator.sandbox("/clock/advance", { seconds: 86_400 });
  await emulator.close();
  await start({ frozen: true, startAt: NEW_YEAR });
  expect(await clock()).toMatchObject({ now: "2031-01-02T00:00:00.000Z" });
  expect(warnings).toEqual([
    expect.stringMatching(/^--start-at 2031-01-01T00:00:00.000Z has no effect: .* at 2031-01-02T00:00:00.000Z\. /),
  ]);
});

it("a reset goes back there, also after a start without it and after a restore", async () => {
  await start({ frozen: true, startAt: NEW_YEAR });
  await save(emulator, "new");
  await emulator.close();
  await start({ frozen: true });
  for (const move of ["advance", "restore"]) {
    if (move === "restore") await restore(emulator, "new");
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    await emulator.sandbox("/reset");
    expect(await clock()).toMatchObject({ now: "2031-01-01T00:00:00.000Z", frozen: true });
  }
});
