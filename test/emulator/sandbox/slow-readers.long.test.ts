import { createServer, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStreams } from "../../../src/api/http/stream.js";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import { createLiveStream, type LiveStream } from "../../../src/emulator/sandbox/live-stream.js";

/** The memory of the stream of everything when its reader does not read, and the messages of that reader afterwards. */

const MESSAGES = 10_000;
/** Bytes of one message. All messages together are larger than the memory that the server keeps. */
const LARGE = 1_000;
const SMALL = 10;

let server: Server;
let live: LiveStream;
let responses: ServerResponse[];
let socket: Socket;

beforeEach(async () => {
  live = createLiveStream("boot", () => undefined);
  responses = [];
  const { real } = createRuntime();
  const streams = createStreams(real);
  server = createServer((request, response) => {
    responses.push(response);
    const lastId = request.headers["last-event-id"];
    const exchange = { response, requestId: "req_1" };
    void streams.open(
      exchange,
      () => true,
      (channel) => live.follow(1, typeof lastId === "string" ? lastId : undefined, channel),
    );
  });
  await listenOnLoopback(server);
});
afterEach(async () => {
  socket.destroy();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Connects, and does not read until `read` is called. */
async function stalled(lastId = ""): Promise<void> {
  socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nhost: x\r\nlast-event-id: ${lastId}\r\n\r\n`);
  await new Promise((resolve) => socket.once("readable", resolve));
}

/** Reads until a text has arrived. Returns everything up to this text. */
function readTo(last: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
      if (text.includes(last)) resolve(text);
    });
  });
}

/** Publishes messages, and sometimes lets the sockets send some of them. */
async function happen(from: number, to: number, size: number): Promise<void> {
  for (let n = from; n <= to; n++) {
    live.publish({ bookId: 1, kind: "event", data: { n, text: "x".repeat(size) } });
    if (n % 100 === 0) await new Promise(setImmediate);
  }
}

const numbersIn = (text: string) => [...text.matchAll(/^data: \{"n":(\d+),/gm)].map(([, n]) => Number(n));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Megabytes in use after garbage collection, buffers included. */
function usedMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_048_576;
}

describe("a reader that stops reading while 10,000 messages pass", () => {
  it("costs less than 8 MB, gets one resync, and then the later messages", async () => {
    await stalled();
    const before = usedMb();
    await happen(1, MESSAGES, LARGE);
    expect(usedMb() - before).toBeLessThan(8);
    expect(responses[0]?.writableLength).toBeLessThan(1_048_576);
    const text = await readTo('"reason":"missed"');
    const told = numbersIn(text);
    expect(told).toEqual(range(1, told.length));
    expect(told.length).toBeLessThan(MESSAGES);
    expect(text.match(/^event: resync$/gm)).toHaveLength(1);
    expect(text).toContain(`id: boot:${MESSAGES}\ndata: {"reason":"missed"}`);
    const rest = readTo('"n":10001,');
    await happen(MESSAGES + 1, MESSAGES + 1, SMALL);
    expect(numbersIn(await rest).at(-1)).toBe(MESSAGES + 1);
  });

  it("gets all of them when they are still kept", async () => {
    await stalled();
    await happen(1, 1_500, LARGE);
    const text = await readTo('"n":1500,');
    expect(numbersIn(text)).toEqual(range(1, 1_500));
    expect(text).not.toContain("resync");
  });
});

it("a reader that comes back after more messages than are kept gets a resync, but all messages when it comes back one message earlier", async () => {
  await stalled();
  await happen(1, MESSAGES, SMALL);
  socket.destroy();
  await stalled(`boot:${MESSAGES - 4_001}`);
  expect(await readTo("resync")).not.toContain("event: event");
  socket.destroy();
  await stalled(`boot:${MESSAGES - 4_000}`);
  expect(numbersIn(await readTo(`"n":${MESSAGES},`))).toEqual(range(MESSAGES - 3_999, MESSAGES));
});
