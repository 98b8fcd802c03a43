/** Shared by the parts of the benchmark: starts servers in separate processes, and computes medians. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const here = new URL(".", import.meta.url).pathname;
export const binary = join(here, "..", "bin", "qa-pay.js");
/** The folder for the databases and profiles of this run. `cleanUp` deletes it. */
export const folder = mkdtempSync(join(tmpdir(), "qa-pay-bench-"));
export const env = { ...process.env, QA_PAY_CONFIG_DIR: join(folder, "config") };
// With it, Node reads certificates at every start, which takes longer than the start and hides the difference between two.
delete env.NODE_EXTRA_CA_CERTS;
const children = new Set();

/** Starts a program of Node whose output is not read. `cleanUp` ends it. */
export function launch(args, variables = env) {
  const child = spawn(process.execPath, args, { env: variables, stdio: ["ignore", "ignore", "inherit"] });
  children.add(child);
  return child;
}

/**
 * Starts a server in a folder of its own, a script of Node unless another program is named. Resolves to its first line of JSON,
 * and the time until that line.
 */
export function start(args, program = process.execPath) {
  const cwd = mkdtempSync(join(folder, "server-"));
  const began = performance.now();
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const end = text.indexOf("\n");
      if (end !== -1) resolve({ child, took: performance.now() - began, ...JSON.parse(text.slice(0, end)) });
    });
    child.on("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
}

export function stop({ child }, signal = "SIGTERM") {
  children.delete(child);
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", resolve);
    child.kill(signal);
  });
}

/** The memory of a process in MB. Pages that processes share are divided among them. Needs Linux. */
export function memoryOf(pid) {
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Kills the servers that still run, and deletes the run's folder. */
export function cleanUp() {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
