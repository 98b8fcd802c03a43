import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshKey, startEmulator, type TestEmulator } from "../support/emulator.js";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());

const idOf = async (method: string, path: string, options = {}) =>
  (await emulator.call(method, path, options)).headers.get("x-request-id");

/** One request of every kind of outcome. */
async function outcomes(): Promise<[what: string, method: string, path: string, options: object, status: number][]> {
  const { pix, checkout_url } = await emulator.charge();
  const local = (url: string) => url.slice(emulator.url.length);
  const idempotent = () => ({ "idempotency-key": freshKey() });
  return [
    ["a read", "GET", "/v1/wallets", {}, 200],
    ["a control call", "GET", "/_sandbox/clock", {}, 200],
    ["a creation", "POST", "/v1/pix/charges", { body: { amount: 1 }, headers: idempotent() }, 201],
    ["no content", "POST", "/_sandbox/reset", {}, 204],
    ["a refused body", "POST", "/v1/charges", { raw: "nonsense" }, 400],
    ["no key", "GET", "/v1/wallets", { key: null }, 401],
    ["a page of another origin", "GET", "/v1/wallets", { headers: { origin: "https://elsewhere.test" } }, 403],
    ["an unknown id", "GET", "/v1/charges/ch_unknown", {}, 404],
    ["an unknown path", "GET", "/nowhere", {}, 404],
    ["too large a body", "POST", "/v1/charges", { raw: "x".repeat(1_048_577) }, 413],
    ["an image", "GET", local(pix.qr_code_url), { key: null }, 404],
    ["a page", "GET", local(checkout_url).replace(/\?.*/, ""), { key: null }, 404],
  ];
}

describe("X-Request-Id", () => {
  it("is on every answer, a new one where the client sent none", async () => {
    const seen = new Set<string>();
    for (const [what, method, path, options, status] of await outcomes()) {
      const answer = await emulator.call(method, path, options);
      expect([what, answer.status]).toEqual([what, status]);
      const id = answer.headers.get("x-request-id");
      expect([what, id]).toEqual([what, expect.stringMatching(/^req_\S{20,}$/)]);
      seen.add(String(id));
    }
    expect(seen.size).toBe(12);
  });

  it("is the client's own on every answer where it sent one", async () => {
    for (const [what, method, path, options] of await outcomes()) {
      const given = options as { headers?: Record<string, string> };
      const headers = { ...given.headers, "x-request-id": `mine-${what.length}` };
      expect([what, await idOf(method, path, { ...given, headers })]).toEqual([what, `mine-${what.length}`]);
    }
  });

  it("is on images and pages that exist", async () => {
    const { pix, checkout_url } = await emulator.charge();
    for (const url of [pix.qr_code_url, checkout_url]) {
      const response = await fetch(url, { headers: { "x-request-id": "of-a-page" } });
      await response.arrayBuffer();
      expect([response.status, response.headers.get("x-request-id")]).toEqual([200, "of-a-page"]);
    }
  });

  it.each(["a", "0", "with spaces inside", "x".repeat(1_000), "{}\"'<>&;=,", "req_"])(
    "echoes %o as it is",
    async (id) => {
      expect(await idOf("GET", "/v1/wallets", { headers: { "x-request-id": id } })).toBe(id);
    },
  );

  it("counts an empty one as none", async () => {
    expect(await idOf("GET", "/v1/wallets", { headers: { "x-request-id": "" } })).toMatch(/^req_\S{20,}$/);
  });

  it("is in the error envelope too", async () => {
    const { body } = await emulator.call("GET", "/v1/charges/x", { headers: { "x-request-id": "mine-again" } });
    expect(body.request_id).toBe("mine-again");
  });
});
