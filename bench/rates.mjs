/** Requests and deliveries a second, beside a floor that does the same work. */
import { join } from "node:path";
import { folder, here, serve, spentBy, start, stop, worker } from "./processes.mjs";
import { createCharge, LIST, pause, readCharge } from "./requests.mjs";
import { compareRows } from "./rows.mjs";

/** For each kind of request: what it sends, and the least ratio to the floor, by the number of connections. */
const KINDS = {
  create: { ask: createCharge, targets: { 1: 0.6, 16: 1.25, 64: 1.4 } },
  read: { ask: readCharge, targets: { 1: 0.5, 16: 0.5, 64: 0.5 } },
  list: { ask: (apikey) => ({ path: LIST, headers: { apikey } }), targets: { 1: 0.25, 16: 0.25, 64: 0.25 } },
};

/** Creates and reads charges, and reads lists of 20, with a database file. */
export async function* requests({ quick, wants }) {
  const kinds = Object.entries(KINDS).filter(([kind]) => wants(kind));
  const floor = await start([join(here, "floor-server.mjs"), join(folder, "floor.db")]);
  const sides = { floor, ours: await serve("--db", join(folder, "ours.db")) };
  let series = 0;
  const load = async (side, kind, connections, until) => {
    const { url, test_key: key = "", child, ids } = sides[side];
    const job = { url, connections, run: `bench-${series++}`, ids, ask: KINDS[kind].ask(key), idOf: "id", ...until };
    const before = spentBy(child.pid);
    const made = await worker("load.mjs", job);
    if (kind === "create") sides[side].ids = made.ids;
    return { value: made.rate, cost: (spentBy(child.pid) - before) / made.count };
  };
  // The code of both is compiled by the same number of requests, however slow the machine is.
  for (const kind of ["create", "read", "list"])
    for (const side of ["floor", "ours"]) await load(side, kind, 16, { seconds: 60, count: 4_000 });
  for (const [kind, { targets }] of kinds) {
    for (const [connections, target] of Object.entries(targets)) {
      const rounds = [];
      for (let round = 0; round < (quick ? 3 : 5); round++) {
        const until = { seconds: quick ? 1 : 2.5 };
        const floor = await load("floor", kind, Number(connections), until);
        rounds.push({ floor, ours: await load("ours", kind, Number(connections), until) });
      }
      yield compareRows(`${kind}, connections: ${connections}`, "/s", rounds, target);
    }
  }
  await Promise.all([stop(sides.floor), stop(sides.ours)]);
}

const ENDPOINTS = 10;

async function registerEndpoints({ url, test_key: apikey }, receiver) {
  const headers = { apikey, "content-type": "application/json" };
  for (let n = 0; n < ENDPOINTS; n++) {
    const body = JSON.stringify({ url: `${receiver}/${n}`, events: ["charge.created"] });
    const answer = await fetch(`${url}/v1/webhooks/endpoints`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`An endpoint was refused with ${answer.status}`);
  }
}

/** Creates charges, and waits until the deliveries to all endpoints have arrived and are recorded. Returns deliveries a second. */
async function deliver(charges, round) {
  const receiver = await start([join(here, "receiver.mjs")]);
  const server = await serve("--db", join(folder, `deliveries-${round}.db`));
  await registerEndpoints(server, receiver.url);
  const began = performance.now();
  const job = { url: server.url, connections: 16, seconds: 60, count: charges, run: `delivery-${round}` };
  await worker("load.mjs", { ...job, ask: createCharge(server.test_key) });
  let stats;
  do {
    await pause(20);
    const headers = { apikey: server.test_key };
    stats = await (await fetch(`${server.url}/v1/webhooks/stats`, { headers })).json();
  } while (stats.DELIVERED < stats.total);
  const seconds = (performance.now() - began) / 1_000;
  const { distinct } = await (await fetch(receiver.url)).json();
  if (distinct !== charges * ENDPOINTS) throw new Error(`${distinct} of ${charges * ENDPOINTS} deliveries arrived`);
  await Promise.all([stop(receiver), stop(server)]);
  return { value: distinct / seconds, cost: Number.NaN };
}

export async function* deliveries({ quick }) {
  const charges = quick ? 300 : 800;
  const rounds = [];
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    const receiver = await start([join(here, "receiver.mjs")]);
    const job = { url: receiver.url, count: charges * ENDPOINTS, connections: 16 };
    const { count, seconds } = await worker("floor-sender.mjs", job);
    await stop(receiver);
    const floor = { value: count / seconds, cost: Number.NaN };
    rounds.push({ floor, ours: await deliver(charges, round) });
  }
  yield compareRows("deliveries, sent, answered and recorded", "/s", rounds, 0.35);
}
