import type { Runtime } from "../../src/kernel/runtime.js";
import { realTime } from "../../src/runtime.js";
import { seededRuntime } from "./seed.js";

/** The time limit of a receiver, and the limit during an advance for a receiver that has not answered before. */
const ANSWER_MS = 30_000;

const log = { warn: () => undefined, error: () => undefined };

export interface PatientRuntime extends Runtime {
  /** The attempts that had `ms` milliseconds for their answer. */
  given(ms: number): number;
  /** Ends the time limit of every attempt under way, and of all later attempts, at once. */
  letTimePass(): void;
  /** From now on no time limit ends until the next `letTimePass`. */
  holdTime(): void;
}

/** A runtime on which 30 seconds pass only when the test decides, so no result can depend on waiting for them. */
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
    holdTime() {
      passes = false;
    },
  };
}
