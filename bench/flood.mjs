/**
 * 100,000 webhooks that wait while the server is killed: how fast the next start sends them, against the floor, and how much
 * memory it takes. The receiver of the first start takes connections and never answers.
 */
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { residentMb } from "./memory.mjs";
import { binary, env, folder, here, start, stop } from "./processes.mjs";

const run = promisify(execFile);
const ENDPOINTS = 10;
const LOOK_EVERY_MS = 100;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Takes every connection on a free port and says nothing. */
async function silence() {
  const sockets = new Set();
  const server = createServer((socket) => sockets.add(socket.on("error", () => undefined)));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return { port: server.address().port, close };
}

async function worker(script, job) {
  const { stdout } = await run(process.execPath, [join(here, script), JSON.stringify(job)], {
    env,
    maxBuffer: 1 << 24,
  });
  return JSON.parse(stdout);
}

/** Leaves a database in which `count` webhooks wait for a receiver at `port`, as a killed server leaves it. */
async function leaveWaiting(serve, port, count) {
  const server = await start(serve);
  const headers = { apikey: server.test_key, "content-type": "application/json" };
  for (let n = 0; n < ENDPOINTS; n++) {
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}/${n}`, events: ["charge.created"] });
    const answer = await fetch(`${server.url}/v1/webhooks/endpoints`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`An endpoint was refused with ${answer.status}`);
  }
  const job = { headers: { apikey: server.test_key }, connections: 16, seconds: 600, count: count / ENDPOINTS };
  const { errors } = await worker("load.mjs", { ...job, url: server.url, run: "flood-run" });
  if (errors > 0) throw new Error(`${errors} charges were refused`);
  await stop(server, "SIGKILL");
}

/** @returns rates in webhooks a second, memory in MB */
export async function flood(count) {
  const waiting = await silence();
  const serve = [binary, "serve", "--port", "0", "--json", "--db", join(folder, "flood.db")];
  await leaveWaiting(serve, waiting.port, count);
  await waiting.close();
  const plain = await start([join(here, "receiver.mjs")]);
  const floor = await worker("floor-sender.mjs", { url: plain.url, count, connections: 16 });
  await stop(plain);
  const receiver = await start([join(here, "receiver.mjs"), String(waiting.port)]);
  const server = await start(serve);
  server.child.stdout.resume();
  let peak = 0;
  let seen;
  do {
    await pause(LOOK_EVERY_MS);
    peak = Math.max(peak, residentMb(server.child.pid));
    seen = await (await fetch(receiver.url)).json();
  } while (seen.distinct < count);
  await Promise.all([stop(server), stop(receiver)]);
  return { ours: count / ((seen.last - seen.first) / 1_000), floor: floor.count / floor.seconds, peak };
}
