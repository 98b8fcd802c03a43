import type { Runtime } from "../../src/base/kernel/runtime.js";
import type { Answer, Loose, TestEmulator } from "./emulator.js";
import { seededRuntime } from "./seed.js";

/** A latency in milliseconds that no other wait of the service has, so that the test can recognise these waits. */
export const LATENCY = 123_457;

/** A runtime whose waits of `LATENCY` end when the test decides. The test may also choose the random numbers. */
export interface HeldRuntime extends Runtime {
  /** Resolves once so many waits have begun since the start. */
  waitForBegin(count: number): Promise<void>;
  /** Ends all waits that have begun. */
  pass(): void;
  /** The number of waits that have neither ended nor been cancelled. */
  countHeld(): number;
}

export function createHeldRuntime(fraction?: () => number): HeldRuntime {
  const runtime = seededRuntime({ warn: () => undefined, error: console.error });
  const waits = new Set<() => void>();
  const listeners = new Set<() => void>();
  let count = 0;
  return {
    log: runtime.log,
    random: fraction === undefined ? runtime.random : { ...runtime.random, fraction },
    real: {
      ...runtime.real,
      after(ms, callback) {
        if (ms !== LATENCY) return runtime.real.after(ms, callback);
        waits.add(callback);
        count += 1;
        for (const listener of [...listeners]) listener();
        return { cancel: () => void waits.delete(callback) };
      },
    },
    waitForBegin: (wanted) =>
      new Promise((resolve) => {
        const look = () => {
          if (count < wanted) return;
          listeners.delete(look);
          resolve();
        };
        listeners.add(look);
        look();
      }),
    pass() {
      const over = [...waits];
      waits.clear();
      for (const callback of over) callback();
    },
    countHeld: () => waits.size,
  };
}

/** Adds a rule. Without `match` it applies to all of /v1. */
export function addFault(emulator: TestEmulator, effect: object, rest: object = {}): Promise<Loose> {
  return emulator.sandbox("/faults", { effect, ...rest });
}

export async function faultRules(emulator: TestEmulator): Promise<Loose[]> {
  return (await emulator.sandbox("/faults")).data;
}

/** The outcome of a request: its answer, or `cut` when the connection ended without an answer. */
export function outcome(request: Promise<Answer>): Promise<Answer | "cut"> {
  return request.catch((error: unknown) => {
    const cause: unknown = error instanceof TypeError ? error.cause : undefined;
    if (cause instanceof Error && "code" in cause && ["UND_ERR_SOCKET", "ECONNRESET"].includes(String(cause.code))) {
      return "cut";
    }
    throw error;
  });
}
