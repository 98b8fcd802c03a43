import { describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";

const guarded = registry.map(({ contract }) => contract).filter(({ auth }) => auth === "key");
const routes = guarded.flatMap(({ method, path, aliases = [] }) =>
  [path, ...aliases].map((one): [string, string] => [method, one.replace(/\{\w+\}/g, "unknown")]),
);

const emulator = sharedEmulator();

const read = (key: string | null, headers: Record<string, string> = {}) =>
  emulator.call("GET", "/v1/wallets", { key, headers });

describe("every route but those of users, the login and the event catalogue", () => {
  it("needs an API key", () => {
    const others = registry.map(({ contract }) => contract).filter(({ auth }) => auth !== "key");
    expect(others.map(({ auth, method, path }) => `${auth} ${method} ${path}`)).toEqual([
      "none GET /v1/webhooks/event-catalog",
      "jwt POST /v1/api-keys",
      "jwt GET /v1/api-keys",
      "jwt POST /v1/api-keys/{id}/rotate",
      "jwt DELETE /v1/api-keys/{id}",
      "none POST /v1/auth/login",
      "jwt POST /v1/auth/logout",
    ]);
  });

  it.each(routes)("%s %s refuses a missing key and a wrong one", async (method, path) => {
    expectRefused(await emulator.call(method, path, { key: null }), "unauthorized");
    expectRefused(await emulator.call(method, path, { key: "qa_test_wrong-key-0123456789" }), "unauthorized");
  });
});

describe("a key", () => {
  it("has the form of its mode and works for it", async () => {
    expect(emulator.key).toMatch(/^qa_test_[A-Za-z0-9_-]{32}$/);
    expect(emulator.live).toMatch(/^qa_live_[A-Za-z0-9_-]{32}$/);
    for (const key of [emulator.key, emulator.live]) expect((await read(key)).status).toBe(200);
  });

  it.each<[string, (key: string) => string]>([
    ["empty", () => ""],
    ["cut short", (key) => key.slice(0, -1)],
    ["one character longer", (key) => `${key}A`],
    ["in another case", (key) => key.toUpperCase()],
    ["of the other mode's prefix", (key) => key.replace("qa_test_", "qa_live_")],
    ["between quotes", (key) => `"${key}"`],
    ["padded with a no-break space", (key) => `\u00a0${key}`],
    ["with a space inside", (key) => key.replace("_test_", "_test _")],
    ["as a bearer", (key) => `Bearer ${key}`],
    ["given twice over", (key) => `${key}, ${key}`],
    ["only its prefix", (key) => key.slice(0, 12)],
  ])("is compared exactly: %s, the key is refused", async (_how, change) => {
    expectRefused(await read(change(emulator.key)), "unauthorized");
  });

  it("that is sent in two headers is refused", async () => {
    const headers = { host: new URL(emulator.url).host, apikey: [emulator.key, emulator.key] };
    expectRefused(await send(`${emulator.url}/v1/wallets`, { headers }), "unauthorized");
  });

  it("is read from the apikey header only", async () => {
    expectRefused(await read(null, { authorization: `Bearer ${emulator.key}` }), "unauthorized");
    expectRefused(await read(null, { "x-api-key": emulator.key }), "unauthorized");
    expectRefused(await emulator.call("GET", `/v1/wallets?apikey=${emulator.key}`, { key: null }), "unauthorized");
  });

  it("is read whatever the case of the header's name", async () => {
    expect((await read(null, { ApiKey: emulator.key })).status).toBe(200);
  });

  it("does not appear in a refusal", async () => {
    const { body } = await read("qa_test_wrong-key-0123456789");
    expect(JSON.stringify(body)).not.toContain("wrong-key");
  });
});

describe("authentication comes first", () => {
  const stranger = { key: "qa_test_wrong-key-0123456789" };

  it.each<[string, string, string, object]>([
    ["before the body is read", "POST", "/v1/charges", { raw: "{ not json" }],
    ["before the body is measured", "POST", "/v1/charges", { raw: "x".repeat(1_100_000) }],
    ["before validation", "POST", "/v1/charges", { body: { amount: -1 } }],
    ["before the idempotency key is asked for", "POST", "/v1/pix/charges", { body: { amount: 100 } }],
    ["before the query is read", "GET", "/v1/webhooks/deliveries?nonsense=1", {}],
    ["before an id is looked up", "GET", "/v1/charges/ch_unknown", {}],
    ["before a preview is hidden", "GET", "/v1/charges", {}],
    ["on the wallet's balance, where 404 would mislead", "GET", "/v1/wallets/balance?currency=nonsense", {}],
  ])("%s", async (_when, method, path, options) => {
    expectRefused(await emulator.call(method, path, { ...stranger, ...options }), "unauthorized");
  });
});

it("imported keys work from the first request", async () => {
  const keys = { testKey: "qa_test_ci-key-0001", liveKey: "qa_live_ci-key-0001" };
  const other = await ownEmulator(keys);
  expect([other.testKey, other.liveKey]).toEqual([keys.testKey, keys.liveKey]);
  for (const [key, mode] of [
    [keys.testKey, "test"],
    [keys.liveKey, "live"],
  ] as const) {
    expect((await other.call("GET", "/_sandbox", { key })).body.mode).toBe(mode);
  }
});
