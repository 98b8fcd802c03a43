import { beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { freshKey } from "../../support/emulator.js";
import { send, sendBytes } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";

const emulator = sharedEmulator();
let port: string;
beforeAll(() => {
  port = new URL(emulator.url).port;
});

const ask = (headers: Record<string, string>, path = "/v1/wallets", method = "GET") =>
  send(emulator.url + path, { method, headers: { apikey: emulator.key, host: `127.0.0.1:${port}`, ...headers } });

const paths = [
  ...registry.map(({ contract }): [string, string] => [contract.method, contract.path.replace("{id}", "ch_x")]),
  ...["/", "/nowhere", "/v1/nowhere", "/console", "/checkout/x", "/qr/x.png", "/qr/jwks"].map(
    (path): [string, string] => ["GET", path],
  ),
];

describe("the Host", () => {
  it.each(["127.0.0.1", "localhost", "LOCALHOST", "127.0.0.2", "[::1]"])("%s is the server's own", async (name) => {
    expect((await ask({ host: `${name}:${port}` })).status).toBe(200);
  });

  it.each([
    "example.com",
    "127.0.0.1.example.com",
    "localhost.example.com",
    "notlocalhost",
    "10.0.0.1",
    "169.254.169.254",
    "[::2]",
    "0.0.0.0",
    "",
    "user@127.0.0.1",
  ])("%o is refused as another host", async (name) => {
    expectRefused(await ask({ host: `${name}:${port}` }), "origin_not_allowed");
  });

  it("is refused with another port or without a port", async () => {
    expectRefused(await ask({ host: "127.0.0.1" }), "origin_not_allowed");
    expectRefused(await ask({ host: `127.0.0.1:${Number(port) + 1}` }), "origin_not_allowed");
    expectRefused(await ask({ host: `127.0.0.1:${port}0` }), "origin_not_allowed");
  });

  it("must be sent", async () => {
    const answer = await sendBytes(emulator.url, `GET /v1/wallets HTTP/1.0\r\napikey: ${emulator.key}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.[01] 403 /);
    expect(answer).toContain('"origin_not_allowed"');
  });

  it.each(paths)("of another host is refused by %s %s", async (method, path) => {
    expectRefused(await ask({ host: "evil.test" }, path, method), "origin_not_allowed");
  });
});

describe("the Origin", () => {
  it("is accepted as the server's own when it has the name that the Host has", async () => {
    expect((await ask({ origin: `http://127.0.0.1:${port}` })).status).toBe(200);
    expect((await ask({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).status).toBe(200);
    expect((await ask({ host: `127.0.0.1:${port}`, origin: `http://localhost:${port}` })).status).toBe(200);
    expect((await ask({ host: `localhost:${port}`, origin: `https://localhost:${port}` })).status).toBe(403);
  });

  it.each([
    ["https://example.com"],
    ["http://localhost:3000"],
    ["http://127.0.0.1"],
    ["null"],
    ["file://"],
    [""],
    ["http://127.0.0.1.example.com"],
  ])("%o is refused as another origin", async (origin) => {
    expectRefused(await ask({ origin }), "origin_not_allowed");
  });

  it.each(paths)("of another page is refused by %s %s", async (method, path) => {
    expectRefused(await ask({ origin: "https://evil.test" }, path, method), "origin_not_allowed");
  });

  it("is checked before the API key", async () => {
    expectRefused(await ask({ origin: "https://evil.test", apikey: "wrong" }), "origin_not_allowed");
  });

  it("of another page changes nothing", async () => {
    const key = freshKey();
    const body = JSON.stringify({ amount: 100, payment_method: "pix" });
    const headers = {
      apikey: emulator.key,
      host: `127.0.0.1:${port}`,
      "idempotency-key": key,
      "content-length": String(body.length),
    };
    const given = { method: "POST", body };
    const foreign = { ...headers, origin: "https://evil.test" };
    expectRefused(await send(`${emulator.url}/v1/charges`, { ...given, headers: foreign }), "origin_not_allowed");
    expect((await emulator.sandbox("/events")).data).toEqual([]);
    const own = await send(`${emulator.url}/v1/charges`, { ...given, headers });
    expect([own.status, own.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });

  it("of another page gets no permission from a preflight request", async () => {
    const answer = await ask(
      { origin: "https://evil.test", "access-control-request-method": "POST" },
      "/v1/charges",
      "OPTIONS",
    );
    expectRefused(answer, "origin_not_allowed");
    expect([...answer.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  });
});

it("a server on every address accepts any IP address and any outside port as Host, but no foreign name", async () => {
  const open = await ownEmulator({ host: "0.0.0.0" });
  const headers = (host: string) => ({ headers: { apikey: open.key, host } });
  const to = (host: string) => send(`${open.url}/v1/wallets`, headers(host));
  for (const host of ["192.168.0.7:80", "localhost:9999", "127.0.0.1"]) expect((await to(host)).status).toBe(200);
  expectRefused(await to("evil.test:80"), "origin_not_allowed");
  const page = { apikey: open.key, host: "localhost:9999", origin: "https://evil.test" };
  expectRefused(await send(`${open.url}/v1/wallets`, { headers: page }), "origin_not_allowed");
});

describe("a host of the option", () => {
  const allowHost = ["pay", "10.0.0.7", "[fd00::7]"];
  const started = sharedEmulator({ allowHost });
  const everywhere = sharedEmulator({ allowHost, host: "0.0.0.0" });
  const to = (host: string, headers: Record<string, string> = {}, on = started) =>
    send(`${on.url}/v1/wallets`, { headers: { apikey: on.key, host, ...headers } });

  it.each(["pay", "PAY:80", "pay:4600", "pay.:4600", "10.0.0.7:1", "[fd00:0::7]:4600"])(
    "is answered as %s, with any port",
    async (host) => {
      for (const on of [started, everywhere]) expect((await to(host, {}, on)).status).toBe(200);
    },
  );

  it.each([
    "xpay",
    "pay.test",
    "sub.pay",
    "pay:x",
    "pay@evil.test",
    "evil.test@pay",
    "pay:80:80",
    "10.0.0.70",
    "*",
    "pay/",
    "pay%2e",
  ])("is not %s", async (host) => {
    expectRefused(await to(host), "origin_not_allowed");
  });

  it("leaves the server's own names as they are", async () => {
    const { port: own } = new URL(started.url);
    expect((await to(`localhost:${own}`)).status).toBe(200);
    expectRefused(await to("localhost:1"), "origin_not_allowed");
  });

  it("is named by its own pages alone, and by none at another port", async () => {
    const { port: own } = new URL(started.url);
    expect((await to("pay:4600", { origin: "http://pay:4600" })).status).toBe(200);
    expectRefused(await to("pay:4600", { origin: "http://pay:3000" }), "origin_not_allowed");
    expectRefused(await to("pay:4600", { origin: "https://pay:4600" }), "origin_not_allowed");
    expectRefused(await to("pay:4600", { origin: "http://10.0.0.7:4600" }), "origin_not_allowed");
    expectRefused(await to(`127.0.0.1:${own}`, { origin: `http://pay:${own}` }), "origin_not_allowed");
  });
});

describe("the refusal of a foreign Host", () => {
  const general = "This server answers only requests to its own host, and none from a web page of another origin.";
  const messageFor = async (headers: Record<string, string>) =>
    expectRefused(await ask(headers), "origin_not_allowed").message;

  it("names the flag that accepts it", async () => {
    const told = await messageFor({ host: "Shop.Internal:4600" });
    expect(told).toBe(`${general} For requests to shop.internal, start it with --allow-host shop.internal.`);
  });

  it("names none for what is no host, nor for a page of another origin", async () => {
    expect(await messageFor({ host: "user@127.0.0.1" })).toBe(general);
    expect(await messageFor({ origin: "https://evil.test" })).toBe(general);
  });
});
