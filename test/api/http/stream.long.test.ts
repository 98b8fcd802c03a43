import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { type LiveStream, openStream } from "../../support/stream.js";

/** Streams with slow readers, and the maximum of streams. The contents of streams: test/emulator/sandbox/streams.test.ts. */

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS = 100;

let emulator: TestEmulator;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await emulator.close();
});

interface SlowReader {
  /** Reads the answer to its end. */
  rest(): Promise<string>;
  /** Resolves when the connection is closed. */
  readonly gone: Promise<void>;
}

/** A client that follows events and does not read until the test says so. */
async function slowReader(): Promise<SlowReader> {
  const { hostname, port, host } = new URL(emulator.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  socket.write(
    `GET /_sandbox/events HTTP/1.1\r\nhost: ${host}\r\napikey: ${emulator.key}\r\naccept: text/event-stream\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("readable", resolve));
  return {
    rest: () =>
      new Promise((resolve, reject) => {
        let text = "";
        socket.setEncoding("utf8").on("data", (part) => {
          text += part;
          // The last chunk of a chunked answer.
          if (text.endsWith("\r\n0\r\n\r\n")) resolve(text);
        });
        socket.on("close", () => reject(new Error(`cut off after ${text.length} characters`)));
      }),
    gone: new Promise((resolve) =>
      socket
        .on("error", () => undefined)
        .on("close", () => resolve())
        .on("end", resolve),
    ),
  };
}

/** Makes far more data than the system buffers for a connection: 20 charges with two events each. */
async function flood(): Promise<void> {
  const metadata = { note: "x".repeat(500_000) };
  for (let n = 0; n < 20; n++) await emulator.charge({ metadata });
}

const idsIn = (text: string) => [...text.matchAll(/^id: (evt_\S+)$/gm)].map(([, id]) => id);

/** The next messages of a stream. */
async function next(stream: LiveStream, count: number): Promise<Loose[]> {
  const messages: Loose[] = [];
  while (messages.length < count) messages.push(await stream.next());
  return messages;
}

/** All events of the event log, oldest first. */
async function listed(): Promise<string[]> {
  const { data } = await emulator.sandbox("/events?limit=100");
  return data.map(({ id }: Loose) => id).reverse();
}

/** A runtime whose heartbeats come when a test says so. */
function heldHeartbeats() {
  const runtime = createRuntime({ warn: () => undefined, error: console.error });
  const waits = new Set<() => void>();
  const after = (ms: number, callback: () => void) => {
    if (ms !== HEARTBEAT_MS) return runtime.real.after(ms, callback);
    waits.add(callback);
    return { cancel: () => void waits.delete(callback) };
  };
  return { waits, runtime: { ...runtime, real: { ...runtime.real, after } } };
}

describe("a reader that is too slow", () => {
  it("gets the waiting events and the reason, and is ended, and does not slow down another reader", async () => {
    emulator = await startEmulator({ frozen: true });
    const reader = await slowReader();
    const stream = await openStream(emulator, "/_sandbox/events");
    const heard = next(stream, 40);
    await flood();
    const text = await reader.rest();
    const told = idsIn(text);
    const all = await listed();
    expect(all).toHaveLength(40);
    expect(told.length).toBeLessThan(40);
    expect(told).toEqual(all.slice(0, told.length));
    expect(text).toMatch(/\nevent: overflow\ndata: \{"message":"This stream ends here: [^\n]+"\}\n\n\r\n0\r\n\r\n$/);
    expect((await heard).map(({ id }) => id)).toEqual(all);
    stream.close();
  });

  it("is disconnected when it does not read the rest either, and does not delay the end of the server", async () => {
    const { waits, runtime } = heldHeartbeats();
    emulator = await startEmulator({ frozen: true, runtime });
    const first = await slowReader();
    const second = await slowReader();
    await flood();
    expect(waits.size).toBe(2);
    const [pass] = waits;
    pass?.();
    await expect(first.rest()).rejects.toThrow(/cut off/);
    expect(waits.size).toBe(1);
    await emulator.close();
    await expect(second.rest()).rejects.toThrow(/cut off/);
  });
});

describe("a reader that is fast enough", () => {
  it("gets all events of one moment, even when they are more than may wait for a reader", async () => {
    emulator = await startEmulator({ frozen: true });
    const metadata = { note: "x".repeat(4_500) };
    for (let n = 0; n < 200; n++) await emulator.charge({ metadata });
    const stream = await openStream(emulator, "/_sandbox/events");
    const heard = next(stream, 800);
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const expired = (await heard).filter((message) => message?.data.type === "charge.expired");
    expect(expired).toHaveLength(200);
    stream.close();
  });

  it("gets an event that alone is larger than what may wait", async () => {
    emulator = await startEmulator({ frozen: true });
    const stream = await openStream(emulator, "/_sandbox/events");
    const charge = await emulator.charge({ metadata: { note: "x".repeat(1_048_000) } });
    expect((await stream.next())?.data.payload.data.object.id).toBe(charge.id);
    expect((await stream.next())?.data.type).toBe("payment.created");
    await emulator.charge();
    expect((await stream.next())?.data.type).toBe("charge.created");
    stream.close();
  });
});

it("the number of streams has a maximum: one more is refused, and accepted when another one has ended", async () => {
  emulator = await startEmulator({ frozen: true });
  const streams: LiveStream[] = [];
  for (let n = 0; n < MAX_STREAMS; n++) streams.push(await openStream(emulator, "/_sandbox/events"));
  const headers = { accept: "text/event-stream" };
  const refused = await emulator.call("GET", "/_sandbox/requests", { headers });
  expect([refused.status, refused.body.error]).toMatchObject([
    503,
    { code: "service_unavailable", message: expect.stringMatching(/^There are 100 event streams open already\./) },
  ]);
  await emulator.charge();
  expect(await Promise.all(streams.map(async (stream) => (await stream.next())?.event))).toEqual(
    streams.map(() => "event"),
  );
  streams.pop()?.close();
  let more: LiveStream;
  do more = await openStream(emulator, "/_sandbox/events");
  while (more.headers.get("content-type") === "application/json");
  streams.push(more);
  for (const stream of streams) stream.close();
});
