import { createServer as createPlain, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createSecure } from "node:https";
import { type AddressInfo, createServer as createSocket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ANSWER_TIMEOUT_MS, createTransport, type Transport } from "../../src/delivery/transport.js";
import { realTime } from "../../src/runtime.js";
import { SELF_SIGNED } from "../support/self-signed.js";

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function transport(options: { insecureTls?: boolean; timeoutMs?: number } = {}): Transport {
  const made = createTransport({ real: realTime, insecureTls: false, ...options });
  closers.push(() => made.close());
  return made;
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(server: Server, scheme: "http" | "https" = "http"): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `${scheme}://localhost:${(server.address() as AddressInfo).port}/hooks`;
}

const answering = (listener: Listener) =>
  listening(
    createPlain((request, response) => {
      request.resume();
      request.on("end", () => listener(request, response));
    }),
  );

const send = (on: Transport, url: string) =>
  on.post(url, { "content-type": "application/json", "content-length": "2" }, "{}");

describe("an answer", () => {
  it("is told with its status and body", async () => {
    const url = await answering((_, response) => response.writeHead(418).end("olá"));
    expect(await send(transport(), url)).toEqual({
      statusCode: 418,
      error: null,
      timedOut: false,
      responseBody: "olá",
      responseHeaders: expect.objectContaining({ connection: "keep-alive" }),
      retryAfterMs: null,
      durationMs: expect.any(Number),
    });
  });

  it("is kept up to 16 KiB", async () => {
    const url = await answering((_, response) => response.writeHead(500).end("x".repeat(1_000_000)));
    expect((await send(transport(), url)).responseBody).toHaveLength(16_384);
  });

  it("that sends elsewhere is not followed", async () => {
    const paths: (string | undefined)[] = [];
    const url = await answering(({ url: path }, response) => {
      paths.push(path);
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    expect(await send(transport(), url)).toMatchObject({ statusCode: 307, error: null });
    expect(paths).toEqual(["/hooks"]);
  });

  it("says when to come back, by its own clock", async () => {
    const date = new Date("2020-01-01T00:00:00Z").toUTCString();
    const later = new Date("2020-01-01T00:02:00Z").toUTCString();
    const byDate = await answering((_, response) => response.writeHead(429, { date, "retry-after": later }).end());
    expect((await send(transport(), byDate)).retryAfterMs).toBe(120_000);
    const bySeconds = await answering((_, response) => response.writeHead(429, { "retry-after": "7" }).end());
    expect((await send(transport(), bySeconds)).retryAfterMs).toBe(7_000);
  });

  it("comes over a connection that is kept", async () => {
    const ports = new Set<number | undefined>();
    const url = await answering(({ socket }, response) => {
      ports.add(socket.remotePort);
      response.end();
    });
    const on = transport();
    for (let index = 0; index < 3; index++) await send(on, url);
    expect(ports.size).toBe(1);
  });
});

describe("no answer", () => {
  it("within 30 seconds unless a test says otherwise", () => expect(ANSWER_TIMEOUT_MS).toBe(30_000));

  it("in time is a failure", async () => {
    const url = await answering(() => undefined);
    const result = await send(transport({ timeoutMs: 40 }), url);
    expect(result).toMatchObject({ statusCode: null, error: "no answer within 0.04 seconds" });
  });

  it("in time is a failure too when only its head came", async () => {
    const url = await answering((_, response) => response.writeHead(200, { "content-length": "10" }).write("abc"));
    const result = await send(transport({ timeoutMs: 60 }), url);
    expect(result).toMatchObject({ statusCode: null, error: "no answer within 0.06 seconds" });
  });

  it("because nobody listens", async () => {
    const server = createPlain();
    const url = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await send(transport(), url);
    expect(result).toMatchObject({ statusCode: null, error: "connection refused (ECONNREFUSED)" });
  });

  it("because the connection breaks", async () => {
    const url = await answering(({ socket }) => socket.destroy());
    expect((await send(transport(), url)).error).toMatch(/ECONNRESET/);
  });

  it("because the connection breaks within the answer", async () => {
    const url = await answering(({ socket }, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("abc", () => socket.destroy());
    });
    const result = await send(transport(), url);
    expect(result).toMatchObject({ statusCode: null, error: expect.stringMatching(/./) });
  });

  it("in HTTP", async () => {
    const server = createSocket((socket) => {
      socket.on("error", () => undefined);
      socket.end("what?\r\n\r\n", () => socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closers.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const result = await send(transport(), url);
    expect(result).toMatchObject({ statusCode: null, error: expect.stringMatching(/./) });
  });

  it("because the name does not resolve", async () => {
    const result = await send(transport(), "https://does-not-exist.invalid/hooks");
    expect(result.statusCode).toBeNull();
    expect(result.error).toMatch(/resolve/);
  });

  it("because the URL cannot be used", async () => {
    expect(await send(transport(), "https://localhost:0/")).toMatchObject({
      statusCode: null,
      error: expect.any(String),
    });
    expect((await transport().post("nonsense", {}, "{}")).error).toMatch(/./);
  });
});

describe("a self-signed certificate", () => {
  const secure = () => listening(createSecure(SELF_SIGNED, (_, response) => response.end()) as Server, "https");

  it("is a failure that names it", async () => {
    const result = await send(transport(), await secure());
    expect(result).toMatchObject({
      statusCode: null,
      error: expect.stringMatching(/invalid TLS certificate: self-signed/),
    });
  });

  it("is taken when told so", async () => {
    expect(await send(transport({ insecureTls: true }), await secure())).toMatchObject({
      statusCode: 200,
      error: null,
    });
  });
});
