import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  ask,
  type Launched,
  launch,
  newPlace,
  type Place,
  type ProcessEnd,
  QA_PAY,
  run,
  type Server,
  serve,
} from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import type { Received } from "../support/receiver.js";
import { startHost } from "../support/running.js";
import { freshReceiver } from "../support/shared.js";

/** `listen` and `serve` as two processes, as in two terminals. */

let place: Place;
const receiver = freshReceiver();
let server: Server;
const listeners: Launched[] = [];

afterEach(async () => {
  for (const one of listeners.splice(0)) {
    one.signal("SIGKILL");
    await one.ended;
  }
});

let key = "";

async function begin(): Promise<void> {
  place = newPlace();
  server = await serve(place);
  key = server.ready.test_key;
}

async function end(): Promise<void> {
  server.signal("SIGKILL");
  await server.ended;
  place.remove();
}

/** One server for tests that leave it running. Each of them finds it as after its first start. */
function withOneServer(): void {
  beforeAll(begin);
  beforeEach(async () => {
    expect((await ask(server, key, "POST", "/_sandbox/reset")).status).toBe(204);
  });
  afterAll(end);
}

/** A server of its own for each test, which may end it. */
function withOwnServer(): void {
  beforeEach(begin);
  afterEach(end);
}

/** Starts `listen --json` and waits until it is ready. Throws its output when it ends before. */
async function listening(...flags: string[]): Promise<Launched> {
  const listener = launch(place, [...QA_PAY, "listen", "--json", ...flags]);
  listeners.push(listener);
  await listener.says(/\n/);
  return listener;
}

const forwarding = (...flags: string[]) => listening("--forward-to", receiver.url, ...flags);

async function stop(listener: Launched): Promise<ProcessEnd> {
  listener.signal("SIGTERM");
  return listener.ended;
}

async function cli(...words: string[]): Promise<string> {
  const { code, out, err } = await run(place, words);
  if (code !== 0) throw new Error(`${words.join(" ")} ended with ${code}: ${err}`);
  return out;
}

async function charge(): Promise<Loose> {
  return JSON.parse(await cli("charges", "create", "--amount", "1990", "--json"));
}

/** All events of the service, oldest first. */
async function told(): Promise<Loose[]> {
  const { body } = await ask(server, key, "GET", "/_sandbox/events?limit=100");
  return body.data.reverse();
}

const rawOf = (received: readonly Received[]) => received.map(({ raw }) => raw);

describe("the end", () => {
  withOneServer();

  it("by SIGTERM ends with exit code 0 and leaves no endpoint", async () => {
    const listener = await forwarding();
    await charge();
    await receiver.waitFor(2);
    const { code, err } = await stop(listener);
    expect([code, err]).toEqual([0, ""]);
    expect((await ask(server, key, "GET", "/v1/webhooks/endpoints")).body).toMatchObject({ data: [] });
    expect((await ask(server, key, "GET", "/v1/webhooks/deliveries")).body.total).toBe(0);
    await charge();
    expect(receiver.received).toHaveLength(2);
  });

  it("waits for a delivery that is being sent, and begins no other", async () => {
    let closed: () => void = () => undefined;
    const streamClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const event = (n: number) => ({ id: `evt_${n}`, type: "charge.created", payload: { n } });
    const emulator = await startHost((request, response) => {
      if (request.url === "/_sandbox") return void response.end('{"emulator":"qa-pay"}');
      if (request.url === "/_sandbox/account") return void response.end(`{"signing_secret":"${"5a".repeat(32)}"}`);
      if (request.url?.includes("?")) return void response.end('{"data":[],"next_cursor":null}');
      response.on("close", closed).writeHead(200, { "content-type": "text/event-stream" });
      for (const n of [1, 2, 3]) response.write(`data: ${JSON.stringify(event(n))}\n\n`);
    });
    let answer: () => void = () => undefined;
    receiver.respond = () =>
      new Promise((resolve) => {
        answer = () => resolve({ status: 200 });
        listeners.at(-1)?.signal("SIGINT");
      });
    const listener = await forwarding("--base-url", emulator.url, "--api-key", key);
    await streamClosed;
    answer();
    const { code, out } = await listener.ended;
    await emulator.close();
    expect([code, rawOf(receiver.received)]).toEqual([0, ['{"n":1}']]);
    expect(out.trimEnd().split("\n").slice(1)).toEqual([expect.stringContaining('"status_code":200')]);
  });
});

describe("the end without a server", () => {
  withOwnServer();

  it("ends with exit code 0 too while the server is away", async () => {
    const listener = await forwarding();
    await server.stop();
    expect(await stop(listener)).toMatchObject({ code: 0, err: "" });
  });
});

describe("a server that goes away and comes back with the same port and database", () => {
  withOwnServer();

  async function comeBack(): Promise<void> {
    server = await serve(place, ["--port", new URL(server.url).port]);
  }

  const create = () => ask(server, key, "POST", "/v1/charges", { amount: 500, payment_method: "pix" });

  it("after SIGKILL no event is lost or forwarded twice", async () => {
    const listener = await forwarding();
    await create();
    await receiver.waitFor(2);
    server.signal("SIGKILL");
    await server.ended;
    await comeBack();
    await create();
    await receiver.waitFor(4);
    expect((await stop(listener)).code).toBe(0);
    const events = await told();
    expect(events).toHaveLength(4);
    expect(rawOf(receiver.received)).toEqual(events.map(({ payload }) => JSON.stringify(payload)));
  });
});
