import { connect, createServer, type Socket, type Server as SocketServer } from "node:net";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { ask, newPlace, type Server, serve } from "../support/binary.js";
import { fresh, freshReceiver } from "../support/shared.js";

/** A server that must stop while other programs hold it up. It has five seconds (docs/LIMITS.md). */
const LIMIT_MS = 5_000;

const place = fresh(newPlace);
let server: Server;
const receiver = freshReceiver();
let mail: SocketServer;
const sockets: Socket[] = [];

beforeEach(async () => {
  receiver.respond = () => new Promise(() => undefined);
  // Says it is ready a letter at a time and never gets to the end of it.
  mail = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    const timer = setInterval(() => socket.write("220-wait\r\n"), 50);
    socket.on("close", () => clearInterval(timer));
  });
  await listenOnLoopback(mail);
});

afterEach(async () => {
  server.signal("SIGKILL");
  await server.ended;
  for (const socket of sockets.splice(0)) socket.destroy();
  await new Promise((resolve) => mail.close(resolve));
});

function mailUrl(): string {
  const address = mail.address();
  return `smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

/** Opens a connection, sends `text` and never reads. */
async function silentReader(text: string): Promise<void> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => undefined);
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.write(text, () => resolve()));
}

/** All at once: receivers, requests, readers and a mail server that never finish. */
async function hangEverything(): Promise<{ key: string; charge: string }> {
  server = await serve(place, ["--smtp-url", mailUrl()]);
  const { test_key: key } = server.ready;
  for (let n = 0; n < 20; n++) {
    const body = { url: `${receiver.url}/${n}`, events: ["charge.created", "med_case.created"] };
    await ask(server, key, "POST", "/v1/webhooks/endpoints", body);
  }
  const create = { amount: 1990, payment_method: "pix" };
  const charge = (await ask(server, key, "POST", "/v1/charges", create)).body.id;
  await ask(server, key, "POST", `/_sandbox/charges/${charge}/pay`, {});
  await ask(server, key, "POST", "/_sandbox/med-cases", { charge_id: charge });
  const head = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: ${new URL(server.url).host}\r\n`;
  await silentReader(head("POST", "/v1/charges"));
  const half = "Idempotency-Key: half-a-request\r\nContent-Type: application/json\r\nContent-Length: 100";
  await silentReader(`${head("POST", "/v1/charges")}apikey: ${key}\r\n${half}\r\n\r\n{"amount":`);
  await silentReader(`${head("GET", "/_sandbox/events")}apikey: ${key}\r\nAccept: text/event-stream\r\n\r\n`);
  void ask(server, key, "POST", "/_sandbox/clock/advance", { seconds: 86_400 }).catch(() => undefined);
  while (receiver.received.length < 20) await ask(server, key, "GET", "/_sandbox/clock");
  return { key, charge };
}

it("SIGTERM ends with exit 0 within five seconds, whatever hangs; pending work goes on after a restart", async () => {
  const { key } = await hangEverything();
  const began = performance.now();
  const { code, err } = await server.stop();
  expect(code).toBe(0);
  expect(performance.now() - began).toBeLessThan(LIMIT_MS);
  expect(err).not.toMatch(/at .*\.js/);
  receiver.respond = null;
  receiver.received.length = 0;
  server = await serve(place, ["--test-key", key]);
  await receiver.waitFor(40);
  const stats = (await ask(server, key, "GET", "/v1/webhooks/stats")).body;
  expect(stats).toMatchObject({ total: 40, FAILED: 0, CANCELLED: 0 });
});

it("a second signal ends it at once", async () => {
  await hangEverything();
  server.signal("SIGTERM");
  await server.says(/stopping/);
  server.signal("SIGINT");
  const { code } = await server.ended;
  expect(code).not.toBe(0);
});
