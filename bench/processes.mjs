/** Starts servers and programs in processes of their own, and reads what they cost. Shared by the parts of the benchmark. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

export const here = new URL(".", import.meta.url).pathname;
export const binary = join(here, "..", "bin", "qa-pay.js");
/** The folder for the databases and profiles of this run. `cleanUp` deletes it. */
export const folder = mkdtempSync(join(tmpdir(), "qa-pay-bench-"));
export const env = { ...process.env, QA_PAY_CONFIG_DIR: join(folder, "config") };
// With it, Node reads certificates at every start, which takes longer than the start and hides the difference between two.
delete env.NODE_EXTRA_CA_CERTS;
const children = new Set();

/**
 * Starts a server of Node in a folder of its own. Resolves to its first line of JSON, and `value`: the milliseconds until that
 * line.
 */
export function start(args) {
  const cwd = mkdtempSync(join(folder, "server-"));
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  children.add(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (line) => {
      resolve({ child, value: performance.now() - began, ...JSON.parse(line) });
    });
    child.on("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
}

/** Starts `qa-pay serve` on a free port. */
export const serve = (...flags) => start([binary, "serve", "--port", "0", "--json", ...flags]);

/** Runs a program of Node to its end. Returns what it prints. */
export async function run(args, cwd = folder) {
  return (await promisify(execFile)(process.execPath, args, { cwd, env, maxBuffer: 1 << 26 })).stdout;
}

/** Runs a script of this folder. Returns the JSON that it prints. */
export const worker = async (script, job) => JSON.parse(await run([join(here, script), JSON.stringify(job)]));

/** Makes a database with `count` payments. */
export const seed = (file, count) => run([join(here, "seed.mjs"), file, String(count)]);

export function stop({ child }) {
  children.delete(child);
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", resolve);
    child.kill();
  });
}

/** Kills the servers that still run, and deletes the run's folder. */
export function cleanUp() {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
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

/** The same, with pages that processes share divided among them. Needs Linux. */
export function shareOfMemoryMb(pid) {
  const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")) ?? [];
  return Number(kilobytes) / 1_024;
}

/** Milliseconds of a processor that all threads of a process have taken. NaN where there is no `/proc`. */
export function spentBy(pid) {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const each = tasks.map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]));
    return each.reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

/** The same of the processes that this one has started and that have ended, in steps of 10 ms. */
function spentByChildren() {
  if (process.platform !== "linux") return Number.NaN;
  const [user, system] = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ").slice(13, 15).map(Number);
  return (user + system) * 10;
}

/** The milliseconds that work takes: `value` on the clock, `cost` of a processor in the processes that it starts and waits for. */
export async function measureTime(work) {
  const [began, before] = [performance.now(), spentByChildren()];
  await work();
  return { value: performance.now() - began, cost: spentByChildren() - before };
}
