import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, type Ended, newPlace, type Place, run, type Server, serve } from "../support/binary.js";
import type { Loose } from "../support/emulator.js";
import { type Received, type Receiver, startReceiver } from "../support/receiver.js";
import { startHost } from "../support/running.js";
import { hmac } from "../support/webhooks.js";

/** `listen` and `serve` as two processes, as in two terminals. */

const BIN = new URL("../../bin/qa-pay.js", import.meta.url).pathname;

let place: Place;
let receiver: Receiver;
let server: Server;
const listeners: Listener[] = [];

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const one of listeners.splice(0)) {
    one.signal("SIGKILL");
    await one.ended;
  }
  await receiver.close();
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

interface Listener {
  signal(name: "SIGINT" | "SIGTERM" | "SIGKILL"): void;
  readonly ended: Promise<Ended>;
}

/** Starts `listen --json` and waits until it is ready. Throws its output when it ends before. */
async function listening(...flags: string[]): Promise<Listener> {
  const child = spawn(process.execPath, [BIN, "listen", "--json", ...flags], { cwd: place.folder, env: place.env });
  const text = { out: "", err: "" };
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    text.err += chunk;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, ...text }));
  });
  const listener = { signal: (name: NodeJS.Signals) => void child.kill(name), ended };
  listeners.push(listener);
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text.out += chunk;
      if (text.out.includes("\n")) resolve();
    });
    void ended.then(({ code, err }) => reject(new Error(`ended with ${code}: ${err}`)));
  });
  return listener;
}

const forwarding = (...flags: string[]) => listening("--forward-to", receiver.url, ...flags);

async function stop(listener: Listener, name: "SIGINT" | "SIGTERM" = "SIGINT"): Promise<Ended> {
  listener.signal(name);
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

async function secret(): Promise<string> {
  return (await cli("listen", "--print-secret")).trim();
}

/** All events of the service, oldest first. */
async function told(): Promise<Loose[]> {
  const { body } = await ask(server, key, "GET", "/_sandbox/events?limit=100");
  return body.data.reverse();
}

/** The signature of a body with a secret, of the same kind and time as the one that was received. */
function signatureOf(raw: string, own: string, received: string): string {
  const time = /^t=(\d+),/.exec(received)?.[1];
  return time === undefined ? `sha256=${hmac(own, raw)}` : `t=${time},v1=${hmac(own, `${time}.${raw}`)}`;
}

const rawOf = (received: readonly Received[]) => received.map(({ raw }) => raw);

describe("an event that a command makes", () => {
  withOneServer();

  it("reaches the receiver, signed with the secret from --print-secret", async () => {
    const known = await secret();
    const listener = await forwarding();
    const { id } = await charge();
    await cli("sandbox", "pay", id, "--json");
    const events = await told();
    await receiver.waitFor(events.length);
    expect(rawOf(receiver.received)).toEqual(events.map(({ payload }) => JSON.stringify(payload)));
    const signed = receiver.received.map(({ raw, headers }) => ({ raw, signature: String(headers["x-qa-signature"]) }));
    for (const { raw, signature } of signed) expect(signature).toBe(signatureOf(raw, known, signature));
    // One webhook of each of the two kinds of signatures, with the command that a person verifies it with.
    const kinds = [/^t=\d+,v1=/, /^sha256=/].map((kind) => signed.find(({ signature }) => kind.test(signature)));
    for (const one of kinds) {
      const { raw, signature } = one ?? expect.fail("one kind of signature was not received");
      const words = ["webhooks", "verify", "--signature", signature, "--secret"];
      expect((await run(place, [...words, known], { input: raw })).code).toBe(0);
      expect((await run(place, [...words, `${known}x`], { input: raw })).code).toBe(1);
    }
    expect((await stop(listener)).code).toBe(0);
  });

  it("is one line of JSON on standard output, without any other output", async () => {
    receiver.replies.push({ status: 500, body: "no" });
    const listener = await forwarding("--events", "charge.created");
    await charge();
    await charge();
    await receiver.waitFor(2);
    const { out, err } = await stop(listener);
    expect(err).toBe("");
    expect(out).toMatch(/^(\{.*\}\n)+$/);
    const lines: Loose[] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toEqual({ event: "ready", url: server.url, secret: await secret() });
    expect(lines.slice(1)).toMatchObject([
      { event: "delivery", type: "charge.created", url: receiver.url, status_code: 500, error: null },
      { event: "delivery", type: "charge.created", url: receiver.url, status_code: 204, error: null },
    ]);
  });
});

describe("the end", () => {
  withOneServer();

  it.each(["SIGINT", "SIGTERM"] as const)("by %s gives exit code 0 and leaves no endpoint", async (name) => {
    const listener = await forwarding();
    await charge();
    await receiver.waitFor(2);
    const { code, err } = await stop(listener, name);
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
      if (request.url === "/_sandbox/account") return void response.end('{"signing_secret":"s"}');
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

  it("gives exit code 0 too while the server is away", async () => {
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

  it.each(["SIGTERM", "SIGKILL"] as const)("after %s no event is lost or forwarded twice", async (name) => {
    const listener = await forwarding();
    await create();
    await receiver.waitFor(2);
    for (const times of [1, 2]) {
      server.signal(name);
      await server.ended;
      await comeBack();
      await create();
      await receiver.waitFor(2 + 2 * times);
    }
    await create();
    await receiver.waitFor(8);
    expect((await stop(listener)).code).toBe(0);
    const events = await told();
    expect(events).toHaveLength(8);
    expect(rawOf(receiver.received)).toEqual(events.map(({ payload }) => JSON.stringify(payload)));
  });

  it("ends listening with 3 when it no longer knows the key", async () => {
    const listener = await forwarding();
    await server.stop();
    server = await serve({ ...place, db: ":memory:" }, ["--port", new URL(server.url).port]);
    const { code, out, err } = await listener.ended;
    expect([code, out.trimEnd().split("\n").length]).toEqual([3, 1]);
    expect(JSON.parse(err).error.code).toBe("unauthorized");
  });
});

describe("--write-env", () => {
  withOneServer();

  it("changes one line of a file, and keeps the other lines and the file's permissions", async () => {
    const file = join(place.folder, ".env");
    const text = (value: string) => `# shop\nDB_URL='a b'\nQA_PAY_WEBHOOK_SECRET=${value}\nLAST=1`;
    writeFileSync(file, text("old"), { mode: 0o640 });
    await stop(await forwarding("--write-env", ".env"));
    expect(readFileSync(file, "utf8")).toBe(text(await secret()));
    expect(statSync(file).mode & 0o777).toBe(0o640);
    await stop(await forwarding("--write-env", ".env"));
    expect(readFileSync(file, "utf8")).toBe(text(await secret()));
  });

  it("makes a file that only its owner may read", async () => {
    await stop(await forwarding("--write-env", ".env.local"));
    const file = join(place.folder, ".env.local");
    expect(readFileSync(file, "utf8")).toBe(`QA_PAY_WEBHOOK_SECRET=${await secret()}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
