import type { Runtime } from "../../src/kernel/runtime.js";
import { realTime } from "../../src/runtime.js";
import { seededRuntime } from "./seed.js";

/** How long a receiver has to answer, and how long one that did not answer before has during a journey of the clock. */
const ANSWER_MS = 30_000;

const log = { warn: () => undefined, error: () => undefined };

/** The real 30 seconds that a receiver has are one and a half for an emulator under test. */
export function impatientRuntime(): Runtime {
  const real = {
    ...realTime,
    after: (ms: number, callback: () => void) => realTime.after(ms === ANSWER_MS ? 1_500 : ms, callback),
  };
  return { ...seededRuntime(log), real };
}

export interface PatientRuntime extends Runtime {
  /** Attempts that were given `ms` for their answer. */
  given(ms: number): number;
  /** Lets the time of every attempt under way, and of those that follow, be over at once. */
  letTimePass(): void;
}

/** A runtime on which 30 seconds never pass before the test says so: what happens did not wait for them. */
export function patientRuntime(): PatientRuntime {
  let waiting: (() => void)[] = [];
  let passes = false;
  const counts = new Map<number, number>();
  const after = (ms: number, callback: () => void) => {
    if (ms !== ANSWER_MS && ms !== 1_000) return realTime.after(ms, callback);
    counts.set(ms, (counts.get(ms) ?? 0) + 1);
    if (passes) return realTime.after(20, callback);
    waiting.push(callback);
    return { cancel: () => (waiting = waiting.filter((other) => other !== callback)) };
  };
  return {
    ...seededRuntime(log),
    real: { ...realTime, after },
    given: (ms) => counts.get(ms) ?? 0,
    letTimePass() {
      passes = true;
      for (const callback of waiting.splice(0)) callback();
    },
  };
}
