/**
 * 100,000 webhooks that wait while the server is killed: how fast the next start sends them, against the floor, and how much
 * memory it takes. The receiver of the first start takes connections and never answers.
 */
import { createServer } from "node:net";
import { join } from "node:path";
import { folder, here, residentMb, serve, start, stop, worker } from "./processes.mjs";
import { createCharge, pause, registerEndpoints } from "./requests.mjs";

const ENDPOINTS = 10;
const LOOK_EVERY_MS = 100;

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

/** Leaves a database in which `count` webhooks wait for a receiver at `port`, as a killed server leaves it. */
async function leaveWaiting(file, port, count) {
  const server = await serve("--db", file);
  await registerEndpoints(server, `http://127.0.0.1:${port}`, ENDPOINTS);
  const job = { url: server.url, connections: 16, seconds: 600, count: count / ENDPOINTS, run: "flood-run" };
  await worker("load.mjs", { ...job, ask: createCharge(server.test_key) });
  await stop(server, "SIGKILL");
}

/** @returns rates in webhooks a second, memory in MB */
export async function flood(count) {
  const waiting = await silence();
  const file = join(folder, "flood.db");
  await leaveWaiting(file, waiting.port, count);
  await waiting.close();
  const plain = await start([join(here, "receiver.mjs")]);
  const floor = await worker("floor-sender.mjs", { url: plain.url, count, connections: 16 });
  await stop(plain);
  const receiver = await start([join(here, "receiver.mjs"), String(waiting.port)]);
  const server = await serve("--db", file);
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
