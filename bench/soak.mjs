/**
 * Runs `serve` under a mixed load with a receiver that fails, two readers of the stream and a snapshot every ten minutes, and
 * looks every ten seconds at what must not grow: memory, open files, the write-ahead log, the bytes for each charge.
 *
 * Usage: npm run soak [-- --minutes 60] [-- --rate 20]   (Linux, because it reads /proc)
 */
import { readdirSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { cleanUp, folder, residentMb, serve, stop } from "./processes.mjs";
import { median } from "./rows.mjs";
import { waitUntilListening } from "./serving.mjs";

const after = (flag, fallback) => {
  const place = process.argv.indexOf(flag);
  return Number(place === -1 ? fallback : process.argv[place + 1]);
};
const minutes = after("--minutes", 60);
const rate = after("--rate", 20);
const EVERY_MS = Math.min(10_000, (minutes * 60_000) / 60);
const SNAPSHOT_EVERY_MS = Math.min(600_000, (minutes * 60_000) / 4);
const LAST_ANSWER_MS = 60_000;
/** How many ids of a kind the load remembers. */
const KEPT = 500;
/** The growth that is allowed from the second quarter of the run to the last: the first one fills the caches. */
const LIMITS = { memoryMb: 30, files: 10, walMb: 8 };

/**
 * A receiver that fails as real ones do. Of 100 requests 90 are answered with 204, four with 500, two with 429 and
 * `Retry-After`, two after two seconds, one not at all, and one connection is cut.
 */
async function startReceiver() {
  const heard = { count: 0, failed: 0 };
  const server = createServer((request, response) => {
    const answer = (status, headers = {}) => response.writeHead(status, headers).end();
    request.resume().on("end", () => {
      const turn = heard.count++ % 100;
      if (turn < 90) return answer(204);
      if (turn < 92) return setTimeout(() => answer(204), 2_000);
      heard.failed += 1;
      if (turn < 96) return answer(500);
      if (turn < 98) return answer(429, { "retry-after": "2" });
      if (turn < 99) return request.socket.destroy();
    });
  });
  return { ...(await waitUntilListening(server)), heard };
}

/** Sends requests to one server, counts the answers that were not expected, and keeps the time of each. */
function createCaller({ url, test_key: key }) {
  const unexpected = {};
  const times = [];
  const note = (problem) => {
    unexpected[problem] = (unexpected[problem] ?? 0) + 1;
  };
  async function call(method, path, expected, body, headers = {}) {
    const began = performance.now();
    const init = { method, headers: { apikey: key, "content-type": "application/json", ...headers } };
    if (body !== undefined) init.body = JSON.stringify(body);
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    times.push(performance.now() - began);
    if (answer.status !== expected)
      note(`${answer.status} to ${method} ${path.replace(/\w+_[\da-f-]{36}|[\da-f-]{36}/, "{id}")}`);
    return answer.ok && text !== "" ? JSON.parse(text) : null;
  }
  return { call, note, unexpected, times };
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** The requests of an integration in a day: `[how many of 100 requests, name, what it does]`. */
function mixOf(call) {
  const open = { charges: [], paid: [], cases: [] };
  let number = 0;
  let isPassing = false;
  const keep = (list, created) => {
    if (created !== null) list.push(created.id);
    if (list.length > KEPT) list.shift();
  };
  const idempotent = () => ({ "idempotency-key": `soak-${process.pid}-${number++}-key` });
  const create = async () => {
    const body = { amount: 1 + Math.floor(Math.random() * 100_000), payment_method: "pix" };
    keep(open.charges, await call("POST", "/v1/charges", 201, body, idempotent()));
  };
  const pay = async () => {
    const id = open.charges.shift();
    if (id === undefined) return create();
    if ((await call("POST", `/_sandbox/charges/${id}/pay`, 200)) !== null) keep(open.paid, { id });
  };
  const refund = () => {
    const id = open.paid.shift();
    if (id === undefined) return pay();
    const body = { idempotencyKey: `soak-refund-${number++}`, amount: 1 };
    return call("POST", `/v1/payments/${id.replace("ch_", "")}/refund`, 201, body);
  };
  const contest = async () => {
    const id = open.paid.pop();
    if (id === undefined) return pay();
    keep(open.cases, await call("POST", "/_sandbox/med-cases", 201, { charge_id: id }));
  };
  const decide = () => {
    const id = open.cases.shift();
    if (id === undefined) return contest();
    const outcome = pick(["upheld", "refunded_to_merchant", "closed_without_refund"]);
    return call("POST", `/_sandbox/med-cases/${id}/decide`, 200, { outcome });
  };
  const read = () => (open.charges.length === 0 ? create() : call("GET", `/v1/charges/${pick(open.charges)}`, 200));
  /** One at a time, because each waits for its turn, and for receivers that take their 30 seconds. */
  const passMinute = async () => {
    if (isPassing) return read();
    isPassing = true;
    await call("POST", "/_sandbox/clock/advance", 200, { seconds: 60 }).finally(() => {
      isPassing = false;
    });
  };
  return [
    [30, "create", create],
    [20, "pay", pay],
    [5, "refund", refund],
    [2, "open a MED case", contest],
    [2, "decide a MED case", decide],
    [17, "read", read],
    [8, "list payments", () => call("GET", "/v1/payments?limit=20", 200)],
    [4, "list deliveries", () => call("GET", "/v1/webhooks/deliveries?limit=20", 200)],
    [3, "read balances", () => call("GET", "/v1/wallets/balance", 200)],
    [3, "read statistics", () => call("GET", "/v1/payments/stats", 200)],
    [2, "a wrong key", () => call("GET", "/v1/wallets", 401, undefined, { apikey: "qa_test_wrong" })],
    [2, "a wrong body", () => call("POST", "/v1/charges", 400, { amount: "ten" }, idempotent())],
    [1, "an unknown charge", () => call("GET", "/v1/charges/ch_00000000-0000-4000-8000-000000000000", 404)],
    [1, "pass a minute", passMinute],
  ].flatMap(([share, name, run]) => Array.from({ length: share }, () => ({ name, run })));
}

/**
 * Sends a request whenever one is due, whether or not earlier ones are answered. `stop` returns the names of those without an
 * answer.
 */
function startLoad({ call, note }) {
  const counts = {};
  const mix = mixOf(call);
  const underWay = new Map();
  const timer = setInterval(() => {
    const { name, run } = pick(mix);
    counts[name] = (counts[name] ?? 0) + 1;
    const work = run().catch((error) => note(String(error.cause ?? error)));
    underWay.set(work, name);
    void work.finally(() => underWay.delete(work));
  }, 1_000 / rate);
  const stopLoad = async () => {
    clearInterval(timer);
    const limit = new AbortController();
    const patience = wait(LAST_ANSWER_MS, undefined, { signal: limit.signal }).catch(() => undefined);
    await Promise.race([Promise.all(underWay.keys()), patience]);
    limit.abort();
    return [...underWay.values()];
  };
  return { counts, stop: stopLoad };
}

const sizeOf = (file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The memory of the server now, and how long 99 of 100 requests since the last look took. */
function sample(pid, db, counts, times, began) {
  const taken = times.splice(0).sort((a, b) => a - b);
  return {
    minutes: (performance.now() - began) / 60_000,
    memoryMb: residentMb(pid),
    files: readdirSync(`/proc/${pid}/fd`).length,
    walMb: sizeOf(`${db}-wal`) / 1e6,
    fileMb: sizeOf(db) / 1e6,
    p99Ms: taken[Math.floor(taken.length * 0.99)] ?? 0,
    charges: counts.create ?? 0,
  };
}

/** The figures that grew more than they may, in words. */
function grown(samples) {
  const part = (from, to) => samples.slice(Math.floor(samples.length * from), Math.floor(samples.length * to));
  const [early, late] = [part(0.25, 0.5), part(0.75, 1)];
  const found = Object.entries(LIMITS).flatMap(([figure, limit]) => {
    const [before, now] = [early, late].map((list) => median(list.map((one) => one[figure])));
    return now - before > limit ? [`${figure}: ${before.toFixed(1)}, then ${now.toFixed(1)}`] : [];
  });
  const [before, now] = [early, late].map(
    (list) => (list.at(-1).fileMb - list[0].fileMb) / (list.at(-1).charges - list[0].charges),
  );
  if (now > before * 1.25) found.push(`kB of the file for each charge: ${before * 1e3}, then ${now * 1e3}`);
  return found;
}

/** Reads the stream of everything to its end. */
async function follow({ url, test_key: apikey }, signal) {
  const answer = await fetch(`${url}/_sandbox/stream`, { signal, headers: { apikey, accept: "text/event-stream" } });
  if (!answer.ok) throw new Error(`The stream answered ${answer.status}`);
  for await (const chunk of answer.body) void chunk;
}

async function main() {
  const receiver = await startReceiver();
  const db = join(folder, "soak.db");
  const server = await serve("--db", db, "--forward-to", receiver.url, "--retry-base", "2s");
  const readers = new AbortController();
  const following = [1, 2].map(() => follow(server, readers.signal).catch((error) => error));
  const caller = createCaller(server);
  const load = startLoad(caller);
  const began = performance.now();
  const samples = [];
  const saves = [];
  while (performance.now() - began < minutes * 60_000) {
    await wait(EVERY_MS);
    samples.push(sample(server.pid, db, load.counts, caller.times, began));
    if (performance.now() - began >= (saves.length + 1) * SNAPSHOT_EVERY_MS)
      saves.push(caller.call("POST", "/_sandbox/snapshots", 201, { name: "soak" }).catch((error) => error));
  }
  const silent = await load.stop();
  const saved = silent.length > 0 ? [] : await Promise.all(saves);
  const check = await caller.call("GET", "/_sandbox/ledger/check", 200);
  readers.abort();
  const cut = (await Promise.all(following)).filter((error) => error?.name !== "AbortError");
  await stop(server);
  await receiver.end();
  const errors = [...saved.filter((outcome) => outcome instanceof Error), ...cut].map(String);
  const ledger = check?.ok ? [] : [`the ledger: ${JSON.stringify(check?.problems)}`];
  const wrong = [...grown(samples), ...silent.map((name) => `no answer to: ${name}`), ...errors, ...ledger];
  const report = {
    minutes,
    rate,
    requests: load.counts,
    unexpected: caller.unexpected,
    webhooks: receiver.heard,
    wrong,
  };
  console.log(JSON.stringify({ ...report, first: samples[0], last: samples.at(-1) }, null, 2));
  if (wrong.length > 0) process.exitCode = 1;
}

try {
  await main();
} finally {
  cleanUp();
}
