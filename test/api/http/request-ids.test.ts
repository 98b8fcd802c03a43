import { describe, expect, it } from "vitest";
import { freshKey } from "../../support/emulator.js";
import { openCase, PNG, ticketFor, upload } from "../../support/med.js";
import { payment, REQUESTS } from "../../support/payments.js";
import { send } from "../../support/raw-http.js";
import { sharedEmulator } from "../../support/shared.js";

const emulator = sharedEmulator();

/** The form of a request id that the service makes. */
const OWN = /^req_[0-9a-f-]{36}$/;

const idOf = async (method: string, path: string, options = {}) =>
  (await emulator.call(method, path, options)).headers.get("x-request-id");

/** One request for each kind of answer. */
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
  it("is on every answer, and new when the client sent none", async () => {
    const seen = new Set<string>();
    for (const [what, method, path, options, status] of await outcomes()) {
      const answer = await emulator.call(method, path, options);
      expect([what, answer.status]).toEqual([what, status]);
      const id = answer.headers.get("x-request-id");
      expect([what, id]).toEqual([what, expect.stringMatching(OWN)]);
      seen.add(String(id));
    }
    expect(seen.size).toBe(12);
  });

  it("is on every answer the one that the client sent", async () => {
    for (const [what, method, path, options] of await outcomes()) {
      const given = options as { headers?: Record<string, string> };
      const headers = { ...given.headers, "x-request-id": `mine-${what.length}` };
      expect([what, await idOf(method, path, { ...given, headers })]).toEqual([what, `mine-${what.length}`]);
    }
  });

  it("is on the answers of images and pages that exist", async () => {
    const { pix, checkout_url } = await emulator.charge();
    for (const url of [pix.qr_code_url, checkout_url]) {
      const response = await fetch(url, { headers: { "x-request-id": "of-a-page" } });
      await response.arrayBuffer();
      expect([response.status, response.headers.get("x-request-id")]).toEqual([200, "of-a-page"]);
    }
  });

  it.each(["a", "0", "x".repeat(128), "{}\"'<>&;=,", "req_", "!~"])("echoes %o as it is", async (id) => {
    expect(await idOf("GET", "/v1/wallets", { headers: { "x-request-id": id } })).toBe(id);
  });

  it.each([
    ["an empty one", ""],
    ["one with a space inside", "with spaces inside"],
    ["one with a tab inside", "with\ttab"],
    ["one of 129 characters", "x".repeat(129)],
    ["one of 10,000 characters", "x".repeat(10_000)],
    ["one that is not ASCII", "pedido-nº-1"],
    ["one with a control character of Latin-1", "a\u009b31m"],
    ["several", ["one", "two"]],
  ])("is created by the service when the client sends %s", async (_what, id) => {
    const headers = { apikey: emulator.key, host: new URL(emulator.url).host, "x-request-id": id };
    const found = await send(`${emulator.url}/v1/wallets`, { headers });
    expect([found.status, found.headers.get("x-request-id")]).toEqual([200, expect.stringMatching(OWN)]);
    const lost = await send(`${emulator.url}/v1/charges/x`, { headers });
    expect([lost.status, lost.headers.get("x-request-id")]).toEqual([404, expect.stringMatching(OWN)]);
    expect(lost.body.request_id).toBe(lost.headers.get("x-request-id"));
  });

  it("is the same in the header, the error envelope and the request log", async () => {
    for (const [, method, path, options] of await outcomes()) {
      for (const mine of ["mine-again", "not mine", undefined]) {
        const given = options as { headers?: Record<string, string> };
        const headers = { ...given.headers, ...(mine === undefined ? {} : { "x-request-id": mine }) };
        const answer = await emulator.call(method, path, { ...given, headers });
        if (answer.status < 400) continue;
        expect(answer.body.request_id).toBe(answer.headers.get("x-request-id"));
        if (!path.startsWith("/v1/")) continue;
        const [logged] = (await emulator.sandbox("/requests?limit=1")).data;
        expect(logged.id).toBe(answer.body.request_id);
      }
    }
  });

  it("is on the answers of evidence uploads and of forms that pages send", async () => {
    const ticket = await ticketFor(emulator, (await openCase(emulator)).id);
    const wrong = await upload(ticket, PNG, { "content-type": "text/plain", "x-request-id": "not taken" });
    expect([wrong.status, wrong.headers.get("x-request-id")]).toEqual([403, expect.stringMatching(OWN)]);
    const right = await upload(ticket, PNG, { "x-request-id": "taken" });
    expect([right.status, right.headers.get("x-request-id")]).toEqual([200, "taken"]);
    const path = `/card/${(await payment(emulator, REQUESTS.CREDIT_CARD)).id}?k=wrong`;
    const form = await emulator.call("POST", path, { raw: "step=x", headers: { "x-request-id": "of-a-form" } });
    expect([form.status, form.headers.get("x-request-id")]).toEqual([404, "of-a-form"]);
  });
});
