/**
 * The same load on qa-pay and on other emulators of npm: create, read and list, in alternating rounds of one run. Two bare
 * servers show what is possible: the floor of the other parts, and only sends the bytes of a list.
 * This is the part `peers` of bench/run.mjs. It downloads the other emulators.
 */
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { binary, env, folder, here, launch, median, start, stop } from "./processes.mjs";

const run = promisify(execFile);
const PACKAGES = { "stripe-stateful-mock": "0.0.16", "json-server": "0.17.4", dynalite: "4.0.0" };
const CONNECTIONS = 16;
const LISTED = 20;
const KEY = "qa_test_benchmark";
const JSON_TYPE = { "content-type": "application/json" };

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function install() {
  const at = join(folder, "peers");
  mkdirSync(at);
  writeFileSync(join(at, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: at, env });
  return (name, file) => join(at, "node_modules", name, file);
}

async function answers(url) {
  for (let tries = 0; ; tries++) {
    try {
      await fetch(url);
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Starts a program that prints no line of JSON, and waits until it answers. */
async function startOther(args, port, more = {}) {
  const child = launch(args, { ...env, ...more });
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return { child, url };
}

async function ours() {
  const server = await start([
    binary,
    "serve",
    "--port",
    "0",
    "--json",
    "--db",
    join(folder, "peers.db"),
    "--test-key",
    KEY,
  ]);
  const body = '{"amount":1990,"payment_method":"pix"}';
  const headers = { apikey: KEY, ...JSON_TYPE, "idempotency-key": "{run}-{n}-key" };
  return {
    name: "qa-pay, on disk",
    server,
    create: { ask: { method: "POST", path: "/v1/charges", headers, body }, idOf: "id" },
    read: { ask: { method: "GET", path: "/v1/charges/{id}", headers: { apikey: KEY } } },
    list: { ask: { method: "GET", path: `/v1/payments?limit=${LISTED}`, headers: { apikey: KEY } } },
  };
}

async function stripe(fileOf) {
  const port = await freePort();
  const server = await startOther([fileOf("stripe-stateful-mock", "dist/cli.js")], port, {
    PORT: port,
    LOG_LEVEL: "silent",
  });
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

async function jsonServer(fileOf) {
  const port = await freePort();
  const file = join(folder, "json-server.json");
  writeFileSync(file, '{"charges":[]}');
  const args = [
    fileOf("json-server", "lib/cli/bin.js"),
    "--port",
    String(port),
    "--host",
    "127.0.0.1",
    "--quiet",
    file,
  ];
  const server = await startOther(args, port);
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

async function dynalite(fileOf) {
  const port = await freePort();
  const server = await startOther(
    [fileOf("dynalite", "cli.js"), "--port", String(port), "--host", "127.0.0.1", "--createTableMs", "0"],
    port,
  );
  const call = (operation, body) => {
    const signed =
      "AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=b";
    const headers = {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": `DynamoDB_20120810.${operation}`,
      "x-amz-date": "20260101T000000Z",
      authorization: signed,
    };
    return { method: "POST", path: "/", headers, body: JSON.stringify({ TableName: "charges", ...body }) };
  };
  const table = call("CreateTable", {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const { status } = await fetch(server.url, table);
  if (status !== 200) throw new Error(`dynalite made no table: ${status}`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const item = { id: { S: "{run}-{n}" }, amount: { N: "1990" }, payment_method: { S: "pix" } };
  return {
    name: "dynalite, in memory",
    server,
    create: { ask: call("PutItem", { Item: item }) },
    // The ids are known, because the client chooses them.
    ids: Array.from({ length: 100 }, (_, n) => `first-${n}`),
    read: { ask: call("GetItem", { Key: { id: { S: "{id}" } } }) },
    list: { ask: call("Scan", { Limit: LISTED }) },
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
 * Returns `{name, create, read, list, p99, memoryMb}` for each server: `[median, least, most]` of the requests a second in
 * the rounds, and how many times its median the 99th of 100 lists takes.
 */
export async function peers(rounds, seconds) {
  const fileOf = await install();
  const all = [await ours(), await stripe(fileOf), await jsonServer(fileOf), await dynalite(fileOf)];
  for (const one of all) {
    const { ids } = await load(one, one.create, seconds, "first");
    one.ids ??= ids;
  }
  const { ask } = all[0].list;
  all.push(await sender(await (await fetch(all[0].server.url + ask.path, { headers: ask.headers })).text()));
  const measured = new Map(all.map((one) => [one, { create: [], read: [], list: [], p99: [] }]));
  for (let round = 0; round < rounds; round++) {
    for (const kind of ["create", "read", "list"]) {
      for (const one of all) {
        if (one[kind] === undefined) continue;
        const { rate, median: middle, p99 } = await load(one, one[kind], seconds, `round-${round}`);
        measured.get(one)[kind].push(rate);
        if (kind === "list") measured.get(one).p99.push(p99 / middle);
      }
    }
  }
  const range = (list) => (list.length === 0 ? null : [median(list), Math.min(...list), Math.max(...list)]);
  const found = all.map((one) => {
    const { create, read, list, p99 } = measured.get(one);
    return {
      name: one.name,
      create: range(create),
      read: range(read),
      list: range(list),
      p99: median(p99),
      memoryMb: residentMb(one.server),
    };
  });
  await Promise.all(all.map(({ server }) => stop(server)));
  return found;
}
