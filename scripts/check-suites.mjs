// @ts-check
// Usage: npm run suites [-- folder …], after `npm run build`; a folder such as python
// Runs each suite of examples/suites in a folder of its own, with `qa-pay` in PATH. In the end no emulator may be left.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { checkExamples, chosen } from "./check-examples.mjs";
import { SUITES } from "./suites.mjs";

/** @typedef {import("./suites.mjs").Suite} Suite */

const LONGEST_MS = 300_000;
const STOP_SECONDS = 30;

const suites = chosen(SUITES, ({ folder }) => folder);

const work = mkdtempSync(join(tmpdir(), "qa-pay-suites-"));
try {
  const programs = join(work, "programs");
  mkdirSync(programs);
  symlinkSync(resolve("bin/qa-pay.js"), join(programs, "qa-pay"));
  await checkExamples(
    suites.map((suite) => ({ ...suite, path: `examples/suites/${suite.folder}` })),
    (suite) => check(suite, programs),
  );
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * @param {Suite} suite
 * @param {string} programs
 */
async function check({ folder, receiver, build, runs, says }, programs) {
  const place = join(work, folder);
  const temporary = join(work, `${folder}-temporary`);
  const config = join(work, `${folder}-config`);
  cpSync(join("examples", "suites", folder), place, { recursive: true });
  cpSync(join("examples", "receivers", receiver), join(place, basename(receiver)));
  mkdirSync(join(place, "node_modules"));
  symlinkSync(process.cwd(), join(place, "node_modules", "qa-pay"));
  mkdirSync(temporary);
  const env = {
    ...process.env,
    PATH: `${programs}${delimiter}${process.env.PATH}`,
    TMPDIR: temporary,
    QA_PAY_CONFIG_DIR: config,
  };
  const began = performance.now();
  if (build !== undefined) await run(build, place, env);
  const printed = (await Promise.all(runs.map((command) => run(command, place, env)))).join("\n");
  for (const text of says) assert(printed.includes(text), `It did not print ${JSON.stringify(text)}:\n${printed}`);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  await noEmulator(join(config, "servers"));
  return `${runs.length === 1 ? "" : `${runs.length} processes, `}${seconds} s`;
}

/**
 * @param {readonly string[]} command
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} env
 */
async function run([program = "", ...args], cwd, env) {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd, env, timeout: LONGEST_MS });
    return stdout + stderr;
  } catch (error) {
    const { message, stdout = "", stderr = "" } = /** @type {Error & { stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${message}\n${stdout}${stderr}`);
  }
}

/**
 * Emulators end a moment after the tests.
 * @param {string} list The folder with a file of each that runs.
 */
async function noEmulator(list) {
  const end = performance.now() + STOP_SECONDS * 1000;
  while (existsSync(list) && readdirSync(list).length > 0) {
    assert(performance.now() < end, `An emulator still runs ${STOP_SECONDS} s after the tests.`);
    await pause(100);
  }
}
