import { afterAll, describe, expect, it, vi } from "vitest";
import { CASES } from "../../../src/emulator/receiver-check/cases.js";
import { type Loose, startEmulator } from "../../support/emulator.js";
import { PATIENCE } from "../../support/patience.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator } from "../../support/shared.js";
import { closeReceivers, genuine, OLD_SECRET, receiver } from "../../support/webhook-receivers.js";
import { subscribe } from "../../support/webhooks.js";

/** The checks of `webhooks test`, run by the server against an endpoint. */

const emulator = sharedEmulator();
afterAll(async () => {
  await closeReceivers();
});

const test = (body: object, key = emulator.key) => emulator.call("POST", "/_sandbox/webhooks/test", { body, key });
const QUICK = ["charge.paid", "payment.completed", "wrong-signature", "stale-timestamp", "future-timestamp"];

describe("the test of a receiver", () => {
  it("passes for an endpoint that checks signatures with its secret, whatever the emulated clock says", async () => {
    const secrets: string[] = [];
    const place = await receiver((got) => genuine(() => 204, { secrets })(got, undefined as never) as number);
    const endpoint = await subscribe(emulator, place.url, ["charge.expired"]);
    secrets.push(endpoint.secret);
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const { status, body } = await test({ endpoint: endpoint.id, only: QUICK });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      url: place.url,
      reachable: true,
      reason: null,
      passed: true,
      summary: { passed: 4, failed: 0, noted: 1 },
      hint: null,
    });
    expect(body.cases.map(({ name }: Loose) => name)).toEqual(QUICK);
    expect(body.cases[0]).toMatchObject({ expected: "2xx", required: true, verdict: "passed", advice: null });
    expect(body.cases[0].answers).toMatchObject([
      { status_code: 204, duration_ms: expect.any(Number), error: null, error_code: null },
    ]);
  });

  it("runs every case but the one that needs an old secret, and stores nothing", async () => {
    const place = await receiver(() => 404);
    const before = (await emulator.sandbox("/events?limit=1")).data;
    const { body } = await test({ url: place.url });
    expect(body.cases.map(({ name }: Loose) => name)).toEqual(
      CASES.map(({ name }) => name).filter((name) => name !== "old-secret"),
    );
    expect(body.hint).toContain("Does the receiver know this secret");
    expect((await emulator.sandbox("/events?limit=1")).data).toEqual(before);
  });

  it("signs for a bare address with the secret of the account, and with an old one when it is passed", async () => {
    const secrets = [emulator.signingSecret, OLD_SECRET];
    const place = await receiver(genuine(() => 204, { secrets }));
    const { body } = await test({ url: place.url, old_secret: OLD_SECRET, only: ["charge.paid", "old-secret"] });
    expect(body.cases.map(({ verdict }: Loose) => verdict)).toEqual(["passed", "noted"]);
    expect(body.cases[1].advice).toContain("the old secret is accepted");
  });

  it("says that nobody answers", async () => {
    const { status, body } = await test({ url: "http://127.0.0.1:9/" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ reachable: false, passed: false, cases: [], reason: expect.stringMatching(/\w/) });
  });

  it("ends with the server", async () => {
    const closing = await startEmulator();
    const silent = await receiver(() => null);
    const pending = closing.call("POST", "/_sandbox/webhooks/test", { body: { url: silent.url, timeout_seconds: 30 } });
    await silent.piece;
    await closing.close();
    const { body } = await pending;
    expect(body).toMatchObject({ reachable: false });
  });
});

describe("a test that cannot be run sends nothing and", () => {
  const URL = "http://127.0.0.1:9/";
  it.each<[string, object, string]>([
    ["without a receiver", {}, "endpoint"],
    ["with two receivers", { endpoint: "we_1", url: URL }, "endpoint"],
    ["for an address of another machine without TLS", { url: "http://example.com/" }, "url"],
    ["for a text that is no address", { url: "localhost:3000/x" }, "url"],
    ["with an unknown case", { url: URL, only: ["charge.payed"] }, "only"],
    ["with the case of an old secret and no such secret", { url: URL, only: ["old-secret"] }, "only"],
  ])("is refused %s", async (_what, body, param) => {
    expectRefused(await test(body), "invalid_request", param);
  });

  it("is refused for an endpoint of another book", async () => {
    const { id } = await subscribe(emulator, URL, ["charge.paid"]);
    expectRefused(await test({ endpoint: id }, emulator.live), "not_found");
  });

  it("is refused while two are running", async () => {
    const silent = await receiver(() => null);
    const [one, two] = [emulator.call, emulator.call].map((call) =>
      call("POST", "/_sandbox/webhooks/test", {
        body: { url: silent.url, timeout_seconds: 30, only: ["charge.paid"] },
      }),
    );
    await vi.waitUntil(() => silent.received.length === 2, PATIENCE);
    const third = await test({ url: silent.url });
    await silent.close();
    await Promise.all([one, two]);
    expect([third.status, third.body.error.code]).toEqual([503, "service_unavailable"]);
  });
});
