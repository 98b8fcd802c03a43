/**
 * The same load on qa-pay, on disk and in memory, and on other emulators of npm: create, read and list, in alternating rounds
 * of one run. A bare server that only sends the bytes of a list shows what is possible.
 * This is the part `peers` of bench/run.mjs. It downloads the other emulators.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dynamo, startDynalite, startJsonServer, startStripe } from "./peer-servers.mjs";
import { folder, here, median, range, residentMb, serve, start, stop, worker } from "./processes.mjs";
import { createCharge, readCharge } from "./requests.mjs";

const CONNECTIONS = 16;
const LISTED = 20;
const KEY = "qa_test_benchmark";
const JSON_TYPE = { "content-type": "application/json" };

async function ours(place, db) {
  return {
    name: `qa-pay, ${place}`,
    server: await serve("--db", db, "--test-key", KEY),
    create: { ask: createCharge(KEY), idOf: "id" },
    read: { ask: readCharge(KEY) },
    list: { ask: { path: `/v1/payments?limit=${LISTED}`, headers: { apikey: KEY } } },
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
    read: { ask: { path: "/v1/charges/{id}", headers } },
    list: { ask: { path: `/v1/charges?limit=${LISTED}`, headers } },
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
    read: { ask: { path: "/charges/{id}" } },
    list: { ask: { path: `/charges?_page=1&_limit=${LISTED}` } },
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
  return { name: "only sends the bytes of a list", server, list: { ask: { path: "/" } } };
}

const load = ({ server: { url }, ids }, { ask, idOf }, seconds, run) =>
  worker("load.mjs", { url, connections: CONNECTIONS, seconds, run, ids, ask, idOf });

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
  const rangeOf = (list) => (list.length === 0 ? null : range(list));
  const found = all.map((one) => {
    const { create, read, list, p99 } = measured.get(one);
    return {
      name: one.name,
      isOwn: own.includes(one),
      create: rangeOf(create),
      read: rangeOf(read),
      list: rangeOf(list),
      p99: median(p99),
      stored: one.stored,
      memoryMb: residentMb(one.server.child.pid),
    };
  });
  await Promise.all(all.map(({ server }) => stop(server)));
  return found;
}
