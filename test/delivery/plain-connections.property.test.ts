import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTransport } from "../../src/delivery/transport.js";
import { realTime } from "../../src/runtime.js";
import { type Script, type ScriptedServer, startScripted, turns } from "../support/scripted-server.js";
import { SEED } from "../support/seed.js";

/**
 * Every answer is read as node:http reads it, wherever its bytes are split and however it is broken, and the connection is
 * used again exactly when node:http would use it again. A request whose body is a function goes over node:http.
 */

/** A change of src/delivery/plain-connections.ts or src/delivery/whole-answer.ts deserves some thousands. */
const ANSWERS = Number(process.env.QA_PAY_ANSWERS ?? 400);

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScripted();
});
afterAll(() => server.close());

const BODY = '{"olá":1}';

interface Exchange {
  readonly results: readonly unknown[];
  readonly connections: number;
}

/** Sends two requests, one after the other, over one transport. */
async function twice(script: Script, isPlain: boolean): Promise<Exchange> {
  const path = server.add(script);
  const url = `http://127.0.0.1:${server.port}${path}`;
  const headers = {
    host: `127.0.0.1:${server.port}`,
    connection: "keep-alive",
    "content-length": String(Buffer.byteLength(BODY)),
  };
  const transport = createTransport({ real: realTime, insecureTls: false, timeoutMs: 20_000 });
  const results: unknown[] = [];
  for (let count = 0; count < 2; count++) {
    const { durationMs: _, ...result } = await transport.post(
      url,
      headers,
      isPlain ? BODY : (request) => void request.end(BODY),
    );
    results.push({ ...result, headerOrder: Object.keys(result.responseHeaders) });
    await turns(12);
  }
  transport.close();
  return { results, connections: server.connections(path) };
}

/**
 * A broken answer may leave bytes behind that nobody asked for. When they come by themselves, node:http ignores them and uses
 * the connection again; a plain connection is closed.
 */
async function sameAsNode(script: Script, isBroken: boolean): Promise<void> {
  const [plain, node] = await Promise.all([twice(script, true), twice(script, false)]);
  const facts = { sent: script.pieces.map(String), end: script.end };
  const connections = isBroken ? Math.max(plain.connections, node.connections) : node.connections;
  expect({ ...plain, ...facts }).toEqual({ ...node, ...facts, connections });
}

const CRLF = "\r\n";
const status = fc.constantFrom(
  200,
  200,
  201,
  202,
  204,
  204,
  205,
  299,
  301,
  304,
  400,
  404,
  418,
  429,
  500,
  503,
  599,
  600,
);
const reason = fc.constantFrom("OK", "No Content", "", "Nö", "a  b", "\tx");
const header = fc.constantFrom(
  "Content-Type: text/plain",
  "Date: Sun, 22 Nov 2026 10:00:00 GMT",
  "Retry-After: 7",
  "Retry-After: Sun, 22 Nov 2026 10:02:00 GMT",
  "Connection: keep-alive",
  "Connection: Keep-Alive",
  "Connection: close",
  "Connection: close, keep-alive",
  "Connection: x",
  "Keep-Alive: timeout=5",
  "Keep-Alive: timeout=5, max=100",
  "Keep-Alive: timeout=1",
  "Keep-Alive: max=3",
  "Keep-Alive: timeout=900",
  "Proxy-Connection: close",
  "Upgrade: x",
  "Trailer: x-after",
  "Set-Cookie: a=1",
  "Set-Cookie: b=2; Path=/",
  "Vary: a",
  "vary: b",
  "X-Empty:",
  "X-Spaces: \t a \t b \t ",
  "X-Latin: ação",
  "x-ação: 1",
  "constructor: 1",
  "__proto__: 1",
  "tostring: 1",
  "7: seven",
  "Age: 1",
  "Age: 2",
  "X_Odd!#$%&'*+.^`|~: 1",
  "X Space: 1",
  "X-Space : 1",
  "X-None",
  ": empty",
  " folded: 1",
  "X-Control: a\x01b",
  "X-Delete: a\x7fb",
  `X-Long: ${"x".repeat(3_000)}`,
  `X-Longer: ${"x".repeat(17_000)}`,
);
const framing = fc.constantFrom(
  "length",
  "length",
  "chunked",
  "chunked",
  "none",
  "short",
  "long",
  "both",
  "twice",
  "odd",
);
const bodyText = fc.oneof(
  fc.constantFrom("", "ok", '{"received":true}', "olá\u{1f600}", "\r\n\r\n0\r\n\r\n"),
  fc.integer({ min: 1, max: 300 }).map((size) => "b".repeat(size)),
  fc.constantFrom(5_000, 8_100, 16_384, 16_385, 30_000, 70_000).map((size) => "é".repeat(size / 2)),
);

const EXTENSIONS: Readonly<Record<string, string>> = { extension: ";a=1", space: " " };

/** A body in chunks of these sizes, with what may stand around them. */
function chunked(body: Buffer, sizes: readonly number[], extra: string): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const size of [...sizes, body.length]) {
    const piece = body.subarray(at, at + Math.max(1, size));
    if (piece.length === 0) break;
    at += piece.length;
    const hex = extra === "upper" ? `0${piece.length.toString(16).toUpperCase()}` : piece.length.toString(16);
    parts.push(Buffer.from(`${hex}${EXTENSIONS[extra] ?? ""}${CRLF}`), piece, Buffer.from(CRLF));
  }
  const trailers = extra === "trailers" ? `X-After: 1${CRLF}` : "";
  return Buffer.concat([...parts, Buffer.from(`0${CRLF}${trailers}${CRLF}`)]);
}

function framed(
  kind: string,
  body: Buffer,
  sizes: readonly number[],
  extra: string,
): { lines: string[]; body: Buffer } {
  const length = (value: number | string) => `Content-Length: ${value}`;
  const chunks = () => chunked(body, sizes, extra);
  const coding = extra === "upper" ? "Transfer-Encoding: Chunked" : "Transfer-Encoding: chunked";
  if (kind === "chunked") return { lines: [coding], body: chunks() };
  if (kind === "both") return { lines: [coding, length(body.length)], body: chunks() };
  if (kind === "twice") return { lines: [length(body.length), length(body.length)], body };
  if (kind === "short") return { lines: [length(Math.max(0, body.length - 1))], body };
  if (kind === "long") return { lines: [length(body.length + 1)], body };
  if (kind === "odd") return { lines: [length(`+${body.length}`)], body };
  return { lines: kind === "length" ? [length(body.length)] : [], body };
}

interface Parts {
  readonly status: number;
  readonly reason: string;
  readonly version: string;
  readonly headers: readonly string[];
  readonly framing: string;
  readonly body: string;
  readonly sizes: readonly number[];
  readonly extra: string;
  readonly before: string;
  readonly behind: string;
  readonly newline: string;
  readonly end: Script["end"];
  readonly splits: readonly number[];
  readonly change: { readonly at: number; readonly byte: number; readonly how: string } | null;
}

/** A value that is mostly the first one. */
const mostly = <Value>(usual: Value, ...others: Value[]) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });

const parts: fc.Arbitrary<Parts> = fc.record({
  status,
  reason,
  version: mostly("HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "http/1.1", "ICY"),
  headers: fc.array(header, { maxLength: 4 }),
  framing,
  body: bodyText,
  sizes: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 3 }),
  extra: mostly("", "upper", "extension", "trailers", "space"),
  before: mostly(
    "",
    `HTTP/1.1 100 Continue${CRLF}${CRLF}`,
    `HTTP/1.1 103 Early Hints${CRLF}Link: x${CRLF}${CRLF}`,
    CRLF,
  ),
  behind: mostly("", "x", CRLF, `HTTP/1.1 204 No Content${CRLF}${CRLF}`),
  newline: mostly(CRLF, "\n", "\r"),
  end: mostly<Script["end"]>("stay", "close", "reset"),
  splits: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
  change: mostly<Parts["change"]>(null, null),
});

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  byte: fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0, 9, 10, 13, 32, 58)),
  how: fc.constantFrom("replace", "insert", "remove", "cut"),
});

function changed(bytes: Buffer, { at, byte, how }: NonNullable<Parts["change"]>): Buffer {
  const place = Math.floor(at * bytes.length);
  if (how === "cut") return bytes.subarray(0, place);
  const middle = how === "remove" ? Buffer.alloc(0) : Buffer.from([byte]);
  return Buffer.concat([bytes.subarray(0, place), middle, bytes.subarray(how === "insert" ? place : place + 1)]);
}

/** Whether an answer has an end of its own, so that nobody waits for more while the connection stays open. */
function endsByItself(given: Parts): boolean {
  const isUsual = given.change === null && given.newline === CRLF && given.version.startsWith("HTTP/1");
  const isEmpty = given.status === 204 || given.status === 304;
  return isUsual && (isEmpty || given.framing === "length" || given.framing === "chunked");
}

function scriptOf(given: Parts): Script {
  const isEmpty = given.status === 204 || given.status === 304;
  const kind = isEmpty && given.framing !== "short" ? "none" : given.framing;
  const { lines, body } = framed(kind, Buffer.from(isEmpty ? "" : given.body), given.sizes, given.extra);
  const head = [`${given.version} ${given.status} ${given.reason}`, ...given.headers, ...lines, "", ""];
  const whole = Buffer.concat([
    Buffer.from(given.before + head.join(given.newline), "latin1"),
    body,
    Buffer.from(given.behind),
  ]);
  const bytes = given.change === null ? whole : changed(whole, given.change);
  // What stands behind an answer comes with its last byte.
  const places = given.splits
    .map((part) => Math.floor(part * Math.max(0, bytes.length - given.behind.length)))
    .sort((a, b) => a - b);
  const pieces = [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
  const end = given.end === "stay" && !endsByItself(given) ? "close" : given.end;
  return { pieces: pieces.filter((piece) => piece.length > 0), end };
}

async function allSame(scripts: readonly Script[], isBroken = false): Promise<void> {
  const left = [...scripts];
  const runs = Array.from({ length: 32 }, async () => {
    for (let script = left.pop(); script !== undefined; script = left.pop()) await sameAsNode(script, isBroken);
  });
  await Promise.all(runs);
}

it("of hundreds of answers, each is read as node:http reads it", async () => {
  await allSame(fc.sample(parts, { numRuns: ANSWERS, seed: SEED }).map(scriptOf));
});

it("of hundreds of broken answers, each is read as node:http reads it", async () => {
  const broken = fc.tuple(parts, change).map(([given, how]) => scriptOf({ ...given, change: how }));
  await allSame(fc.sample(broken, { numRuns: ANSWERS, seed: SEED + 1 }), true);
});

const usual = (lines: readonly string[], body = "") => Buffer.from(["HTTP/1.1 200 OK", ...lines, "", body].join(CRLF));

it.each([
  ["with a length", usual(["Content-Length: 4", "Connection: keep-alive", "Keep-Alive: timeout=5"], "olá")],
  ["in chunks", usual(["Transfer-Encoding: chunked"], `2${CRLF}ab${CRLF}1${CRLF}c${CRLF}0${CRLF}${CRLF}`)],
  ["without a body", Buffer.from(`HTTP/1.1 204 No Content${CRLF}Date: x${CRLF}${CRLF}`)],
  ["that closes", usual(["Content-Length: 2", "Connection: close"], "ok")],
])("an answer %s is the same, split at any byte", async (_name, bytes) => {
  const scripts = Array.from(bytes, (_byte, place): Script => {
    const pieces = [bytes.subarray(0, place), bytes.subarray(place)];
    return { pieces: pieces.filter((piece) => piece.length > 0), end: "stay" };
  });
  await allSame(scripts);
});

it("the request is the same, byte for byte", async () => {
  const answer: Script = { pieces: [Buffer.from(`HTTP/1.1 204 No Content${CRLF}${CRLF}`)], end: "stay" };
  const sent = await Promise.all(
    [true, false].map(async (isPlain) => {
      const path = server.add(answer);
      const transport = createTransport({ real: realTime, insecureTls: false });
      const headers = {
        host: `127.0.0.1:${server.port}`,
        connection: "keep-alive",
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(BODY)),
        "user-agent": "qa-pay/0",
        "x-qa-signature": "t=1,v1=ab",
        "x-qa-delivery-id": "wd_1",
        "x-qa-event-type": "charge.paid",
      };
      const url = `http://127.0.0.1:${server.port}${path}/a%20b?c=d&e=f`;
      await transport.post(url, headers, isPlain ? BODY : (request) => void request.end(BODY));
      transport.close();
      return server.bytes(path).replaceAll(path, "/path");
    }),
  );
  expect(sent[0]).toBe(sent[1]);
});
