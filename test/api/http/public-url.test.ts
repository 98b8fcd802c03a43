import { describe, expect, it } from "vitest";
import { freshKey, type Loose } from "../../support/emulator.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** A server behind a TLS proxy that passes on the Host: everything that a browser sees has the proxy's address. */

const PUBLIC = "https://pay.example.com";

const emulator = sharedEmulator({ publicUrl: PUBLIC });
const open = sharedEmulator({ publicUrl: PUBLIC, console: true });

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** One request as the proxy sends it on. */
function through(path: string, { method = "GET", headers = {}, body }: Asked = {}, on = emulator) {
  const sent = { host: "pay.example.com", apikey: on.key, "content-type": "application/json", ...headers };
  return send(on.url + path, { method, headers: sent, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

const create = (headers: Record<string, string> = {}) =>
  through("/v1/charges", {
    method: "POST",
    headers: { "idempotency-key": freshKey(), ...headers },
    body: { amount: 1990, payment_method: "pix" },
  });

const pathOf = (url: string) => url.slice(PUBLIC.length);

describe("with a public address", () => {
  it("all links in answers have it", async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    const links = JSON.stringify(body).match(/https?:\/\/[^/"]+/g);
    expect(new Set(links)).toEqual(new Set([PUBLIC]));
    expect(body.checkout_url).toMatch(/^https:\/\/pay\.example\.com\/checkout\//);
  });

  it("the server keeps its own address on this machine, and answers there too", async () => {
    expect(emulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect((await emulator.call("GET", "/v1/wallets")).status).toBe(200);
    expect((await through("/v1/wallets", { headers: { host: "PAY.example.com" } })).status).toBe(200);
  });

  it.each(["pay.example.com:8443", "evil.example.com", "pay.example.com.evil.test"])(
    "the Host %s is refused",
    async (host) => {
      expectRefused(await through("/v1/wallets", { headers: { host } }), "origin_not_allowed");
    },
  );

  it.each([
    "http://pay.example.com",
    "https://evil.example.com",
    "https://pay.example.com:8443",
    "http://127.0.0.1:4600",
    "null",
  ])("a page of %s may not send requests", async (origin) => {
    expectRefused(await create({ origin }), "origin_not_allowed");
  });

  it("a page of the public address may", async () => {
    expect((await create({ origin: PUBLIC })).status).toBe(201);
  });

  it("the checkout loads its files from there, and its simulation pays from there alone", async () => {
    const { body: charge } = await create();
    const path = pathOf(charge.checkout_url);
    const page = await through(path);
    expect(page.headers.get("content-security-policy")).toContain(`script-src ${PUBLIC}/checkout/assets/`);
    const [page_path, query] = path.split("?");
    const pay = (origin: string) =>
      through(`${page_path}/simulate?${query}`, {
        method: "POST",
        headers: { origin, "x-qa-checkout": "1" },
        body: { action: "pay" },
      });
    expectRefused(await pay("http://pay.example.com"), "origin_not_allowed");
    expect((await pay(PUBLIC)).body.state.status).toBe("paid");
  });

  it("the console is off until it is enabled, because others reach the server", async () => {
    expect(emulator.consoleUrl).toBeNull();
    const flags = (await emulator.sandbox("/settings")).flags as Loose[];
    expect(flags.find(({ flag }) => flag === "--public-url").value).toBe(PUBLIC);
    expect(flags.find(({ flag }) => flag === "--console")).toMatchObject({ value: false, default: false });
  });

  it("the enabled console opens there, with a cookie for TLS alone", async () => {
    const link = String(open.consoleUrl);
    expect(link).toMatch(/^https:\/\/pay\.example\.com\/console\/open\?k=/);
    const opened = await through(pathOf(link), {}, open);
    const cookie = opened.headers.get("set-cookie") ?? "";
    expect([opened.status, cookie.endsWith("; Secure")]).toEqual([200, true]);
    const [, pagePart = ""] = /name="qa-pay-session" content="([\w-]+)"/.exec(opened.body) ?? [];
    const page = await through("/console/", {}, open);
    expect(page.headers.get("content-security-policy")).toContain(`script-src ${PUBLIC}/console/assets/`);
    const own = { cookie: cookie.split(";")[0] ?? "", origin: PUBLIC, "x-qa-console": pagePart };
    const freeze = (headers: Record<string, string>) =>
      through("/console/api/_sandbox/clock/freeze", { method: "POST", headers, body: {} }, open);
    expect((await freeze(own)).body).toMatchObject({ frozen: true });
    expectRefused(await freeze({ ...own, origin: "http://pay.example.com" }), "origin_not_allowed");
    const made = await open.sandbox("/console/links", {});
    expect(made.url.startsWith(`${PUBLIC}/console/open?k=`)).toBe(true);
  });
});
