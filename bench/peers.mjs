/**
 * The same load on qa-pay, on disk and in memory, and on other emulators of npm: create, read and list, in alternating rounds
 * of one run. A bare server that only sends the bytes of a list shows what is possible.
 * This is the part `peers` of bench/run.mjs. It downloads the other emulators.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LISTED, REQUESTS, startDynalite, startJsonServer, startStripe } from "./peer-servers.mjs";
import { folder, here, median, range, residentMb, serve, start, stop, worker } from "./processes.mjs";
import { createCharge, readCharge } from "./requests.mjs";

const CONNECTIONS = 16;
const KEY = "qa_test_benchmark";
const FIRST_IDS = Array.from({ length: 100 }, (_, n) => `first-${n}`);

async function ours(place, db) {
  return {
    name: `qa-pay, ${place}`,
    server: await serve("--db", db, "--test-key", KEY),
    idOf: "id",
    create: createCharge(KEY),
    read: readCharge(KEY),
    list: { path: `/v1/payments?limit=${LISTED}`, headers: { apikey: KEY } },
  };
}

/** A server that answers every request with the same bytes. */
async function sender(text) {
  const file = join(folder, "list.json");
  writeFileSync(file, text);
  const server = await start([join(here, "floor-list.mjs"), file]);
  return { name: "only sends the bytes of a list", server, list: { path: "/" } };
}

const load = ({ server: { url }, ids, idOf, ...asks }, kind, seconds, run) => {
  const job = { url, connections: CONNECTIONS, seconds, run, ids, ask: asks[kind] };
  return worker("load.mjs", kind === "create" ? { ...job, idOf } : job);
};

/**
 * Returns `{name, isOwn, create, read, list, p99, stored, memoryMb}` for each server: `[median, least, most]` of the requests
 * a second in the rounds, how many times its median the 99th of 100 lists takes, and how many objects it has at the end.
 */
export async function peers(rounds, seconds) {
  const own = [await ours("on disk", join(folder, "peers.db")), await ours("in memory", ":memory:")];
  const others = [
    { name: "stripe-stateful-mock, in memory", server: await startStripe(), ...REQUESTS.stripe },
    { name: "json-server, on disk", server: await startJsonServer(), ...REQUESTS.jsonServer },
    // The ids are known, because the client chooses them.
    { name: "dynalite, in memory", server: await startDynalite(), ...REQUESTS.dynalite, ids: FIRST_IDS },
  ];
  const all = [...own, ...others];
  for (const one of all) {
    const { count, ids } = await load(one, "create", seconds, "first");
    one.ids ??= ids;
    one.stored = count;
  }
  const [{ server, list }] = own;
  all.push(await sender(await (await fetch(server.url + list.path, { headers: list.headers })).text()));
  const measured = new Map(all.map((one) => [one, { create: [], read: [], list: [], p99: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["create", "read", "list"]) {
      for (const one of all) {
        if (one[kind] === undefined) continue;
        const { count, rate, median: middle, p99 } = await load(one, kind, seconds, `round-${round}`);
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
