/**
 * What an emulator for each worker of a suite costs: its start by `serve --detach` and under `exec`, a reset, and many at once.
 * This is the part `starts` of bench/run.mjs. Needs Linux. Every server ends with this process.
 */
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary, env, folder, memoryOf, millisecondsOf } from "./processes.mjs";
import { spentBy, spentByChildren } from "./processor-time.mjs";

const run = promisify(execFile);
const FLAGS = ["--detach", "--stop-with", String(process.pid), "--port", "0", "--db", ":memory:", "--frozen", "--json"];
const REPEATS = 10;

/**
 * How long work takes: each of some repetitions, and the processor time of the processes that it starts and waits for.
 * @param {() => Promise<unknown>} work
 */
async function cost(work) {
  const before = spentByChildren();
  const times = [];
  for (let time = 0; time < REPEATS; time += 1) times.push(await millisecondsOf(work));
  return { times, processor: (spentByChildren() - before) / REPEATS };
}

/** Runs a command in a folder of its own. */
const command = (...words) =>
  run(process.execPath, [binary, ...words], { cwd: mkdtempSync(join(folder, "worker-")), env });

async function start() {
  const { stdout } = await command("serve", ...FLAGS);
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

const end = (servers) => {
  for (const { pid } of servers.splice(0)) process.kill(pid);
};

const spentOn = (servers) => servers.reduce((sum, { pid }) => sum + spentBy(pid), 0);

/** What one worker does. Returns `{what, times, processor}` for each, in milliseconds. */
async function oneAfterAnother(servers) {
  const detached = await cost(async () => servers.push(await start()));
  detached.processor += spentOn(servers) / servers.length;
  const [first] = servers;
  const used = await cost(async () => {
    await charge(first);
    await reset(first);
  });
  end(servers);
  return [
    { what: "serve --detach, until it answers", ...detached },
    { what: "exec -- true, from start to end", ...(await cost(() => command("exec", "--", "true"))) },
    { what: "webhooks sample", ...(await cost(() => command("webhooks", "sample", "charge.paid"))) },
    { what: "a charge and a reset", ...used, processor: Number.NaN },
  ];
}

async function atOnce(servers, count) {
  const all = await millisecondsOf(async () =>
    servers.push(...(await Promise.all(Array.from({ length: count }, start)))),
  );
  const processor = spentOn(servers);
  const charges = await millisecondsOf(() => Promise.all(servers.map(charge)));
  const memory = servers.reduce((sum, { pid }) => sum + memoryOf(pid), 0) / count;
  const rows = [
    { what: `${count} at once, until all answer`, times: [all], processor },
    { what: `then a charge in each of the ${count}`, times: [charges], processor: Number.NaN },
  ];
  return { rows, memory };
}

/** Returns `rows` of `{what, times, processor}` in milliseconds, and the `memory` of each of `count` emulators in MB. */
export async function starts(count) {
  const servers = [];
  try {
    const single = await oneAfterAnother(servers);
    const { rows, memory } = await atOnce(servers, count);
    return { rows: [...single, ...rows], memory };
  } finally {
    end(servers);
  }
}
