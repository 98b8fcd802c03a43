import { copyFileSync, cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorOptions } from "../../src/emulator.js";
import type { Runtime } from "../../src/kernel/runtime.js";
import { realTime } from "../../src/runtime.js";
import { startEmulator, type TestEmulator } from "./emulator.js";
import { seededRuntime } from "./seed.js";

/** An emulator on a file that can be killed in the middle of its work, and goes on with what was in its file then. */
export interface Mortal {
  /** The one that runs now. */
  readonly emulator: TestEmulator;
  /** Its database. */
  readonly file: string;
  /** What it reported as errors. */
  readonly errors: readonly string[];
  /**
   * Begins `work`, takes an image of all files after so many turns in which the emulator wrote or sent something, and
   * starts on that image, as after `kill -9`. What is done after the image is lost.
   */
  kill(turns: number, work: () => Promise<unknown>): Promise<void>;
  removeSnapshots(): void;
  close(): Promise<void>;
}

/** The real milliseconds that receivers have for an answer, at most and while the clock is advanced. */
const PATIENCE = [30_000, 1_000];
/** What is left of them here. */
const SHORT_PATIENCE = 30;
const START = Date.UTC(2026, 10, 21, 12, 0, 0);

/** Copies a database with what belongs to it: the write-ahead log and the snapshots. */
function copyAll(from: string, to: string): void {
  for (const side of ["", "-wal"]) if (existsSync(from + side)) copyFileSync(from + side, to + side);
  if (existsSync(`${from}.snapshots`)) cpSync(`${from}.snapshots`, `${to}.snapshots`, { recursive: true });
}

export async function startMortal(folder: string, options: EmulatorOptions): Promise<Mortal> {
  let lives = 0;
  const errors: string[] = [];
  /** Turns until the image is taken; null while none is wanted. */
  let left: number | null = null;
  let takeImage = () => {};

  function soon(callback: () => void): void {
    realTime.soon(() => {
      if (left !== null) {
        left -= 1;
        if (left <= 0) takeImage();
      }
      callback();
    });
  }

  /** Real time stands still, so that a clock that runs says the same in every run. */
  function runtime(): Runtime {
    const log = { warn: () => undefined, error: (text: string, cause?: unknown) => errors.push(`${text}: ${cause}`) };
    const after = (ms: number, callback: () => void) =>
      realTime.after(PATIENCE.includes(ms) ? SHORT_PATIENCE : ms, callback);
    return { ...seededRuntime(log), real: { epoch: () => START, monotonic: () => 0, after, soon } };
  }

  const fileOf = (life: number) => join(folder, `life-${life}.db`);
  const start = () => startEmulator({ ...options, db: fileOf(lives), runtime: runtime() });
  let emulator = await start();
  return {
    get emulator() {
      return emulator;
    },
    get file() {
      return fileOf(lives);
    },
    errors,
    async kill(turns, work) {
      takeImage = () => {
        left = null;
        copyAll(fileOf(lives), fileOf(lives + 1));
      };
      left = turns;
      await work();
      if (left !== null) takeImage();
      await emulator.close();
      for (const name of readdirSync(folder)) {
        if (name.startsWith(`life-${lives}.db`)) rmSync(join(folder, name), { recursive: true });
      }
      lives += 1;
      emulator = await start();
    },
    removeSnapshots: () => rmSync(`${fileOf(lives)}.snapshots`, { recursive: true, force: true }),
    close: () => emulator.close(),
  };
}
