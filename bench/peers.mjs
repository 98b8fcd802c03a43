/**
 * qa-pay beside other emulators of npm, which are downloaded at the first use. `peers` sends the same load to all of them in turn,
 * `peerStarts` measures what each costs a suite of tests. They are parts of bench/run.mjs.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createEmulator } from "../dist/index.js";
import { env, folder, here, launch, memoryOf, range, residentMb, serve, start, stop, worker } from "./processes.mjs";
import { createCharge, filled, pause, readCharge } from "./requests.mjs";

const require = createRequire(import.meta.url);
const PACKAGES = { "stripe-stateful-mock": "0.0.16", "json-server": "0.17.4", dynalite: "4.0.0" };
const CONNECTIONS = 16;
const KEY = "qa_test_benchmark";
const LISTED = 20;

let installed;

async function install() {
  const at = join(folder, "peers");
  mkdirSync(at);
  writeFileSync(join(at, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: at, env });
  return at;
}

async function fileOf(name, file) {
  installed ??= install();
  return join(await installed, "node_modules", name, file);
}

/** Waits until a server answers this request, and returns the answer. */
async function answered(url, init) {
  for (let tries = 0; ; tries++) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (tries > 1_000) throw error;
      await pause(20);
    }
  }
}

/** Starts a program that prints no line of JSON and takes no port 0, and waits until it answers. */
async function startProgram(argsFor, variablesFor = () => ({})) {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address();
  await new Promise((done) => taken.close(done));
  const child = launch(argsFor(port), { ...env, ...variablesFor(port) });
  const url = `http://127.0.0.1:${port}`;
  await answered(url);
  return { child, url };
}

/** Lets a server of node:http listen in this process. */
async function listening(server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${server.address().port}`, end };
}

const JSON_TYPE = { "content-type": "application/json" };

const stripeKey = { authorization: "Bearer sk_test_benchmark" };
const stripe = {
  name: "stripe-stateful-mock, in memory",
  idOf: "id",
  create: {
    method: "POST",
    path: "/v1/charges",
    headers: {
      ...stripeKey,
      "content-type": "application/x-www-form-urlencoded",
      "idempotency-key": "{run}-{n}-key",
    },
    body: "amount=1990&currency=usd&source=tok_visa",
  },
  read: { path: "/v1/charges/{id}", headers: stripeKey },
  list: { path: `/v1/charges?limit=${LISTED}`, headers: stripeKey },
  async startOne() {
    const program = await fileOf("stripe-stateful-mock", "dist/cli.js");
    return startProgram(
      () => [program],
      (port) => ({ PORT: port, LOG_LEVEL: "silent" }),
    );
  },
  async open() {
    const { createExpressApp } = require(await fileOf("stripe-stateful-mock", "dist/index.js"));
    return listening(createHttpServer(createExpressApp()));
  },
};

const jsonServer = {
  name: "json-server, on disk",
  idOf: "id",
  create: {
    method: "POST",
    path: "/charges",
    headers: JSON_TYPE,
    body: '{"amount":1990,"payment_method":"pix"}',
  },
  read: { path: "/charges/{id}" },
  list: { path: `/charges?_page=1&_limit=${LISTED}` },
  async startOne() {
    const program = await fileOf("json-server", "lib/cli/bin.js");
    return startProgram((port) => {
      const file = join(folder, `json-server-${port}.json`);
      writeFileSync(file, '{"charges":[]}');
      return [program, "--port", String(port), "--host", "127.0.0.1", "--quiet", file];
    });
  },
  /** In memory, because a test has a server of its own. */
  async open() {
    const { create, bodyParser, router } = require(await fileOf("json-server", "lib/server/index.js"));
    const app = create();
    app.use(bodyParser, router({ charges: [] }));
    return listening(createHttpServer(app));
  },
};

/** A request to dynalite about its table of charges. */
function dynamo(operation, body) {
  const signed = "AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=b";
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "x-amz-date": "20260101T000000Z",
    authorization: signed,
  };
  return { method: "POST", path: "/", headers, body: JSON.stringify({ TableName: "charges", ...body }) };
}

/** Creates the table of charges of a dynalite, and waits until it can be used. */
async function createTable(url) {
  const table = dynamo("CreateTable", {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const { status } = await answered(url, table);
  if (status !== 200) throw new Error(`dynalite created no table: ${status}`);
  while ((await (await fetch(url, dynamo("DescribeTable", {}))).json()).Table.TableStatus !== "ACTIVE");
}

const dynalite = {
  name: "dynalite, in memory",
  create: dynamo("PutItem", {
    Item: { id: { S: "{run}-{n}" }, amount: { N: "1990" }, payment_method: { S: "pix" } },
  }),
  read: dynamo("GetItem", { Key: { id: { S: "{id}" } } }),
  list: dynamo("Scan", { Limit: LISTED }),
  /** The client chooses the ids. */
  ids: Array.from({ length: 100 }, (_, n) => `first-${n}`),
  async startOne() {
    const program = await fileOf("dynalite", "cli.js");
    const server = await startProgram((port) => [
      program,
      "--port",
      String(port),
      "--host",
      "127.0.0.1",
      "--createTableMs",
      "0",
    ]);
    await createTable(server.url);
    return server;
  },
  async open() {
    const server = await listening(require(await fileOf("dynalite", "index.js"))({ createTableMs: 0 }));
    await createTable(server.url);
    return server;
  },
};

const ours = (place, db) => ({
  name: `qa-pay, ${place}`,
  idOf: "id",
  create: createCharge(KEY),
  read: readCharge(KEY),
  list: { path: `/v1/payments?limit=${LISTED}`, headers: { apikey: KEY } },
  startOne: () => serve("--db", db, "--test-key", KEY),
  async open() {
    const { url, close } = await createEmulator({ testKey: KEY });
    return { url, end: close };
  },
});

const OTHERS = [stripe, jsonServer, dynalite];

function load({ server: { url }, ids, idOf, ...requests }, kind, seconds, run) {
  const job = { url, connections: CONNECTIONS, seconds, run, ids, ask: requests[kind] };
  return worker("load.mjs", kind === "create" ? { ...job, idOf } : job);
}

/** A server that answers every request with the bytes of such a list. */
async function listSender({ server, list }) {
  const file = join(folder, "list.json");
  writeFileSync(file, await (await fetch(server.url + list.path, { headers: list.headers })).text());
  return {
    name: "only sends the bytes of a list",
    list: { path: "/" },
    server: await start([join(here, "floor-list.mjs"), file]),
  };
}

/**
 * Returns `{name, create, read, list, stored, memoryMb}` for each server, qa-pay on disk first and the sender of a list last:
 * `[median, least, most]` of the requests a second in the rounds, and how many objects the server has at the end.
 */
export async function peers(rounds, seconds) {
  const all = [];
  for (const one of [ours("on disk", join(folder, "peers.db")), ours("in memory", ":memory:"), ...OTHERS]) {
    const server = await one.startOne();
    const { count, ids } = await load({ ...one, server }, "create", seconds, "first");
    all.push({ ids, ...one, server, stored: count, rates: { create: [], read: [], list: [] } });
  }
  all.push({ ...(await listSender(all[0])), rates: { create: [], read: [], list: [] } });
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["create", "read", "list"]) {
      for (const one of all.filter((server) => server[kind] !== undefined)) {
        const { count, rate } = await load(one, kind, seconds, `round-${round}`);
        one.rates[kind].push(rate);
        if (kind === "create") one.stored += count;
      }
    }
  }
  const found = all.map(({ name, rates, stored, server }) => {
    const ranges = Object.entries(rates).map(([kind, list]) => [kind, list.length === 0 ? null : range(list)]);
    return { name, ...Object.fromEntries(ranges), stored, memoryMb: residentMb(server.child.pid) };
  });
  await Promise.all(all.map(({ server }) => stop(server)));
  return found;
}

/** Creates an object and reads it. */
async function createAndRead(url, { create, read, idOf, ids: [known] = [] }) {
  const send = async (request, values) => {
    const { path, ...init } = filled(request, { run: "first", n: "0", ...values });
    const answer = await fetch(url + path, init);
    if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const created = await send(create, {});
  await send(read, { id: known ?? String(created[idOf]) });
}

/** Milliseconds until a server in this process answers, and until a test with it is over. */
async function oneTest(one) {
  const began = performance.now();
  const server = await one.open();
  await fetch(server.url).then((answer) => answer.arrayBuffer());
  const ready = performance.now() - began;
  await createAndRead(server.url, one);
  await server.end();
  return { ready, whole: performance.now() - began };
}

/** Starts many processes at once. Returns the seconds until all of them answer, and the memory of one in MB. */
async function manyAtOnce(startOne, count) {
  const began = performance.now();
  const servers = await Promise.all(Array.from({ length: count }, () => startOne()));
  const seconds = (performance.now() - began) / 1_000;
  const memory = servers.reduce((sum, { child }) => sum + memoryOf(child.pid), 0) / count;
  await Promise.all(servers.map((server) => stop(server)));
  return { seconds, memory };
}

/** Returns `{name, ready, whole, seconds, memory}` of each emulator. `ready` and `whole` are `[median, least, most]`. */
export async function peerStarts(tests, count) {
  const all = [ours("in memory", ":memory:"), ...OTHERS].map((one) => ({ one, times: [] }));
  // The first tests load and compile.
  for (let test = -5; test < tests; test++) {
    for (const { one, times } of all) {
      const took = await oneTest(one);
      if (test >= 0) times.push(took);
    }
  }
  const found = [];
  for (const { one, times } of all) {
    const [ready, whole] = ["ready", "whole"].map((part) => range(times.map((took) => took[part])));
    found.push({ name: one.name, ready, whole, ...(await manyAtOnce(one.startOne, count)) });
  }
  return found;
}
