// @ts-check
// Usage: node bench/starts.mjs [count], after `npm run build`
// What an emulator for each worker of a suite costs: its start by `serve --detach` and under `exec`, a reset, and so many at
// once (40 unless told). Needs Linux. Every server ends with this process.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { spentBy, spentByChildren } from "./processor-time.mjs";

const run = promisify(execFile);
const BIN = resolve("bin/qa-pay.js");
const FLAGS = ["--detach", "--stop-with", String(process.pid), "--port", "0", "--db", ":memory:", "--frozen", "--json"];
const REPEATS = 10;
const MOST = 200;

const count = Number(process.argv[2] ?? 40);
if (!Number.isInteger(count) || count < 1 || count > MOST) throw new Error(`Give a count from 1 to ${MOST}.`);
const folder = mkdtempSync(join(tmpdir(), "qa-pay-starts-"));
const env = { ...process.env, QA_PAY_CONFIG_DIR: join(folder, "config") };

/** @param {() => Promise<unknown>} work */
async function millisecondsOf(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/**
 * How long work takes: the median of some repetitions, and the processor time of the processes that it starts and waits for.
 * @param {() => Promise<unknown>} work
 */
async function cost(work) {
  const before = spentByChildren();
  const all = [];
  for (let time = 0; time < REPEATS; time += 1) all.push(await millisecondsOf(work));
  const processor = (spentByChildren() - before) / REPEATS;
  return { ms: Math.round(all.toSorted((a, b) => a - b)[REPEATS / 2] ?? 0), processor };
}

/** A server in a folder of its own. */
async function start() {
  const { stdout } = await run(process.execPath, [BIN, "serve", ...FLAGS], {
    cwd: mkdtempSync(join(folder, "worker-")),
    env,
  });
  return JSON.parse(stdout);
}

/** @param {{ url: string, test_key: string }} server */
async function reset({ url, test_key: apikey }) {
  const { status } = await fetch(`${url}/_sandbox/reset`, { method: "POST", headers: { apikey } });
  if (status !== 204) throw new Error(`A reset was answered ${status}.`);
}

/** @param {{ url: string, test_key: string }} server */
async function charge({ url, test_key: apikey }) {
  const headers = { apikey, "content-type": "application/json", "idempotency-key": "order-1-try-1" };
  const body = JSON.stringify({ amount: 1990, payment_method: "pix" });
  const { status } = await fetch(`${url}/v1/charges`, { method: "POST", headers, body });
  if (status !== 201) throw new Error(`A charge was answered ${status}.`);
}

/** The memory that is the process's own, in MB: pages that processes share are divided among them. */
function memoryOf(/** @type {number} */ pid) {
  const found = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"));
  return Number(found?.[1] ?? 0) / 1024;
}

/** @type {{ pid: number, url: string, test_key: string }[]} */
const servers = [];
try {
  console.log(`${availableParallelism()} processors, Node ${process.versions.node}`);
  const detached = await cost(async () => servers.push(await start()));
  const inBackground = servers.reduce((sum, { pid }) => sum + spentBy(pid), 0) / servers.length;
  const processor = Math.round(detached.processor + inBackground);
  console.log(`serve --detach, until it answers: ${detached.ms} ms, ${processor} ms of a processor`);
  const exec = await cost(() => run(process.execPath, [BIN, "exec", "--", "true"], { cwd: folder, env }));
  console.log(`exec -- true, from start to end: ${exec.ms} ms, ${Math.round(exec.processor)} ms of a processor`);
  const sample = await cost(() =>
    run(process.execPath, [BIN, "webhooks", "sample", "charge.paid"], { cwd: folder, env }),
  );
  console.log(`webhooks sample: ${sample.ms} ms, ${Math.round(sample.processor)} ms of a processor`);
  for (const one of servers.slice(0, 1)) {
    const { ms } = await cost(async () => {
      await charge(one);
      await reset(one);
    });
    console.log(`a charge and a reset: ${ms} ms`);
  }
  for (const { pid } of servers.splice(0)) process.kill(pid);
  const all = await millisecondsOf(async () =>
    servers.push(...(await Promise.all(Array.from({ length: count }, start)))),
  );
  const charges = await millisecondsOf(() => Promise.all(servers.map(charge)));
  console.log(
    `${count} at once: all answer after ${(all / 1000).toFixed(1)} s; then a charge in each takes ${Math.round(charges)} ms`,
  );
  const memory = servers.map(({ pid }) => memoryOf(pid));
  const sum = memory.reduce((a, b) => a + b, 0);
  const busy = servers.reduce((sum, { pid }) => sum + spentBy(pid), 0);
  console.log(`processor time of the ${count}: ${(busy / 1000).toFixed(1)} s`);
  console.log(`memory of the ${count}: ${Math.round(sum)} MB, ${Math.round(sum / count)} MB each`);
} finally {
  for (const { pid } of servers) process.kill(pid);
  rmSync(folder, { recursive: true, force: true });
}
