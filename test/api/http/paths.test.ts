import { beforeEach, describe, expect, it } from "vitest";
import { registry } from "../../../src/api/registry.js";
import type { Operation } from "../../../src/service/features/operation.js";
import type { Answer } from "../../support/emulator.js";
import { send } from "../../support/raw-http.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";

/** How a path can be written, and that another spelling of a path does not bypass a check that uses the path. */

const emulator = sharedEmulator({ frozen: true, preview: new Set(["charge-list"]) });

/** Sends the path as it is written. `fetch` would normalize it first. */
function untidy(target: string, to = emulator, headers: Record<string, string> = {}): Promise<Answer> {
  return send(to.url, { target, headers: { apikey: to.key, host: new URL(to.url).host, ...headers } });
}

const operations: readonly Operation[] = registry;
const contracts = operations.map(({ contract }) => contract);

describe("a slash at the end of a path", () => {
  const routes = contracts.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((route) => ({ method, route })),
  );

  it.each(routes)("is another path, which is not found: $method $route/", async ({ method, route }) => {
    const address = route.replace(/\{\w+\}/g, "some-id");
    for (const slashes of ["/", "//"]) {
      // Its message names the path. Where the path is known, the object is not.
      const { message } = expectRefused(await emulator.call(method, address + slashes), "not_found");
      expect(message).toContain(`${address}${slashes} `);
    }
  });

  it("is refused without a key check, changes nothing and is in the request log", async () => {
    const { id } = await emulator.charge();
    expectRefused(await emulator.call("POST", `/v1/payments/${id.slice(3)}/cancel/`), "not_found");
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("pending");
    expectRefused(await emulator.call("GET", "/v1/wallets/", { key: null }), "not_found");
    expectRefused(await emulator.call("GET", "/v1/wallets/"), "not_found");
    const [logged] = (await emulator.sandbox("/requests?limit=1")).data;
    expect([logged.path, logged.status]).toEqual(["/v1/wallets/", 404]);
  });

  it("is another path for pages, too", async () => {
    const { checkout_url } = await emulator.charge();
    const [path, query] = checkout_url.slice(emulator.url.length).split("?");
    expect((await emulator.call("GET", `${path}?${query}`)).status).toBe(200);
    expectRefused(await emulator.call("GET", `${path}/?${query}`), "not_found");
  });
});

/** Other ways to write /v1/wallets that a server can take for the same path. */
const SPELLINGS = [
  "/%761/wallets",
  "/v%31/wall%65ts",
  "/x/../v1/wallets",
  "/./v1/./wallets",
  "/v1/x/%2e%2e/wallets",
  "/v1/x/%2E./wallets",
  "/_sandbox/../v1/wallets",
  "/v1\\wallets",
  "http://elsewhere.test/v1/wallets",
  "HTTP://elsewhere.test/%761/wallets",
  "/v1/wallets#behind",
];

describe.each(SPELLINGS)("%s", (spelling) => {
  it("is in the request log under the path that was answered", async () => {
    const answer = await untidy(spelling);
    const [logged] = (await emulator.sandbox("/requests?limit=1")).data;
    expect(logged).toMatchObject({
      id: answer.headers.get("x-request-id"),
      path: "/v1/wallets",
      status: answer.status,
    });
  });

  it("gets the fault of a rule for that path", async () => {
    const body = { match: { path: "/v1/wallets" }, effect: { status: 503 } };
    const { id } = (await emulator.call("POST", "/_sandbox/faults", { body })).body;
    expect((await untidy(spelling)).status).toBe(503);
    await emulator.call("DELETE", `/_sandbox/faults/${id}`);
  });

  it("needs an API key, and is refused to a page of another origin", async () => {
    expectRefused(await untidy(spelling, emulator, { apikey: "qa_test_unknown0" }), "unauthorized");
    expectRefused(await untidy(spelling, emulator, { origin: "https://elsewhere.test" }), "origin_not_allowed");
  });
});

describe("with a rate limit", () => {
  const limited = sharedEmulator({ frozen: true, rateLimit: 1 });
  beforeEach(() => limited.sandbox("/reset"));

  it.each(SPELLINGS)("%s counts like any other request", async (spelling) => {
    expect((await untidy(spelling, limited)).headers.get("x-ratelimit-remaining-minute")).toBe("0");
    expectRefused(await untidy(spelling, limited), "rate_limited");
  });
});

it.each([
  "//v1/wallets",
  "/v1//wallets",
  "/v1/wallets%2F",
  "/v1%2Fwallets",
  "/v1/wallets%20",
  "/v1/wallets;x=1",
  "/%2576%31/wallets",
  "/V1/wallets",
])("a path that only looks like a path of the service is not found: %s", async (path) => {
  expectRefused(await untidy(path), "not_found");
});
