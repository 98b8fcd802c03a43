import { afterEach, describe, expect, it } from "vitest";
import { sendByFetch } from "../../../src/api/client/fetching.js";
import { type HttpRequest, openStream, send, Unreachable } from "../../../src/api/client/send.js";
import { startHost } from "../../support/running.js";

/** Both ways to send a request give the caller the same result. */

type Host = Awaited<ReturnType<typeof startHost>>;
let host: Host | undefined;
afterEach(async () => {
  await host?.close();
  host = undefined;
});

async function answering(handler: Parameters<typeof startHost>[0]): Promise<string> {
  host = await startHost(handler);
  return host.url;
}

const get = (url: string): HttpRequest => ({ method: "GET", url, headers: {}, body: undefined });

describe.each([
  ["node:http", send],
  ["fetch", (request: HttpRequest) => sendByFetch(request, fetch)],
] as const)("through %s", (_name, sender) => {
  it("method, headers and body arrive as they are, with their length in bytes", async () => {
    const seen: unknown[] = [];
    const url = await answering(async (request, response) => {
      const { method, url: path, headers } = request;
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { apikey, "content-length": length } = headers;
      seen.push({ method, path, apikey, length, body: Buffer.concat(chunks).toString() });
      response.writeHead(201, { "X-Request-Id": "req_1" }).end("ok");
    });
    const body = '{"name":"João 🦊"}';
    const answer = await sender({ method: "POST", url: `${url}/v1/a?b=c%20d`, headers: { apikey: "k" }, body });
    expect(answer).toMatchObject({ status: 201, text: "ok" });
    expect(answer.headers.get("x-request-id")).toBe("req_1");
    expect(seen).toEqual([{ method: "POST", path: "/v1/a?b=c%20d", apikey: "k", length: "21", body }]);
  });

  it("characters whose bytes arrive in two pieces are decoded correctly", async () => {
    const bytes = Buffer.from("São João 🦊");
    const url = await answering((_request, response) => {
      response.write(bytes.subarray(0, 2));
      response.write(bytes.subarray(2, bytes.length - 1), () => response.end(bytes.subarray(bytes.length - 1)));
    });
    expect((await sender(get(url))).text).toBe("São João 🦊");
  });

  it.each([204, 400, 404, 429, 500, 503])("%i is an answer like any other", async (status) => {
    const url = await answering((_request, response) => void response.writeHead(status).end());
    expect(await sender(get(url))).toMatchObject({ status, text: "" });
  });

  it("a redirect is answered and not followed, so that a key is sent to no other host", async () => {
    const asked: string[] = [];
    const url = await answering((request, response) => {
      asked.push(request.url ?? "");
      response.writeHead(307, { location: "/elsewhere" }).end();
    });
    const { status, headers } = await sender({ ...get(`${url}/here`), headers: { apikey: "k" } });
    expect([status, headers.get("location")]).toEqual([307, "/elsewhere"]);
    expect(asked).toEqual(["/here"]);
  });

  it.each([
    ["before an answer", 0],
    ["in the middle of one", 100],
  ])("a connection that ends %s is Unreachable, and the request is sent once", async (_when, length) => {
    let asked = 0;
    const url = await answering((request, response) => {
      asked += 1;
      if (length === 0) return void request.destroy();
      response.writeHead(200, { "content-length": length });
      response.write("half", () => request.destroy());
    });
    const failure = await sender(get(url)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Unreachable);
    expect(failure).toMatchObject({ isLost: true, message: expect.stringContaining(`${url} gave no complete answer`) });
    expect(asked).toBe(1);
  });

  it("a port without a server is Unreachable, with the reason of the socket", async () => {
    const url = await answering(() => undefined);
    await host?.close();
    host = undefined;
    await expect(sender(get(url))).rejects.toThrow(/Nobody answers at .* \(.*ECONNREFUSED.*\)\./);
    await expect(openStream({ url, headers: {} }, new AbortController().signal)).rejects.toThrow(/ECONNREFUSED/);
  });
});

it("a request that is stopped while it waits is Unreachable", async () => {
  const stop = new AbortController();
  const url = await answering(() => stop.abort());
  await expect(send({ ...get(url), signal: stop.signal })).rejects.toThrow(Unreachable);
});

it.each([
  ["answers nothing", 0],
  ["stops in the middle", 4],
])("a server that %s is Unreachable after the time limit", async (_what, length) => {
  const url = await answering((_request, response) => {
    if (length > 0) response.writeHead(200, { "content-length": 100 }).write("half");
  });
  await expect(send({ ...get(url), timeoutMs: 20 })).rejects.toThrow(/no answer within 0.02 seconds/);
});
