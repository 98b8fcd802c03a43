/**
 * qa-pay beside other emulators of npm, which are downloaded: the same load to all of them in turn.
 *
 * Usage: npm run build && node bench/peers.mjs [--quick]
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { cleanUp, env, folder, residentMb, serve, stop, worker } from "./processes.mjs";
import { createCharge, KEY, LIST, pause, readCharge } from "./requests.mjs";
import { formatValues } from "./rows.mjs";

const PACKAGES = { "stripe-stateful-mock": "0.0.16", "json-server": "0.17.4", dynalite: "4.0.0" };
const CONNECTIONS = 16;
const LISTED = 20;
const packages = join(folder, "peers");

async function install() {
  mkdirSync(packages);
  writeFileSync(join(packages, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: packages, env });
}

const fileOf = (...path) => join(packages, "node_modules", ...path);

/** Waits until a server answers this request, and returns the answer. */
async function fetchUntilAnswered(url, init) {
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
  const variables = { ...env, ...variablesFor(port) };
  const child = spawn(process.execPath, argsFor(port), { env: variables, stdio: ["ignore", "ignore", "inherit"] });
  process.on("exit", () => child.kill("SIGKILL"));
  const url = `http://127.0.0.1:${port}`;
  await fetchUntilAnswered(url);
  return { child, url };
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
  startOne: () =>
    startProgram(
      () => [fileOf("stripe-stateful-mock", "dist/cli.js")],
      (port) => ({ PORT: port, LOG_LEVEL: "silent" }),
    ),
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
  startOne: () =>
    startProgram((port) => {
      const file = join(folder, `json-server-${port}.json`);
      writeFileSync(file, '{"charges":[]}');
      const flags = ["--port", String(port), "--host", "127.0.0.1", "--quiet", file];
      return [fileOf("json-server", "lib/cli/bin.js"), ...flags];
    }),
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
  const { status } = await fetchUntilAnswered(url, table);
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
    const server = await startProgram((port) => {
      const flags = ["--port", String(port), "--host", "127.0.0.1", "--createTableMs", "0"];
      return [fileOf("dynalite", "cli.js"), ...flags];
    });
    await createTable(server.url);
    return server;
  },
};

const ours = (place, db) => ({
  name: `qa-pay, ${place}`,
  idOf: "id",
  create: createCharge(KEY),
  read: readCharge(KEY),
  list: { path: LIST, headers: { apikey: KEY } },
  startOne: () => serve("--db", db, "--test-key", KEY),
});

const ALL = [ours("on disk", join(folder, "peers.db")), ours("in memory", ":memory:"), stripe, jsonServer, dynalite];

function load({ server: { url }, ids, idOf, ...requests }, kind, seconds, run) {
  const job = { url, connections: CONNECTIONS, seconds, run, ids, ask: requests[kind] };
  return worker("load.mjs", kind === "create" ? { ...job, idOf } : job);
}

/** Prints the requests a second of each, how many objects it has at the end, and its memory. Every round adds to those before. */
async function main(rounds, seconds) {
  await install();
  const all = [];
  for (const one of ALL) {
    const server = await one.startOne();
    const { count, ids } = await load({ ...one, server }, "create", seconds, "first");
    all.push({ ids, ...one, server, stored: count, rates: { create: [], read: [], list: [] } });
  }
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["create", "read", "list"]) {
      for (const one of all) {
        const { count, rate } = await load(one, kind, seconds, `round-${round}`);
        one.rates[kind].push(rate);
        if (kind === "create") one.stored += count;
      }
    }
  }
  const rows = all.map(({ name, rates, stored, server }) => ({
    name,
    ...Object.fromEntries(Object.entries(rates).map(([kind, values]) => [kind, formatValues(values, "/s")])),
    "stored at the end": stored,
    memory: formatValues([residentMb(server.child.pid)], "MB"),
  }));
  console.table(rows);
  await Promise.all(all.map(({ server }) => stop(server)));
}

try {
  await (process.argv.includes("--quick") ? main(3, 1) : main(10, 3));
} finally {
  cleanUp();
}
