import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../../src/features/webhooks/catalogue.js";
import { eventsOf } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { payment, postPayment, refundInFull } from "../../support/payments.js";
import type { Receiver } from "../../support/receiver.js";
import { expectRefused } from "../../support/refusals.js";
import { ownEmulator, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { deliveries, hmac, settle, subscribe } from "../../support/webhooks.js";

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
const secret = async (key = emulator.key) => (await emulator.sandbox("/account", undefined, { key })).signing_secret;

describe("webhookUrl", () => {
  it("receives every legacy event of the payment, and no canonical one", async () => {
    const { id } = await directed();
    await emulator.sandbox(`/charges/${id}/pay`);
    await refundInFull(emulator, id);
    await settle(emulator);
    const legacy = (await eventsOf(emulator, id)).filter((name) => name.startsWith("payment."));
    expect(types(own).sort()).toEqual(legacy.sort());
    expect(legacy).toContain("payment.refunded");
    for (const { body, headers } of own.received) {
      expect(body).toMatchObject({ event: headers["x-qa-event-type"], data: { transactionId: `tx_${id}` } });
    }
  });

  it("replaces the registered endpoints for that payment alone", async () => {
    await subscribe(emulator, registered.url, EVENT_NAMES);
    const { id } = await directed();
    await emulator.call("POST", `/v1/payments/${id}/cancel`);
    await settle(emulator);
    expect([types(registered), types(own).sort()]).toEqual([
      [],
      ["payment.created", "payment.failed", "payment.status_changed"],
    ]);
    await payment(emulator);
    await settle(emulator);
    expect([types(registered).sort(), own.received.length]).toEqual([["charge.created", "payment.created"], 3]);
  });

  it("is signed with the account's signing secret", async () => {
    await directed();
    await settle(emulator);
    const [first] = own.received;
    expect(first?.headers["x-qa-signature"]).toBe(`sha256=${hmac(await secret(), first?.raw ?? "")}`);
    expect(await secret()).toBe(emulator.signingSecret);
    await payment(emulator, { webhookUrl: own.url }, { key: emulator.live });
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    await payment(emulator, { webhookUrl: own.url }, { key: second.test_key });
    await settle(emulator);
    const [, live, foreign] = own.received;
    expect(live?.headers["x-qa-signature"]).toBe(`sha256=${hmac(await secret(emulator.live), live?.raw ?? "")}`);
    expect(foreign?.headers["x-qa-signature"]).toBe(`sha256=${hmac(second.signing_secret, foreign?.raw ?? "")}`);
  });

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

  it("is tried again like any other", async () => {
    own.replies.push({ status: 500, body: "not today" });
    await directed();
    await settle(emulator);
    expect((await deliveries(emulator))[0]).toMatchObject({
      endpointId: null,
      status: "PENDING",
      attempts: 1,
      maxAttempts: 15,
      lastStatusCode: 500,
      lastResponseBody: "not today",
    });
    await emulator.sandbox("/clock/advance", { seconds: 10 });
    expect((await deliveries(emulator))[0]).toMatchObject({ status: "DELIVERED", attempts: 2 });
    const [first, again] = own.received.map(({ headers }) => headers["x-qa-delivery-id"]);
    expect(again).toBe(first);
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

  it("takes a resent delivery too", async () => {
    await directed();
    await settle(emulator);
    const [delivery] = await deliveries(emulator);
    const again = await emulator.call("POST", `/_sandbox/webhooks/deliveries/${delivery.id}/resend`);
    expect([again.status, again.body.endpointId]).toEqual([201, null]);
    await settle(emulator);
    expect(types(own)).toEqual(["payment.created", "payment.created"]);
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
  const strict = await ownEmulator({ frozen: true, settings: { strictHttps: true } });
  for (const webhookUrl of [own.url, "http://localhost/x"]) {
    expectRefused(await postPayment(strict, { webhookUrl }), "invalid_request", "webhookUrl");
  }
  const answer: Loose = await postPayment(strict, { webhookUrl: "https://shop.example/hooks" });
  expect(answer.status).toBe(201);
});
