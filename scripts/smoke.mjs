// @ts-check
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Shared parts of the smoke tests: a folder of their own, and programs that are watched and never outlive the test. */

/** No program of a smoke test may run longer. */
const LONGEST_MS = 300_000;

/**
 * Runs `use` in a new folder of temporary files, and removes it.
 * @param {(folder: string) => void | Promise<void>} use
 */
export async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "qa-pay-smoke-"));
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @typedef {object} Running
 * @property {import("node:child_process").ChildProcess} child
 * @property {() => Promise<string>} line The next line that it prints. Fails when it ends before.
 * @property {() => Promise<void>} stop Stops it by SIGTERM, which must end it with code 0.
 */

/**
 * Starts a program and hands it to `use`. It is killed in the end with all that it started, such as the server behind `npx`, and
 * when it runs for too long.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} options
 * @param {(running: Running) => Promise<void>} use
 */
export async function withRunning(program, args, options, use) {
  // The leader of a group of processes. Windows has no groups.
  const detached = process.platform !== "win32";
  const child = spawn(program, args, { ...options, detached, stdio: ["ignore", "pipe", "inherit"] });
  const kill = () => {
    if (!detached || child.pid === undefined) return child.kill("SIGKILL");
    try {
      return process.kill(-child.pid, "SIGKILL");
    } catch {
      // Nobody of the group is left.
      return false;
    }
  };
  // A group of its own does not hear the Ctrl-C of the terminal.
  const interrupt = () => {
    kill();
    process.exit(130);
  };
  process.once("SIGINT", interrupt);
  const watchdog = setTimeout(kill, LONGEST_MS);
  const ended = once(child, "exit");
  assert(child.stdout);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    await use({
      child,
      async line() {
        const { done, value } = await lines.next();
        assert(!done, `${args.join(" ")} ended too early`);
        return value;
      },
      async stop() {
        child.kill("SIGTERM");
        const [code] = await ended;
        assert.equal(code, 0, "exit code after SIGTERM");
      },
    });
  } finally {
    clearTimeout(watchdog);
    process.off("SIGINT", interrupt);
    kill();
  }
}

/**
 * The next line of a server that says that it is ready; what else it prints before is passed over.
 * @param {Running} running
 * @returns {Promise<{ event: string, url: string, test_key: string, pid: number }>}
 */
export async function readyLine(running) {
  const line = JSON.parse(await running.line());
  return line.event === "ready" ? line : readyLine(running);
}
