import type { Runtime } from "../../src/base/kernel/runtime.js";
import type { Attempt } from "../../src/service/delivery/attempt.js";
import type { Loose, TestEmulator } from "./emulator.js";
import type { Received } from "./receiver.js";
import { seededRuntime } from "./seed.js";
import { advance, hmac } from "./webhooks.js";

/** A runtime whose random numbers the test chooses. */
export interface ChanceRuntime extends Runtime {
  /** The next random numbers, in order. When the list is empty, each is 0.5. */
  readonly draws: number[];
  /** Replaces the queue. */
  draw: (() => number) | null;
  /** How many random numbers were drawn. */
  drawn: number;
}

export function chanceRuntime(): ChanceRuntime {
  const { log, random, real } = seededRuntime({ warn: () => undefined, error: console.error });
  const runtime: ChanceRuntime = {
    log,
    real,
    draws: [],
    draw: null,
    drawn: 0,
    random: {
      ...random,
      fraction() {
        runtime.drawn += 1;
        return runtime.draw?.() ?? runtime.draws.shift() ?? 0.5;
      },
    },
  };
  return runtime;
}

export function setChaos(emulator: TestEmulator, settings: object = {}): Promise<Loose> {
  return emulator.sandbox("/webhooks/chaos", settings);
}

/** Milliseconds of the emulated clock. */
export async function emulatedNow(emulator: TestEmulator): Promise<number> {
  return Date.parse((await emulator.sandbox("/clock")).now);
}

/** Verifies a signature as a receiver does. `at` is the receiver's clock; a signature may be five minutes old. */
export function judge({ headers, raw, type }: Received, secret: string, at: number): "good" | "forged" | "stale" {
  const header = String(headers["x-qa-signature"]);
  const legacy = /^(payment|withdrawal)\./.test(type);
  const parts = (legacy ? /^sha256=()([0-9a-f]{64})$/ : /^t=(\d+),v1=([0-9a-f]{64})$/).exec(header);
  if (parts === null) throw new Error(`a signature in no known form: ${header}`);
  const [, t = "", digest] = parts;
  if (digest !== hmac(secret, legacy ? raw : `${t}.${raw}`)) return "forged";
  return !legacy && at / 1_000 - Number(t) > 300 ? "stale" : "good";
}

/** Advances the clock until no delivery waits for an attempt. */
export function untilTheEnd(emulator: TestEmulator): Promise<Loose> {
  return advance(emulator, 7 * 86_400);
}

/** Collects what `serve` would print about each attempt from now on. */
export function attemptsOf(emulator: TestEmulator): Attempt[] {
  const attempts: Attempt[] = [];
  emulator.onAttempt((attempt) => attempts.push(attempt));
  return attempts;
}
