import { describe, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

const emulator = sharedEmulator();

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
    ...["%00", "%zz", "..%2f..%2fetc%2fpasswd", "'%20OR%201=1", "%F0%9F%98%80"].map((id) => `/v1/charges/${id}`),
    `/_sandbox/charges/${"x".repeat(3_000)}/expire`,
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
