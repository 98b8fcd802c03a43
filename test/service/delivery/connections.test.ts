import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { timeOver } from "../../../src/base/kernel/attempt-errors.js";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { createTransport, type Transport } from "../../../src/service/delivery/transport.js";
import { PATIENCE } from "../../support/patience.js";
import { type ScriptedServer, startScripted, turns } from "../../support/scripted-server.js";

const CRLF = "\r\n";
const answer = (...lines: string[]) => Buffer.from([...lines, "", ""].join(CRLF));
const EMPTY = answer("HTTP/1.1 204 No Content");
const BROKEN_OFF = "the connection was closed before an answer came (ECONNRESET)";

let server: ScriptedServer;
let transport: Transport;

beforeEach(async () => {
  server = await startScripted();
  transport = createTransport({ real: realTime, insecureTls: false, timeoutMs: 10_000 });
});
afterEach(async () => {
  transport.close();
  await server.close();
});

async function post(path: string, given: Record<string, string> = {}, patienceMs?: number) {
  const headers = { host: "localhost", connection: "keep-alive", "content-length": "2", ...given };
  const result = await transport.post(`http://127.0.0.1:${server.port}${path}`, headers, "{}", patienceMs);
  await turns(12);
  return result;
}

it("a connection that the server has closed is not used again", async () => {
  const path = server.add({ pieces: [EMPTY], end: "close" });
  expect((await post(path)).statusCode).toBe(204);
  expect((await post(path)).statusCode).toBe(204);
  expect(server.connections(path)).toBe(2);
});

it("unexpected bytes are no answer to the next request", async () => {
  const path = server.add({ pieces: [EMPTY, answer("HTTP/1.1 500 Surprise", "Content-Length: 0")], end: "stay" });
  expect((await post(path)).statusCode).toBe(204);
  expect((await post(path)).statusCode).toBe(204);
});

it("each request that is under way has a connection of its own", async () => {
  const path = server.add({ pieces: [answer("HTTP/1.1 200 OK", "Content-Length: 0")], end: "stay" });
  const results = await Promise.all(Array.from({ length: 20 }, () => post(path)));
  expect(results.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
  expect(server.connections(path)).toBe(20);
  await Promise.all(Array.from({ length: 20 }, () => post(path)));
  expect(server.connections(path)).toBe(20);
});

it.each([
  ["before an answer has begun", []],
  ["within an answer", [Buffer.from("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")]],
])("time runs out and requests are abandoned %s", async (_when, pieces) => {
  const path = server.add({ pieces, end: "stay" });
  expect(await post(path, {}, 50)).toMatchObject({ error: timeOver(50), timedOut: true });
  const given = post(path);
  await vi.waitFor(() => expect(server.connections(path)).toBe(2), PATIENCE);
  await turns(12);
  transport.abort();
  expect(await given).toMatchObject({ statusCode: null, error: { code: "given_up" }, timedOut: false });
  await vi.waitFor(() => expect(server.open()).toBe(0), PATIENCE);
});

it("a server without TLS is named as such behind an https:// address", async () => {
  const plain = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  const { error } = await transport.post(`https://127.0.0.1:${port}/`, { "content-length": "2" }, "{}");
  expect(error).toMatch(/^the other side does not speak TLS: use http:\/\/, or another port \([A-Z_]+\)$/);
  plain.close();
});

it("a connection that ends before an answer came is a failure, and the request is not repeated", async () => {
  const path = server.add({ pieces: [], end: "close" });
  expect(await post(path)).toMatchObject({ statusCode: null, error: BROKEN_OFF });
  expect(server.connections(path)).toBe(1);
});

it("nobody listens", async () => {
  await server.close();
  expect(await post("/")).toMatchObject({ statusCode: null, error: "connection refused (ECONNREFUSED)" });
  server = await startScripted();
});

it.each(["a\r\nx-more: 1", "a\u0001", "ação\u{1f600}"])(
  "a header %j is refused as node:http refuses it",
  async (value) => {
    const path = server.add({ pieces: [EMPTY], end: "stay" });
    const result = await post(path, { "x-qa-event-type": value });
    expect(result).toMatchObject({ statusCode: null, error: expect.stringContaining("Invalid character in header") });
    expect(server.bytes(path)).toBe("");
  },
);

it("a requested wait is computed anew for each answer", async () => {
  const later = new Date(realTime.epoch() + 100_000).toUTCString();
  const path = server.add({
    pieces: [answer("HTTP/1.1 429 Slow", `Retry-After: ${later}`, "Content-Length: 0")],
    end: "stay",
  });
  const first = (await post(path)).retryAfterMs ?? 0;
  await vi.waitFor(async () => expect((await post(path)).retryAfterMs).toBeLessThan(first), PATIENCE);
});

it.each([
  ["two lengths", ["Content-Length: 2", "Content-Length: 3"]],
  ["two lengths in one line", ["Content-Length: 2, 3"]],
  ["one length twice", ["Content-Length: 2", "Content-Length: 2"]],
  ["a length that is no number", ["Content-Length: two"]],
])("an answer with %s is none", async (_what, lines) => {
  const path = server.add({ pieces: [answer("HTTP/1.1 200 OK", ...lines)], end: "stay" });
  const { statusCode, error } = await post(path);
  expect([statusCode, typeof error]).toEqual([null, "string"]);
});
