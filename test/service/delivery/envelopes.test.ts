import { afterEach, describe, expect, it } from "vitest";
import type { Received } from "../../support/receiver.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, hmac, settle, signatureParts, subscribe } from "../../support/webhooks.js";

const fees = { PIX: { provider: { fixed: 10, bps: 0 }, platform: { fixed: 0, bps: 100 } } };
const emulator = sharedEmulator({ frozen: true, fees });
const receiver = sharedReceiver();

afterEach(async () => {
  await settle(emulator);
  receiver.received.length = 0;
  await emulator.sandbox("/reset");
});

/** What was sent of one type, once everything due was sent. */
async function sent(type: string): Promise<Received> {
  await settle(emulator);
  const found = receiver.received.filter((request) => request.type === type);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} requests of ${type}`);
  return found[0];
}

const instant = async () => (await emulator.sandbox("/clock")).now;
const read = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).body;

describe("a canonical event", () => {
  it("has exactly the fields of its envelope, around the charge as the API answers it", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    const charge = await emulator.charge({ description: "Pedido 42", customer: { name: "Maria" } });
    const { body } = await sent("charge.created");
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      object: "event",
      api_version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
      type: "charge.created",
      created_at: await instant(),
      data: { object: charge },
    });
    expect(body.data.object).toStrictEqual(await read(charge.id));
  });

  it("shows the charge as it was then, not as it is when it is sent", async () => {
    receiver.replies.push({ status: 500 });
    await subscribe(emulator, receiver.url, ["charge.created"]);
    const charge = await emulator.charge();
    await settle(emulator);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    await advance(emulator, 10);
    expect(receiver.received.map(({ body }) => body.data.object.status)).toEqual(["pending", "pending"]);
  });

  it("is the same for every endpoint, each under a delivery of its own", async () => {
    for (let index = 0; index < 3; index++) await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.charge();
    await settle(emulator);
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-qa-delivery-id"])).size).toBe(3);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-qa-signature"])).size).toBe(3);
  });
});

it("the headers of both families mirror type, delivery and signature", async () => {
  const { secret } = await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
  await emulator.charge({ description: "açaí 🍇" });
  const canonical = await sent("charge.created");
  const { t } = signatureParts(canonical.headers["x-qa-signature"]);
  const legacy = await sent("payment.created");
  expect(canonical.headers["x-qa-signature"]).toBe(`t=${t},v1=${hmac(secret, `${t}.${canonical.raw}`)}`);
  expect(legacy.headers["x-qa-signature"]).toBe(`sha256=${hmac(secret, legacy.raw)}`);
  for (const { headers, raw, body } of [canonical, legacy]) {
    expect(headers["x-qa-event-type"]).toBe(body.type ?? body.event);
    expect(headers["x-qa-delivery-id"]).toMatch(/^wd_[0-9a-f-]{36}$/);
    expect(headers["content-type"]).toBe("application/json");
    expect(headers["content-length"]).toBe(String(Buffer.byteLength(raw)));
    expect(headers["user-agent"]).toMatch(/^qa-pay\//);
  }
});
