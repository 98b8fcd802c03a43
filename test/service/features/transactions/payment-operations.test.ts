import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../../../src/service/features/webhooks/catalogue.js";
import { DOCUMENTS, eventsOf } from "../../../support/charges.js";
import { EXPECTING, paymentIn, type ReachedStatus } from "../../../support/payment-states.js";
import { payment, REQUESTS, readPayment, refundInFull } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator, sharedReceiver } from "../../../support/shared.js";
import { deliveries, settle, subscribe } from "../../../support/webhooks.js";

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
beforeEach(() => emulator.sandbox("/reset"));
afterEach(async () => {
  await settle(emulator);
  receiver.received.length = 0;
});

const control = (id: string, what: string, body: object = {}) => emulator.sandbox(`/charges/${id}/${what}`, body);
const resend = (id: string) => emulator.call("POST", `/v1/payments/${id}/resend-webhook`);

/** Sends the events of a payment again; returns the names of the events that arrived. */
async function receivedBy(id: string): Promise<string[]> {
  await settle(emulator);
  receiver.received.length = 0;
  const answer = await resend(id);
  const { status } = await readPayment(emulator, id);
  expect([answer.status, answer.body]).toEqual([200, { resent: true, status }]);
  await settle(emulator);
  return receiver.received.map(({ type }) => type);
}

describe("resend-webhook", () => {
  it("sends the events of the present status once more: same event, new delivery", async () => {
    await subscribe(emulator, receiver.url, EVENT_NAMES);
    const { id } = await payment(emulator);
    await control(id, "pay");
    await settle(emulator);
    const events = await eventsOf(emulator, id);
    const paid = receiver.received.filter(({ type }) => ["charge.paid", "payment.completed"].includes(type));
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    receiver.received.length = 0;

    const answer = await resend(`tx_${id}`);
    expect([answer.status, answer.body]).toEqual([200, { resent: true, status: "PAID" }]);
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type).sort()).toEqual([
      "charge.paid",
      "payment.completed",
      "payment.status_changed",
    ]);
    for (const first of paid) {
      const again = receiver.received.find(({ type }) => type === first.type);
      expect(again?.raw).toBe(first.raw);
      expect(again?.headers["x-qa-delivery-id"]).not.toBe(first.headers["x-qa-delivery-id"]);
    }
    expect(paid.map(({ body }) => body.id ?? "legacy")).toEqual([expect.stringMatching(/^evt_/), "legacy"]);
    expect(await eventsOf(emulator, id)).toEqual(events);
    expect(await deliveries(emulator, "?eventType=charge.paid")).toHaveLength(2);
  });

  const PAID = ["charge.paid", "payment.completed", "payment.status_changed"];
  const FAILED = ["charge.failed", "payment.failed", "payment.status_changed"];
  const CONTESTED = ["payment.failed", "payment.status_changed"];
  const TOLD: [ReachedStatus, string[]][] = [
    ["WAITING_PAYMENT", ["charge.created", "payment.created"]],
    ["PROCESSING", ["payment.status_changed"]],
    ["PAID", PAID],
    ["APPROVED", PAID],
    ["REFUSED", FAILED],
    ["CANCELLED", FAILED],
    ["EXPIRED", ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"]],
    ["REFUNDED", ["payment.refunded", "payment.status_changed"]],
    ["DISPUTE", CONTESTED],
    ["CHARGEBACK", CONTESTED],
  ];

  it.each(TOLD)("of %s sends %o", async (status, events) => {
    await subscribe(emulator, receiver.url, EVENT_NAMES);
    const id = await paymentIn(emulator, status);
    const received = await receivedBy(id);
    expect(received.sort()).toEqual(events.sort());
    for (const { type, body: sent } of receiver.received) {
      if (type.startsWith("payment.") && type !== "payment.created") expect(sent.data.status).toBe(status);
    }
  });

  it("sends the newest event of a status that was reached twice", async () => {
    await subscribe(emulator, receiver.url, ["payment.status_changed"]);
    const { id } = await payment(emulator);
    await control(id, "pay");
    const { id: caseId } = await emulator.sandbox("/med-cases", { charge_id: id });
    await emulator.sandbox(`/med-cases/${caseId}/decide`, { outcome: "refunded_to_merchant" });
    expect(await receivedBy(id)).toEqual(["payment.status_changed"]);
    expect(receiver.received[0]?.body.data).toMatchObject({ status: "PAID", previousStatus: "DISPUTE" });
  });

  it("goes only to the endpoints that want it now, and says when there is none", async () => {
    const { id } = await payment(emulator);
    const nobody = { resent: false, status: "WAITING_PAYMENT" };
    expect((await resend(id)).body).toEqual(nobody);
    await subscribe(emulator, receiver.url, ["charge.paid"]);
    expect((await resend(id)).body).toEqual(nobody);
    const created = await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${created.id}`, { body: { status: "INACTIVE" } });
    expect((await resend(id)).body).toEqual(nobody);
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${created.id}`, { body: { status: "ACTIVE" } });
    expect((await resend(id)).body).toEqual({ resent: true, status: "WAITING_PAYMENT" });
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.created"]);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${created.id}`);
    expect((await resend(id)).body).toEqual(nobody);
    expect((await resend((await payment(emulator, {}, { key: emulator.live })).id)).status).toBe(404);
  });

  it("goes to every endpoint that wants it", async () => {
    await subscribe(emulator, receiver.url, ["charge.created"]);
    await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
    const { id } = await payment(emulator);
    expect((await receivedBy(id)).sort()).toEqual(["charge.created", "charge.created", "payment.created"]);
    const ids = receiver.received.filter(({ type }) => type === "charge.created").map(({ body }) => body.id);
    expect(new Set(ids).size).toBe(1);
  });

  it("changes nothing about the payment", async () => {
    await subscribe(emulator, receiver.url, EVENT_NAMES);
    const { id } = await payment(emulator);
    const before = [await readPayment(emulator, id), await eventsOf(emulator, id)];
    for (let round = 0; round < 3; round++) await resend(id);
    expect([await readPayment(emulator, id), await eventsOf(emulator, id)]).toEqual(before);
  });
});

describe("provider-status", () => {
  const ask = async (id: string) => (await emulator.call("GET", `/v1/payments/${id}/provider-status`)).body;

  it.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])("shows the provider's status of %s", async (method) => {
    const { id } = await payment(emulator, REQUESTS[method]);
    const waiting = await ask(id);
    expect(waiting).toStrictEqual({
      localStatus: "WAITING_PAYMENT",
      provider: expect.stringMatching(/\S/),
      providerTransactionId: expect.stringMatching(/\S/),
      providerStatus: expect.stringMatching(/\S/),
      rawResponse: expect.any(Object),
    });
    await control(id, "pay");
    const paid = await ask(id);
    expect(paid).toMatchObject({
      localStatus: method === "CREDIT_CARD" ? "APPROVED" : "PAID",
      provider: waiting.provider,
      providerTransactionId: waiting.providerTransactionId,
    });
    expect(paid.providerStatus).not.toBe(waiting.providerStatus);
  });

  it("is another id for every payment", async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await ask((await payment(emulator)).id)).providerTransactionId),
    );
    expect(new Set(ids).size).toBe(3);
  });

  it("says when a payment never reached the provider", async () => {
    const { id } = await payment(emulator, { metadata: { _sandbox: { fail: "provider_error" } } });
    const answer = await emulator.call("GET", `/v1/payments/${id}/provider-status`);
    expect([answer.status, answer.body]).toStrictEqual([
      200,
      {
        localStatus: "REFUSED",
        provider: null,
        providerTransactionId: null,
        providerStatus: null,
        rawResponse: null,
        error: "TRANSACTION_HAS_NO_PROVIDER_REFERENCE",
      },
    ]);
    const read = await readPayment(emulator, id);
    expect([read.pixCopyPaste, read.pixQrCode, read.pixExpiresAt]).toEqual([null, null, null]);
  });

  it("still names the provider after a later refusal", async () => {
    const { id } = await payment(emulator);
    await control(id, "fail");
    const answer = await ask(id);
    expect(answer).toMatchObject({ localStatus: "REFUSED", providerTransactionId: expect.any(String) });
    expect(answer).not.toHaveProperty("error");
  });
});

describe("receipt", () => {
  const ask = (id: string) => emulator.call("GET", `/v1/payments/${id}/receipt`);

  it.each(["WAITING_PAYMENT", "REFUSED", "EXPIRED", "CANCELLED", "PROCESSING"] as const)(
    "is refused of a payment that is %s",
    async (status) => expectRefused(await ask(await paymentIn(emulator, status)), "unprocessable_entity"),
  );

  it("is refused for money that went back to another payer", async () => {
    const charge = await emulator.charge(EXPECTING);
    await control(charge.id, "pay", { payer_document: DOCUMENTS.otherCpf });
    expectRefused(await ask(charge.id.slice(3)), "unprocessable_entity");
  });

  it.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])("is a PDF once %s is settled", async (method) => {
    const { id } = await payment(emulator, REQUESTS[method]);
    await control(id, "pay");
    const { status, body } = await ask(id);
    expect([status, Object.keys(body).sort(), body.contentType]).toEqual([
      200,
      ["base64", "contentType"],
      "application/pdf",
    ]);
    expect(Buffer.from(body.base64, "base64").subarray(0, 4).toString("latin1")).toBe("%PDF");
    expect(Buffer.from(body.base64, "base64").toString("base64")).toBe(body.base64);
  });

  it("is still available when the money was refunded", async () => {
    const { id } = await payment(emulator);
    await control(id, "pay");
    await refundInFull(emulator, id);
    expect((await ask(id)).status).toBe(200);
  });
});
