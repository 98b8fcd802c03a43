// @ts-check
// Usage: node scripts/smoke-dev.mjs
// Starts `npm run dev`, touches a source and stops it: it must serve, serve again after the change, and end cleanly. Starts it
// again and stops it while it still builds: it must end as cleanly.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const folder = mkdtempSync(join(tmpdir(), "qa-pay-dev-"));
const args = ["scripts/dev.mjs", "--port", "0", "--json", "--db", join(folder, "dev.db")];
const env = { ...process.env, QA_PAY_CONFIG_DIR: folder };
try {
  await servesAgain();
  await endsEarly();
  console.log("npm run dev serves, serves again after a change, and stops cleanly, also while it builds.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @typedef {{ dev: import("node:child_process").ChildProcess, lines: AsyncIterator<string> }} Dev */

/** @param {(running: Dev) => Promise<void>} use */
async function withDev(use) {
  const dev = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  const watchdog = setTimeout(() => dev.kill("SIGKILL"), 120_000);
  try {
    await use({ dev, lines: createInterface({ input: dev.stdout })[Symbol.asyncIterator]() });
  } finally {
    clearTimeout(watchdog);
    if (dev.exitCode === null) dev.kill("SIGKILL");
  }
}

async function servesAgain() {
  await withDev(async ({ dev, lines }) => {
    const first = await nextReady(lines);
    const now = new Date();
    utimesSync("src/version.ts", now, now);
    const second = await nextReady(lines);
    assert.notEqual(second.pid, first.pid, "the server was not started anew");
    await stopped(dev, second.pid);
  });
}

async function endsEarly() {
  await withDev(async ({ dev, lines }) => {
    const { pid } = await nextReady(lines);
    await stopped(dev, pid);
  });
}

/**
 * @param {import("node:child_process").ChildProcess} dev
 * @param {number} server
 */
async function stopped(dev, server) {
  dev.kill("SIGTERM");
  const [code] = await once(dev, "exit");
  assert.equal(code, 0, "exit code after SIGTERM");
  assert.throws(() => process.kill(server, 0), "the server outlives npm run dev");
}

/**
 * The next ready line; what else the server prints in between is passed over.
 * @param {AsyncIterator<string>} lines
 * @returns {Promise<{ event: string, pid: number }>}
 */
async function nextReady(lines) {
  const { done, value } = await lines.next();
  assert(!done, "npm run dev ended before the server was ready");
  const line = JSON.parse(value);
  return line.event === "ready" ? line : nextReady(lines);
}
