/**
 * The same load on qa-pay, on disk and in memory, and on other emulators of npm: create, read and list, in alternating rounds
 * of one run. A bare server that only sends the bytes of a list shows what is possible.
 * This is the part `peers` of bench/run.mjs. It downloads the other emulators.
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { dynamo, startDynalite, startJsonServer, startStripe } from "./peer-servers.mjs";
import { binary, env, folder, here, median, start, stop } from "./processes.mjs";

const run = promisify(execFile);
const CONNECTIONS = 16;
const LISTED = 20;
const KEY = "qa_test_benchmark";
const JSON_TYPE = { "content-type": "application/json" };

async function ours(place, db) {
  const server = await start([binary, "serve", "--port", "0", "--json", "--db", db, "--test-key", KEY]);
  const body = '{"amount":1990,"payment_method":"pix"}';
  const headers = { apikey: KEY, ...JSON_TYPE, "idempotency-key": "{run}-{n}-key" };
  return {
    name: `qa-pay, ${place}`,
    server,
    create: { ask: { method: "POST", path: "/v1/charges", headers, body }, idOf: "id" },
    read: { ask: { method: "GET", path: "/v1/charges/{id}", headers: { apikey: KEY } } },
    list: { ask: { method: "GET", path: `/v1/payments?limit=${LISTED}`, headers: { apikey: KEY } } },
  };
}

async function stripe() {
  const server = await startStripe();
  const headers = { authorization: "Bearer sk_test_benchmark" };
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded", "idempotency-key": "{run}-{n}-key" };
  const body = "amount=1990&currency=usd&source=tok_visa";
  return {
    name: "stripe-stateful-mock, in memory",
    server,
    create: { ask: { method: "POST", path: "/v1/charges", headers: form, body }, idOf: "id" },
    read: { ask: { method: "GET", path: "/v1/charges/{id}", headers } },
    list: { ask: { method: "GET", path: `/v1/charges?limit=${LISTED}`, headers } },
  };
}

async function jsonServer() {
  const server = await startJsonServer();
  return {
    name: "json-server, on disk",
    server,
    create: {
      ask: { method: "POST", path: "/charges", headers: JSON_TYPE, body: '{"amount":1990,"payment_method":"pix"}' },
      idOf: "id",
    },
    read: { ask: { method: "GET", path: "/charges/{id}" } },
    list: { ask: { method: "GET", path: `/charges?_page=1&_limit=${LISTED}` } },
  };
}

async function dynalite() {
  const server = await startDynalite();
  const item = { id: { S: "{run}-{n}" }, amount: { N: "1990" }, payment_method: { S: "pix" } };
  return {
    name: "dynalite, in memory",
    server,
    create: { ask: dynamo("PutItem", { Item: item }) },
    // The ids are known, because the client chooses them.
    ids: Array.from({ length: 100 }, (_, n) => `first-${n}`),
    read: { ask: dynamo("GetItem", { Key: { id: { S: "{id}" } } }) },
    list: { ask: dynamo("Scan", { Limit: LISTED }) },
  };
}

/** A server that answers every request with the same bytes. */
async function sender(text) {
  const file = join(folder, "list.json");
  writeFileSync(file, text);
  const server = await start([join(here, "floor-list.mjs"), file]);
  return { name: "only sends the bytes of a list", server, list: { ask: { method: "GET", path: "/" } } };
}

async function load({ server, ids }, { ask, idOf }, seconds, name) {
  const job = { url: server.url, connections: CONNECTIONS, seconds, run: name, ids, ask, idOf };
  const { stdout } = await run(process.execPath, [join(here, "peer-load.mjs"), JSON.stringify(job)], {
    env,
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout);
}

const residentMb = ({ child }) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1_024;

/**
 * Returns `{name, isOwn, create, read, list, p99, stored, memoryMb}` for each server: `[median, least, most]` of the requests
 * a second in the rounds, how many times its median the 99th of 100 lists takes, and how many objects it has at the end.
 */
export async function peers(rounds, seconds) {
  const own = [await ours("on disk", join(folder, "peers.db")), await ours("in memory", ":memory:")];
  const all = [...own, await stripe(), await jsonServer(), await dynalite()];
  for (const one of all) {
    const { count, ids } = await load(one, one.create, seconds, "first");
    one.ids ??= ids;
    one.stored = count;
  }
  const { ask } = all[0].list;
  all.push(await sender(await (await fetch(all[0].server.url + ask.path, { headers: ask.headers })).text()));
  const measured = new Map(all.map((one) => [one, { create: [], read: [], list: [], p99: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["create", "read", "list"]) {
      for (const one of all) {
        if (one[kind] === undefined) continue;
        const { count, rate, median: middle, p99 } = await load(one, one[kind], seconds, `round-${round}`);
        measured.get(one)[kind].push(rate);
        if (kind === "create") one.stored += count;
        if (kind === "list") measured.get(one).p99.push(p99 / middle);
      }
    }
  }
  const range = (list) => (list.length === 0 ? null : [median(list), Math.min(...list), Math.max(...list)]);
  const found = all.map((one) => {
    const { create, read, list, p99 } = measured.get(one);
    return {
      name: one.name,
      isOwn: own.includes(one),
      create: range(create),
      read: range(read),
      list: range(list),
      p99: median(p99),
      stored: one.stored,
      memoryMb: residentMb(one.server),
    };
  });
  await Promise.all(all.map(({ server }) => stop(server)));
  return found;
}
