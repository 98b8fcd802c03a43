import { createHash } from "node:crypto";
import type { Contract } from "../../src/kernel/contract.js";
import type { Log, Runtime } from "../../src/kernel/runtime.js";
import { registry } from "../../src/registry.js";
import { createRandom, createRuntime } from "../../src/runtime.js";
import { tokenOf } from "../support/access.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";

/**
 * Sessions whose answers depend on nothing but the requests: the clock stands still, durations are zero, and random data
 * follows from a seed of its own.
 */

export const START = Date.UTC(2026, 5, 1, 12);
const LOG: Log = { warn: () => undefined, error: () => undefined };

/** The same random data in every run, whatever the seed of the run is. */
function fixedRandom(name: string): Runtime["random"] {
  let fills = 0;
  return createRandom((pool) => {
    fills += 1;
    pool.set(createHash("shake256", { outputLength: pool.length }).update(`replay ${name} ${fills}`).digest());
  });
}

/**
 * Paths whose answers depend on more: on the size of a file, the memory of the process, the version, or on when the
 * passwords of the first users were hashed.
 */
const UNSTEADY = /^\/(?:v1\/auth|_sandbox(?:$|\?|\/(?:snapshots|settings|console|webhooks\/test|stream)))/;

/** Texts that differ between runs: addresses with a free port, and keys that tests count through. */
function steady(text: string, emulator: TestEmulator): string {
  return (
    text
      .replaceAll(new URL(emulator.url).host, "emulator.test")
      .replaceAll(/127\.0\.0\.1:\d{4,5}/g, "receiver.test")
      .replaceAll(/test-key-\d{8}/g, "test-key")
      .replaceAll(/usr_[0-9a-f-]{36}/g, "a user")
      // The bodies that are signed name the free port.
      .replaceAll(/(v1|sha256)=[0-9a-f]{64}/g, "$1=a digest")
      // The same picture has other bytes where Node has another version of zlib.
      .replaceAll(/data:image\/png;base64,[\w+/=]+/g, "a picture")
  );
}

export interface Session {
  readonly emulator: TestEmulator;
  /** A line for each answer: its status, a hash of all of it, and the request. */
  readonly answers: string[];
  close(): Promise<void>;
}

export const contracts: readonly Contract[] = registry.map(({ contract }) => contract as Contract);

/** Starts an emulator whose answers are collected. */
export async function startSession(name: string): Promise<Session> {
  const answers: string[] = [];
  const runtime = createRuntime(LOG);
  const real = { ...runtime.real, monotonic: () => 0, epoch: () => START };
  const emulator = await startEmulator(
    {
      frozen: true,
      startAt: START,
      runtime: { ...runtime, real, random: fixedRandom(name) },
      settings: { previews: new Set(["charge-list"]) },
    },
    ({ method, path, status, headers, text }) => {
      const isCompared = !UNSTEADY.test(path) && /^application\/json/.test(headers.get("content-type") ?? "");
      const told = [...headers].filter(([header]) => !["date", "content-length"].includes(header));
      const body = isCompared ? text : "";
      const answer = steady(`${status}\n${told.map((one) => one.join(": ")).join("\n")}\n\n${body}`, emulator);
      const hash = createHash("sha256").update(answer).digest("base64url").slice(0, 8);
      const asked = steady(`${method} ${path}`, emulator).replaceAll(/[0-9a-f-]{36}/g, "…");
      answers.push(`${status}:${hash} ${asked.slice(0, 60)}\n`);
    },
  );
  // A login waits until the first users are stored. What is asked after it comes after them.
  await tokenOf(emulator);
  answers.length = 0;
  return { emulator, answers, close: () => emulator.close() };
}
