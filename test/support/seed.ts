import { createHash } from "node:crypto";
import type { Log, Runtime } from "../../src/base/kernel/runtime.js";
import { createRandom, createRuntime } from "../../src/base/platform/real-runtime.js";

/** One seed decides the order of the test files and all random data, so that a run can be repeated. */

export const SEED = Number(process.env.QA_PAY_SEED ?? 20_261_121);

let file = "";
let made = 0;

/** From here on the random data is that of this test file, whatever ran before it in the same process. */
export function beginFile(path: string): void {
  file = path;
  made = 0;
}

/** Real time, and random data that depends on the seed, the test file, and how many runtimes the file made before. */
export function seededRuntime(log: Log): Runtime {
  made += 1;
  const name = `${SEED} ${file} ${made}`;
  let fills = 0;
  const fill = (pool: Uint8Array) => {
    fills += 1;
    pool.set(createHash("shake256", { outputLength: pool.length }).update(`${name} ${fills}`).digest());
  };
  return { ...createRuntime(log), random: createRandom(fill) };
}
