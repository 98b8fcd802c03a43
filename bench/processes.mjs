/** Shared by the parts of the benchmark: starts servers in separate processes, and computes medians. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

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

/** Starts `qa-pay serve` on a free port. */
export const serve = (...flags) => start([binary, "serve", "--port", "0", "--json", ...flags]);

/** Runs a script of this folder as a process of its own. Returns the JSON that it prints. */
export async function worker(script, job) {
  const args = [join(here, script), JSON.stringify(job)];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env, maxBuffer: 1 << 24 })).stdout);
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

/** The resident memory of a process in MB; NaN when it has ended. */
export function residentMb(pid) {
  try {
    if (process.platform !== "linux") return Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)])) / 1_024;
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}

export async function millisecondsOf(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Kills the servers that still run, and deletes the run's folder. */
export function cleanUp() {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
/** The median, the least and the most. */
export const range = (values) => [median(values), Math.min(...values), Math.max(...values)];
