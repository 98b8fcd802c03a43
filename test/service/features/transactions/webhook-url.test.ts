import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../../../src/service/features/webhooks/catalogue.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, postPayment } from "../../../support/payments.js";
import type { Receiver } from "../../../support/receiver.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { deliveries, settle, subscribe } from "../../../support/webhooks.js";

/** A payment that names its own receiver of events. */

const emulator = sharedEmulator({ frozen: true });
const own = sharedReceiver();
const registered = sharedReceiver();
beforeEach(() => emulator.sandbox("/reset"));
afterEach(async () => {
  for (const receiver of [own, registered]) receiver.replies.length = 0;
  await settle(emulator);
  for (const receiver of [own, registered]) receiver.received.length = 0;
});

const directed = (body: object = {}) => payment(emulator, { webhookUrl: own.url, ...body });
const types = (receiver: Receiver) => receiver.received.map(({ type }) => type);

describe("webhookUrl", () => {
  it("is no endpoint: it has no id in deliveries and is in no list", async () => {
    await directed();
    await settle(emulator);
    const [delivery] = await deliveries(emulator);
    expect(delivery).toMatchObject({
      endpointId: null,
      eventType: "payment.created",
      status: "DELIVERED",
      attempts: 1,
    });
    expect((await emulator.call("GET", "/v1/webhooks/endpoints")).body).toEqual({ data: [] });
    expect((await emulator.call("GET", "/v1/webhooks/stats")).body).toMatchObject({ total: 1, DELIVERED: 1 });
  });

  it("is where resend-webhook sends, the legacy events alone", async () => {
    await subscribe(emulator, registered.url, EVENT_NAMES);
    const { id } = await directed();
    await settle(emulator);
    const answer = await emulator.call("POST", `/v1/payments/${id}/resend-webhook`);
    expect(answer.body).toEqual({ resent: true, status: "WAITING_PAYMENT" });
    await settle(emulator);
    expect([types(own), types(registered)]).toEqual([["payment.created", "payment.created"], []]);
    const [first, again] = own.received;
    expect(again?.raw).toBe(first?.raw);
    expect(again?.headers["x-qa-delivery-id"]).not.toBe(first?.headers["x-qa-delivery-id"]);
  });

  it("may be shared by payments, and be registered as an endpoint too", async () => {
    const endpoint = await subscribe(emulator, own.url, ["charge.created"]);
    await directed();
    await directed();
    await payment(emulator);
    await settle(emulator);
    expect(types(own).sort()).toEqual(["charge.created", "payment.created", "payment.created"]);
    const signed = own.received.find(({ type }) => type === "charge.created")?.headers["x-qa-signature"];
    expect(signed).toMatch(/^t=\d+,v1=/);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${endpoint.id}`);
    await directed();
    await settle(emulator);
    expect(own.received).toHaveLength(4);
  });
});

it("webhookUrl where only https is allowed refuses http, on this machine too", async () => {
  const strict = await ownEmulator({ frozen: true, strictHttps: true });
  for (const webhookUrl of [own.url, "http://localhost/x"]) {
    expectRefused(await postPayment(strict, { webhookUrl }), "invalid_request", "webhookUrl");
  }
  const answer: Loose = await postPayment(strict, { webhookUrl: "https://shop.example/hooks" });
  expect(answer.status).toBe(201);
});
