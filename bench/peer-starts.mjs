/**
 * What a server costs a suite of tests: qa-pay in memory and other emulators, each in a warm process of its own kind, and many
 * of their processes at once. This is the part `peer-starts` of bench/run.mjs. It downloads the other emulators.
 */
import { createRequire } from "node:module";
import { createEmulator } from "../dist/index.js";
import { fileOf, makeTable, REQUESTS, startDynalite, startJsonServer, startStripe } from "./peer-servers.mjs";
import { memoryOf, range, serve, stop } from "./processes.mjs";
import { createCharge, filled, readCharge } from "./requests.mjs";

const require = createRequire(import.meta.url);

/** Lets a server of node:http listen. */
async function listening(listen) {
  const server = await new Promise((resolve) => {
    const made = listen(0, "127.0.0.1", () => resolve(made));
  });
  const end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, end };
}

/** Creates an object and reads it. */
async function createAndRead(url, { create, read, idOf }, id = "first-0") {
  const ask = async (request, values) => {
    const { path, ...init } = filled(request, { run: "first", n: "0", ...values });
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const made = await ask(create, {});
  await ask(read, { id: idOf === undefined ? id : String(made[idOf]) });
}

/** Each emulator in this process: `open` starts one, `use` creates a charge in it and reads it. */
async function inProcess() {
  const { createExpressApp } = require(await fileOf("stripe-stateful-mock", "dist/index.js"));
  const jsonServer = require(await fileOf("json-server", "lib/server/index.js"));
  const dynalite = require(await fileOf("dynalite", "index.js"));
  return [
    {
      name: "qa-pay, in memory",
      open: async () => {
        const { url, testKey, close } = await createEmulator();
        return { url, testKey, end: close };
      },
      use: ({ url, testKey }) =>
        createAndRead(url, { create: createCharge(testKey), read: readCharge(testKey), idOf: "id" }),
    },
    {
      name: "stripe-stateful-mock, in memory",
      open: () => {
        const app = createExpressApp();
        return listening((...at) => app.listen(...at));
      },
      use: ({ url }) => createAndRead(url, REQUESTS.stripe),
    },
    {
      name: "json-server, in memory",
      open: () => {
        const app = jsonServer.create();
        app.use(jsonServer.bodyParser, jsonServer.router({ charges: [] }));
        return listening((...at) => app.listen(...at));
      },
      use: ({ url }) => createAndRead(url, REQUESTS.jsonServer),
    },
    {
      name: "dynalite, in memory",
      open: async () => {
        const server = dynalite({ createTableMs: 0 });
        const found = await listening((...at) => server.listen(...at));
        await makeTable(found.url);
        return found;
      },
      use: ({ url }) => createAndRead(url, REQUESTS.dynalite),
    },
  ];
}

const PROCESSES = {
  "qa-pay, in memory": () => serve("--db", ":memory:"),
  "stripe-stateful-mock, in memory": startStripe,
  "json-server, on disk": startJsonServer,
  "dynalite, in memory": startDynalite,
};

/** Milliseconds until the server answers, and until a test with it is over. */
async function oneTest({ open, use }) {
  const began = performance.now();
  const server = await open();
  await fetch(server.url).then((answer) => answer.arrayBuffer());
  const ready = performance.now() - began;
  await use(server);
  await server.end();
  return { ready, whole: performance.now() - began };
}

/** Starts many processes of a server at once. Returns the seconds until all of them answer, and the memory of one in MB. */
async function manyAtOnce(startOne, count) {
  const began = performance.now();
  const servers = await Promise.all(Array.from({ length: count }, () => startOne()));
  const seconds = (performance.now() - began) / 1_000;
  const memory = servers.reduce((sum, { child }) => sum + memoryOf(child.pid), 0) / count;
  await Promise.all(servers.map((server) => stop(server)));
  return { seconds, memory };
}

/** Returns `{name, ready, whole}` and `{name, seconds, memory}` of each emulator. `ready` and `whole` are `[median, least, most]`. */
export async function peerStarts(tests, count) {
  const emulators = await inProcess();
  const times = new Map(emulators.map((one) => [one, []]));
  // The first tests load and compile.
  for (let test = -5; test < tests; test++) {
    for (const one of emulators) {
      const took = await oneTest(one);
      if (test >= 0) times.get(one).push(took);
    }
  }
  const inOne = emulators.map((one) => ({
    name: one.name,
    ready: range(times.get(one).map(({ ready }) => ready)),
    whole: range(times.get(one).map(({ whole }) => whole)),
  }));
  const atOnce = [];
  for (const [name, startOne] of Object.entries(PROCESSES)) {
    atOnce.push({ name, ...(await manyAtOnce(startOne, count)) });
  }
  return { inOne, atOnce };
}
