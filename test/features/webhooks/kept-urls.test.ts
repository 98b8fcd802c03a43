import { describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { expectRefused } from "../../support/refusals.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { deliveries, settle, subscribe } from "../../support/webhooks.js";

/** A webhook URL is kept, shown and called in one form, whatever the form in which it was given. */

const receiver = sharedReceiver();
const emulator = sharedEmulator(() => ({
  frozen: true,
  forwardTo: new URL(receiver.url).origin,
  forwardEvents: ["charge.paid"],
}));

const FORMS = [
  ["http://127.0.0.1:3000", "http://127.0.0.1:3000/"],
  ["HTTPS://EXAMPLE.com:443/a/./b/../c?x=1#y", "https://example.com/a/c?x=1#y"],
  ["https://müller.example/ä?x=ü", "https://xn--mller-kva.example/%C3%A4?x=%C3%BC"],
] as const;

const list = async () => (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data as Loose[];
const change = (id: string, url: string) => emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { url } });

describe("an endpoint", () => {
  it.each(FORMS)("at %s is answered and listed as %s", async (given, kept) => {
    const { id, url } = await subscribe(emulator, given, ["charge.paid"]);
    expect(url).toBe(kept);
    expect((await list()).find((one) => one.id === id).url).toBe(kept);
  });

  it.each(FORMS)("that is moved to %s is at %s", async (given, kept) => {
    const { id } = await subscribe(emulator, "https://example.com/before", ["charge.paid"]);
    expect((await change(id, given)).body.url).toBe(kept);
    expect((await list()).find((one) => one.id === id).url).toBe(kept);
  });

  it("holds nothing that could steer a terminal or begin a line of a log", async () => {
    const { id } = await subscribe(emulator, "https://example.com/before", ["charge.paid"]);
    const forged = "http://127.0.0.1:9/\u001b]0;title\u0007\n<-- 200 POST \u0085\u009b2J";
    await emulator.call("POST", "/v1/webhooks/endpoints", { body: { url: forged, events: ["charge.paid"] } });
    await change(id, forged);
    for (const { url } of await list()) expect(url).toMatch(/^[!-~]+$/);
  });

  it("is refused where that form is too long", async () => {
    const longest = `https://example.com/${"x".repeat(2_028)}`;
    expect((await subscribe(emulator, longest, ["charge.paid"])).url).toBe(longest);
    const before = await list();
    for (const url of [`${longest}x`, `https://example.com/${"ä".repeat(400)}`]) {
      const answer = await emulator.call("POST", "/v1/webhooks/endpoints", { body: { url, events: ["charge.paid"] } });
      expectRefused(answer, "invalid_request", "url");
      expectRefused(await change(before[0].id, url), "invalid_request", "url");
    }
    expect(await list()).toEqual(before);
  });
});

describe("the webhookUrl of a payment", () => {
  const given = { amount: 100, currency: "BRL", paymentMethods: ["PIX"] };
  const pay = (body: object) => emulator.call("POST", "/v1/payments", { body: { ...given, ...body } });

  it("is called in that form, and a replay is one of what was sent", async () => {
    receiver.received.length = 0;
    const webhookUrl = new URL(receiver.url).origin;
    const body = { webhookUrl, idempotencyKey: "kept-url-1" };
    const first = await pay(body);
    expect(first.status).toBe(201);
    const again = await pay(body);
    expect([again.body, again.headers.get("idempotent-replayed")]).toEqual([first.body, "true"]);
    const other = await pay({ ...body, webhookUrl: `${webhookUrl}/` });
    expect([other.status, other.body.error.code]).toEqual([409, "idempotency_key_reused"]);
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type)).toEqual(["payment.created"]);
    expect((await deliveries(emulator))[0]).toMatchObject({ endpointId: null, status: "DELIVERED" });
  });
});

it("the forward target is told and listed in that form", async () => {
  const kept = `${new URL(receiver.url).origin}/`;
  expect(emulator.forward?.url).toBe(kept);
  expect((await list()).find(({ id }) => id === emulator.forward?.endpointId).url).toBe(kept);
});
