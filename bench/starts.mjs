/** Costs of starts: of the server and of commands beside a floor, and of an emulator for each worker of a suite. */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { binary, folder, here, measureTime, run, serve, shareOfMemoryMb, spentBy, start, stop } from "./processes.mjs";
import { compareRows, formatValues, median } from "./rows.mjs";

/** The server to its ready line against the bare server, and commands against `node -e 0`. */
export async function* startup({ quick }) {
  const count = quick ? 5 : 11;
  const ready = [];
  for (let n = 0; n < count; n++) {
    const floor = await start([join(here, "floor-server.mjs"), join(folder, `start-floor-${n}.db`)]);
    const ours = await serve("--db", join(folder, `start-ours-${n}.db`));
    for (const side of [floor, ours]) side.cost = spentBy(side.child.pid);
    ready.push({ ours, floor });
    await Promise.all([stop(floor), stop(ours)]);
  }
  // h3 and srvx load the HTTP client of Node (docs/PERFORMANCE.md#starts).
  yield compareRows("serve to its ready line", "ms", ready, 3.2);
  const server = await serve("--db", join(folder, "start-client.db"));
  const target = ["--base-url", server.url, "--api-key", server.test_key, "--json"];
  const { id } = JSON.parse(await run([binary, "charges", "create", "--amount", "1990", ...target]));
  for (const [name, words, limit] of [
    ["--version", ["--version"], 1.25],
    ["--help", ["--help"], 1.35],
    // A script that sends this one request with node:http takes 1.5 times.
    ["charges get --json", ["charges", "get", id, ...target], 2.6],
  ]) {
    const rounds = [];
    for (let n = 0; n < count * 2; n++) {
      const floor = await measureTime(() => run(["-e", "0"]));
      rounds.push({ floor, ours: await measureTime(() => run([binary, ...words])) });
    }
    yield compareRows(`${name} against node -e 0`, "ms", rounds, limit);
  }
  await stop(server);
}

const FLAGS = ["--detach", "--stop-with", String(process.pid), "--port", "0", "--db", ":memory:", "--frozen", "--json"];

/** Runs a command in a folder of its own. */
const command = (...words) => run([binary, ...words], mkdtempSync(join(folder, "worker-")));
const serveDetached = async () => JSON.parse(await command("serve", ...FLAGS));

async function post({ url, test_key: apikey }, path, body) {
  const headers = { apikey, "content-type": "application/json", "idempotency-key": "order-1-try-1" };
  const answer = await fetch(url + path, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}.`);
}
const charge = (server) => post(server, "/v1/charges", '{"amount":1990,"payment_method":"pix"}');
const reset = (server) => post(server, "/_sandbox/reset");

async function repeatMeasured(name, work) {
  const rounds = [];
  for (let n = 0; n < 10; n++) rounds.push(await measureTime(work));
  const [times, costs] = ["value", "cost"].map((what) => rounds.map((round) => round[what]));
  return { name, ours: formatValues(times, "ms"), processor: `${Math.round(median(costs))} ms` };
}

/** The cost of an emulator for each worker of a suite. There is no floor. Needs Linux. Every server ends with this process. */
export async function* starts({ quick }) {
  const count = quick ? 10 : 40;
  const servers = [];
  try {
    yield await repeatMeasured("serve --detach, until it answers", async () => servers.push(await serveDetached()));
    const [first] = servers;
    yield await repeatMeasured("a charge and a reset over HTTP", async () => {
      await charge(first);
      await reset(first);
    });
    yield await repeatMeasured("exec -- true, from start to end", () => command("exec", "--", "true"));
    yield await repeatMeasured("webhooks sample", () => command("webhooks", "sample", "charge.paid"));
    const many = [];
    const { value } = await measureTime(async () => {
      many.push(...(await Promise.all(Array.from({ length: count }, serveDetached))));
      servers.push(...many);
    });
    const cost = many.reduce((sum, { pid }) => sum + spentBy(pid), 0);
    yield {
      name: `${count} at once, until all answer`,
      ours: formatValues([value], "ms"),
      processor: `${Math.round(cost)} ms`,
    };
    await Promise.all(many.map(charge));
    yield {
      name: "memory of each of them",
      ours: formatValues([median(many.map(({ pid }) => shareOfMemoryMb(pid)))], "MB"),
    };
  } finally {
    for (const { pid } of servers) process.kill(pid);
  }
}
