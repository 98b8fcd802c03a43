// @ts-check
// Usage: node scripts/smoke-no-driver.mjs <folder where the packed package is installed>
// Runs the package as on a machine for which it brings no SQLite. With a Node that has its own SQLite,
// qa-pay must work. With an older Node, every entry point must say what to do.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasOwnSqlite, shell } from "./platform.mjs";

const [folder] = process.argv.slice(2);
assert(folder, "Name the folder where the packed package is installed");

/** No command may run longer. On a machine that does other things too, npm alone takes a minute. */
const LONGEST_MS = 300_000;

/** npm settings that download no prebuilt binary, and a compiler that always fails. */
const broken = { npm_config_build_from_source: "true", CC: "false", CXX: "false" };

// Lets the Node of these commands say that it runs on another machine.
const other = 'Object.defineProperty(process, "arch", { value: "riscv64" });\n';
writeFileSync(join(folder, "other-machine.cjs"), other);
if (hasOwnSqlite) checkThatItWorks(folder);
else checkAdvice(folder);

/** @param {string} folder */
function checkThatItWorks(folder) {
  const ended = qaPay(folder, "exec", "--", "node", "-e", "");
  assert.equal(ended.status, 0, ended.stderr);
  assert.match(qaPay(folder, "doctor").stdout, /^✓ sqlite +node:sqlite$/m);
  console.log("On a machine without a binary the packed package works with the SQLite of Node.");
}

/** @param {string} folder */
function checkAdvice(folder) {
  const served = qaPay(folder, "serve", "--port", "0", "--db", ":memory:");
  assert.equal(served.status, 1, served.stderr);
  const reasons =
    "better-sqlite3 is not installed, this Node has no SQLite of its own, and the one that comes with qa-pay";
  const platform = `${process.platform}-riscv64`;
  const begin = `Error: No SQLite driver: ${reasons} has no binary for ${platform}.\n`;
  assert(served.stderr.startsWith(begin), served.stderr);
  const advice = served.stderr.replace(/^Error: /, "").trim();

  const examined = qaPay(folder, "doctor");
  assert.equal(examined.status, 1, examined.stdout);
  assert(examined.stdout.includes(`✗ sqlite    ${advice.replaceAll("\n", " ")}\n`), `doctor says: ${examined.stdout}`);

  checkLibrary(folder, advice);

  const [, command = ""] = /`(npm [^`]+)`/.exec(advice) ?? [];
  const [npm = "", ...args] = command.split(" ");
  const followed = run(folder, npm, args, broken);
  assert.notEqual(followed.status, 0, `${command} succeeds with a compiler that fails`);
  assert.match(followed.stderr, /gyp ERR! .*fail/, `${command} does not show what fails: ${followed.stderr}`);
  console.log("Without any SQLite driver all say what to do about it, and that shows what fails.");
}

/**
 * Checks the error of a program that uses the library: it must show the program's own line and the advice, not the code
 * of the package.
 * @param {string} folder
 * @param {string} advice
 */
function checkLibrary(folder, advice) {
  const line = "await createEmulator({ frozen: true });";
  writeFileSync(join(folder, "script.mjs"), `import { createEmulator } from "qa-pay";\n${line}\n`);
  const died = run(folder, process.execPath, ["--require", "./other-machine.cjs", "script.mjs"]);
  assert.equal(died.status, 1, died.stderr);
  assert(died.stderr.includes(`DatabaseError: ${advice}\n`), died.stderr);
  assert.match(died.stderr, /^ +at .*script\.mjs:2:\d+/m);
  const longest = Math.max(...died.stderr.split("\n").map((text) => text.length));
  assert(longest < 400, `a line of ${longest} characters is shown:\n${died.stderr}`);
}

/**
 * @param {string} folder
 * @param {readonly string[]} args
 */
function qaPay(folder, ...args) {
  const bin = join(folder, "node_modules", "qa-pay", "bin", "qa-pay.js");
  return run(folder, process.execPath, ["--require", "./other-machine.cjs", bin, ...args], {
    QA_PAY_CONFIG_DIR: join(folder, "config"),
  });
}

/**
 * @param {string} cwd
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function run(cwd, program, args, env = {}) {
  const options = {
    cwd,
    env: { ...process.env, ...env },
    encoding: /** @type {const} */ ("utf8"),
    timeout: LONGEST_MS,
  };
  return spawnSync(program, args, program === "npm" ? { ...options, shell } : options);
}
