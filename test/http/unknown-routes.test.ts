import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registry } from "../../src/registry.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { send } from "../support/raw-http.js";
import { expectRefused } from "../support/refusals.js";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

/** Sends the path as it is written. `fetch` would normalize it first. */
const untidy = (path: string, method = "GET") =>
  send(emulator.url + path, { method, headers: { apikey: emulator.key, host: new URL(emulator.url).host } });

describe("an unknown path", () => {
  it.each([
    "/index.html",
    "/v1",
    "/v1/",
    "/v2/charges",
    "/charges",
    "/v1/charge",
    "/V1/wallets",
    "/v1/Wallets",
    "/v1/charges/ch_x/pay",
    "/v1/wallets/balance/BRL",
    "/_sandbox/nowhere",
    "/_sandboxed",
    "/favicon.ico",
    "/v1/wallets/../nowhere",
    "/%E0%A4%A",
    "/v1/%zz",
    "/v1/charges/a/b",
    `/v1/${"x".repeat(4_000)}`,
    "/__proto__",
    "/v1/constructor",
  ])("is not found: %s", async (path) => {
    for (const method of ["GET", "POST", "DELETE"]) expectRefused(await untidy(path, method), "not_found");
  });

  it("is not found without an API key, too", async () => {
    expectRefused(await emulator.call("GET", "/v1/nowhere", { key: null }), "not_found");
    expectRefused(await emulator.call("POST", "/v1/nowhere", { key: "wrong", raw: "nonsense" }), "not_found");
  });
});

describe("a known path with another method", () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
  const served = new Map<string, Set<string>>();
  for (const { contract } of registry) {
    served.set(contract.path, (served.get(contract.path) ?? new Set()).add(contract.method));
  }
  const others = [...served].flatMap(([path, known]) =>
    methods.filter((method) => !known.has(method)).map((method): [string, string] => [method, path]),
  );

  it.each(others)("is not found: %s %s", async (method, path) => {
    const body = method === "GET" ? {} : { body: {} };
    expectRefused(await emulator.call(method, path.replace("{id}", "ch_x"), body), "not_found");
  });
});

describe("a malformed id is answered like an unknown id", () => {
  const ids = [
    "ch_",
    "x",
    "ch_x",
    "tx_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa",
    "ch_ch_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa",
    "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa",
    "CH_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa",
    "0",
    "null",
    "%00",
    "%zz",
    "%E0%A4%A",
    "..%2f..%2fetc%2fpasswd",
    "'%20OR%201=1",
    "%F0%9F%98%80",
    "x".repeat(3_000),
  ];

  it.each(ids)("GET /v1/charges/%s", async (id) => {
    expectRefused(await untidy(`/v1/charges/${id}`), "not_found");
  });

  it.each(ids)("also in the control interface: %s", async (id) => {
    for (const move of ["pay", "fail", "expire"]) {
      expectRefused(await untidy(`/_sandbox/charges/${id}/${move}`, "POST"), "not_found");
    }
    expectRefused(await untidy(`/_sandbox/webhooks/deliveries/${id}/resend`, "POST"), "not_found");
    expectRefused(await untidy(`/v1/webhooks/endpoints/${id}`, "DELETE"), "not_found");
  });

  it("also an id in upper case", async () => {
    const { id } = await emulator.charge();
    expectRefused(await untidy(`/v1/charges/${id.toUpperCase()}`), "not_found");
    expectRefused(await untidy(`/v1/charges/${id}%20`), "not_found");
    expect((await untidy(`/v1/charges/${id}`)).status).toBe(200);
  });
});

describe("a query on a route without parameters", () => {
  it("is refused by lists, by name", async () => {
    for (const path of ["/v1/wallets", "/v1/webhooks/endpoints", "/v1/webhooks/event-catalog"]) {
      expectRefused(await emulator.call("GET", `${path}?page=2`), "invalid_request", "page");
    }
  });
});
