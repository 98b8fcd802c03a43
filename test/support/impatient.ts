import type { Runtime } from "../../src/base/kernel/runtime.js";
import { realTime } from "../../src/base/platform/real-runtime.js";
import { seededRuntime } from "./seed.js";

/**
 * The time limit of a receiver, the limit during an advance for a receiver that has not answered before, and how long an
 * advance waits for what requests add to its work.
 */
const LIMITS = [30_000, 1_000, 10_000];

const log = { warn: () => undefined, error: () => undefined };

export interface PatientRuntime extends Runtime {
  /** How many limits of `ms` milliseconds began. */
  countLimits(ms: number): number;
  /** Ends every time limit that has begun, and all later ones, at once; those of `ms` milliseconds alone when it is given. */
  letTimePass(ms?: number): void;
}

/** A runtime on which the time limits pass only when the test decides, so no result can depend on waiting for them. */
export function patientRuntime(): PatientRuntime {
  let waiting: { readonly ms: number; readonly callback: () => void }[] = [];
  let passing: readonly number[] = [];
  const counts = new Map<number, number>();
  const after = (ms: number, callback: () => void) => {
    if (!LIMITS.includes(ms)) return realTime.after(ms, callback);
    counts.set(ms, (counts.get(ms) ?? 0) + 1);
    if (passing.includes(ms)) return realTime.after(20, callback);
    const limit = { ms, callback };
    waiting.push(limit);
    return { cancel: () => (waiting = waiting.filter((other) => other !== limit)) };
  };
  return {
    ...seededRuntime(log),
    real: { ...realTime, after },
    countLimits: (ms) => counts.get(ms) ?? 0,
    letTimePass(only) {
      passing = only === undefined ? LIMITS : [only];
      const over = waiting.filter(({ ms }) => passing.includes(ms));
      waiting = waiting.filter((limit) => !over.includes(limit));
      for (const { callback } of over) callback();
    },
  };
}
