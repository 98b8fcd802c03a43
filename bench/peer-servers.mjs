/** Other emulators of npm: their installation, and their starts as processes. Used by the parts that compare qa-pay with them. */

import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { env, folder, launch } from "./processes.mjs";
import { pause } from "./requests.mjs";

const PACKAGES = { "stripe-stateful-mock": "0.0.16", "json-server": "0.17.4", dynalite: "4.0.0" };
let installed;

async function install() {
  const at = join(folder, "peers");
  mkdirSync(at);
  writeFileSync(join(at, "package.json"), JSON.stringify({ private: true, dependencies: PACKAGES }));
  await promisify(execFile)("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: at, env });
  return at;
}

/** The path of a file of one of the packages, which are downloaded at the first call. */
export async function fileOf(name, file) {
  installed ??= install();
  return join(await installed, "node_modules", name, file);
}

/** Waits until a server answers this request, and returns the answer. */
export async function answered(url, init) {
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
async function startOther(argsFor, more = () => ({})) {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address();
  await new Promise((done) => taken.close(done));
  const child = launch(argsFor(port), { ...env, ...more(port) });
  const url = `http://127.0.0.1:${port}`;
  await answered(url);
  return { child, url };
}

export async function startStripe() {
  const program = await fileOf("stripe-stateful-mock", "dist/cli.js");
  return startOther(
    () => [program],
    (port) => ({ PORT: port, LOG_LEVEL: "silent" }),
  );
}

export async function startJsonServer() {
  const program = await fileOf("json-server", "lib/cli/bin.js");
  return startOther((port) => {
    const file = join(folder, `json-server-${port}.json`);
    writeFileSync(file, '{"charges":[]}');
    return [program, "--port", String(port), "--host", "127.0.0.1", "--quiet", file];
  });
}

/** A request to dynalite about its table of charges. */
export function dynamo(operation, body) {
  const signed = "AWS4-HMAC-SHA256 Credential=a/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=b";
  const headers = {
    "content-type": "application/x-amz-json-1.0",
    "x-amz-target": `DynamoDB_20120810.${operation}`,
    "x-amz-date": "20260101T000000Z",
    authorization: signed,
  };
  return { method: "POST", path: "/", headers, body: JSON.stringify({ TableName: "charges", ...body }) };
}

export const LISTED = 20;
const CHARGE = '{"amount":1990,"payment_method":"pix"}';
const JSON_TYPE = { "content-type": "application/json" };
const STRIPE = { authorization: "Bearer sk_test_benchmark" };
const FORM = { ...STRIPE, "content-type": "application/x-www-form-urlencoded", "idempotency-key": "{run}-{n}-key" };
const ITEM = { id: { S: "{run}-{n}" }, amount: { N: "1990" }, payment_method: { S: "pix" } };

/** What each is asked, as in a job of bench/load.mjs: to create a charge, to read one and to list some. */
export const REQUESTS = {
  stripe: {
    idOf: "id",
    create: {
      method: "POST",
      path: "/v1/charges",
      headers: FORM,
      body: "amount=1990&currency=usd&source=tok_visa",
    },
    read: { path: "/v1/charges/{id}", headers: STRIPE },
    list: { path: `/v1/charges?limit=${LISTED}`, headers: STRIPE },
  },
  jsonServer: {
    idOf: "id",
    create: { method: "POST", path: "/charges", headers: JSON_TYPE, body: CHARGE },
    read: { path: "/charges/{id}" },
    list: { path: `/charges?_page=1&_limit=${LISTED}` },
  },
  dynalite: {
    create: dynamo("PutItem", { Item: ITEM }),
    read: dynamo("GetItem", { Key: { id: { S: "{id}" } } }),
    list: dynamo("Scan", { Limit: LISTED }),
  },
};

/** Makes the table of charges of a dynalite that listens there, and waits until it can be used. */
export async function makeTable(url) {
  const table = dynamo("CreateTable", {
    AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
    KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
    BillingMode: "PAY_PER_REQUEST",
  });
  const { status } = await answered(url, table);
  if (status !== 200) throw new Error(`dynalite made no table: ${status}`);
  while ((await (await fetch(url, dynamo("DescribeTable", {}))).json()).Table.TableStatus !== "ACTIVE");
}

/** A dynalite in memory, with its table of charges. */
export async function startDynalite() {
  const program = await fileOf("dynalite", "cli.js");
  const args = (port) => [program, "--port", String(port), "--host", "127.0.0.1", "--createTableMs", "0"];
  const server = await startOther(args);
  await makeTable(server.url);
  return server;
}
