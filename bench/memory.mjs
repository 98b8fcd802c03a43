/**
 * Floods a server with what could be kept and must not be, one flood after another, each on a server of its own, and
 * looks at the memory that the process still holds when it has settled.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { binary, folder, start, stop } from "./processes.mjs";

/** How much more than before a flood the process may hold after it. */
const LIMIT_MB = 150;
/** Freed memory goes back to the system little by little. */
const SETTLE_MS = 10_000;
const CONNECTIONS = 8;

/** Resident memory of a process. */
function residentMb(pid) {
  let kilobytes;
  try {
    kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  } catch {
    // No such folder on this system.
  }
  kilobytes ??= execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Number(kilobytes) / 1_024;
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** One request, whose answer is thrown away as it comes. Answers its status. */
function ask({ url, test_key }, method, path, body, headers = {}) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const length =
    text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const call = request(`${url}${path}`, { method, agent, headers: { apikey: test_key, ...length, ...headers } });
    call.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)));
    call.on("error", reject).end(text);
  });
}

/** Asks `count` times, several at once, and requires the same status of all. */
async function askMany(count, expected, once) {
  let next = 0;
  const lane = async () => {
    while (next < count) {
      const status = await once(next++);
      if (status !== expected) throw new Error(`answered ${status} where ${expected} was expected`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
}

const key = (n) => `memory-key-${String(n).padStart(8, "0")}`;
const charge = (server, n, extra = {}) =>
  ask(server, "POST", "/v1/charges", { amount: 1990, payment_method: "pix", ...extra }, { "idempotency-key": key(n) });

async function lists(server) {
  const metadata = { note: "x".repeat(24_000) };
  await askMany(100, 201, (n) => charge(server, n, { metadata }));
  await askMany(1_500, 200, () => ask(server, "GET", "/v1/payments?limit=100"));
}

async function wrongNames(server) {
  const events = Array.from({ length: 120_000 }, () => "x");
  const body = { url: "https://example.com/", events };
  await askMany(40, 400, () => ask(server, "POST", "/v1/webhooks/endpoints", body));
}

/** Opens a stream and reads nothing of it. */
function slowReader({ url, test_key }, path) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\napikey: ${test_key}\r\naccept: text/event-stream\r\n\r\n`,
      );
    });
    socket.on("error", () => undefined);
    socket.once("error", reject);
    socket.once("readable", () => resolve(socket));
  });
}

async function slowReaders(server) {
  const paths = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? "/_sandbox/events" : "/_sandbox/requests"));
  const sockets = await Promise.all(paths.map((path) => slowReader(server, path)));
  await askMany(10_000, 201, (n) => charge(server, n));
  return () => sockets.forEach((socket) => socket.destroy());
}

async function largeBodies(server) {
  const metadata = { note: "x".repeat(1_000_000) };
  await askMany(400, 201, async (n) => {
    const created = await charge(server, n, { metadata });
    return created;
  });
}

const FLOODS = [
  ["1,500 lists of 2.4 MB", lists],
  ["40 times 120,000 wrong event names", wrongNames],
  ["40 readers that stop reading, 20,000 events", slowReaders],
  ["400 bodies of 1 MB", largeBodies],
];

async function measure(flood, number) {
  const args = ["serve", "--port", "0", "--json", "--db", join(folder, `memory-${number}.db`)];
  const server = await start([binary, ...args]);
  // What any server grows by in its first minute is no leak.
  await askMany(2_000, 201, (n) => charge(server, `warm-${n}`));
  const before = residentMb(server.child.pid);
  const began = performance.now();
  const end = await flood(server);
  const took = (performance.now() - began) / 1_000;
  const peak = residentMb(server.child.pid);
  const until = performance.now() + SETTLE_MS;
  const t = [];
  while (performance.now() < until) {
    await pause(500);
    t.push(Math.round(residentMb(server.child.pid)));
  }
  console.error(t.join(" "));
  const after = residentMb(server.child.pid);
  end?.();
  await stop(server);
  return { before, peak, after, took };
}
const only = process.argv[2];
for (const [i, [name, flood]] of FLOODS.entries()) {
  if (only && !name.includes(only)) continue;
  console.log(name, await measure(flood, i));
}
