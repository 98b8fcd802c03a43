import { describe, expect, it } from "vitest";
import type { Loose } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { deliveries, settle, subscribe } from "../../../support/webhooks.js";

/** A webhook URL is kept and shown as it was given, and called as what it means. */

const receiver = sharedReceiver();
const emulator = sharedEmulator(() => ({
  frozen: true,
  forwardTo: new URL(receiver.url).origin,
  events: ["charge.paid"],
}));

const FORMS = [
  "http://127.0.0.1:3000",
  "https://example.com",
  "https://example.com?x=1",
  "https://example.com:443/hooks",
  "HTTPS://EXAMPLE.com:443/a/./b/../c?x=1#y",
  "https://müller.example/ä?x=ü",
  "https://example.com/ação",
  "https://example.com/%7ea/%2f?q='\"<>|",
  "https://0x7f.1:8443/x",
] as const;

const list = async () => (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data as Loose[];
const change = (id: string, url: string) => emulator.call("PATCH", `/v1/webhooks/endpoints/${id}`, { body: { url } });

describe("an endpoint", () => {
  it.each(FORMS)("at %s is answered and listed as it was sent", async (given) => {
    const { id, url } = await subscribe(emulator, given, ["charge.paid"]);
    expect(url).toBe(given);
    expect((await list()).find((one) => one.id === id).url).toBe(given);
  });

  it.each(FORMS)("that is moved to %s is answered and listed as that", async (given) => {
    const { id } = await subscribe(emulator, "https://example.com/before", ["charge.paid"]);
    expect((await change(id, given)).body.url).toBe(given);
    expect((await list()).find((one) => one.id === id).url).toBe(given);
  });

  it.each<[string, (origin: string) => string]>([
    ["without a path", (origin) => origin],
    ["in capitals", (origin) => origin.replace("http", "HTTP")],
    ["with dots in its path and letters beyond ASCII", (origin) => `${origin}/a/../ação?x=é#part`],
    ["with another form of its address", (origin) => origin.replace("127.0.0.1", "127.1")],
  ])("%s gets its webhooks", async (_how, form) => {
    const target = form(new URL(receiver.url).origin);
    const { id } = await subscribe(emulator, target, ["charge.expired"]);
    receiver.received.length = 0;
    await emulator.sandbox(`/charges/${(await emulator.charge()).id}/expire`);
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type)).toContain("charge.expired");
    expect((await deliveries(emulator)).find(({ endpointId }) => endpointId === id)).toMatchObject({
      status: "DELIVERED",
    });
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
  });

  it("holds nothing that could steer a terminal or begin a line of a log", async () => {
    const { id } = await subscribe(emulator, "https://example.com/before", ["charge.paid"]);
    const forged = "http://127.0.0.1:9/\u001b]0;title\u0007\n<-- 200 POST \u0085\u009b2J";
    await emulator.call("POST", "/v1/webhooks/endpoints", { body: { url: forged, events: ["charge.paid"] } });
    await change(id, forged);
    for (const { url } of await list()) expect(url).not.toMatch(/[\s\p{Cc}\p{Cf}]/u);
  });

  it("is refused where it is too long", async () => {
    const longest = `https://example.com/${"x".repeat(2_028)}`;
    expect((await subscribe(emulator, longest, ["charge.paid"])).url).toBe(longest);
    const before = await list();
    for (const url of [`${longest}x`, `https://example.com/${"a/../".repeat(410)}`]) {
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

  it("is called, and a replay is one of what was sent", async () => {
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

it("the forward target is reported and listed as it was passed", async () => {
  const kept = new URL(receiver.url).origin;
  expect(emulator.forward?.url).toBe(kept);
  expect((await list()).find(({ id }) => id === emulator.forward?.endpointId).url).toBe(kept);
});
