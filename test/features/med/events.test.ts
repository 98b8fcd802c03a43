import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { eventsOf } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { type Action, act, emails, medOf, openCase, paidCharge, postCase, readCase } from "../../support/med.js";
import { type Receiver, startReceiver } from "../../support/receiver.js";
import { paidPayment } from "../../support/refunds.js";
import { advance, deliveries, hmac, settle, signatureParts, subscribe } from "../../support/webhooks.js";

/**
 * What integrators are told of a case, and what they are not (docs/service/med.md#events-and-e-mails,
 * docs/service/webhooks.md#envelopes).
 */

let emulator: TestEmulator;
let quiet: TestEmulator;
let receiver: Receiver;
const MED = ["med_case.created", "med_case.updated", "med.resolved"];

beforeAll(async () => {
  receiver = await startReceiver();
  emulator = await startEmulator({ frozen: true });
  quiet = await startEmulator({ frozen: true, settings: { medOutcomeNotices: false } });
});
afterAll(async () => {
  await emulator.close();
  await quiet.close();
  await receiver.close();
});
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await quiet.sandbox("/reset");
});
afterEach(async () => {
  await settle(emulator);
  receiver.received.length = 0;
  receiver.replies.length = 0;
  receiver.respond = null;
});

/** The payloads of a case's events, oldest first. */
async function payloadsOf(on: TestEmulator, id: string): Promise<Loose[]> {
  const { data } = await on.sandbox(`/events?subject=${id}&limit=100`);
  return data.map(({ payload }: Loose) => payload).reverse();
}

describe("the events of a case", () => {
  const FINAL = ["med_case.updated", "med.resolved"];

  it.each([
    [["appeal"], ["med_case.updated"]],
    [["request-evidence"], ["med_case.updated"]],
    [["accept"], FINAL],
    [["decide upheld"], FINAL],
    [["decide refunded_to_merchant"], FINAL],
    [["decide closed_without_refund"], FINAL],
    [["withdraw"], FINAL],
    [
      ["request-evidence", "appeal", "decide upheld"],
      ["med_case.updated", "med_case.updated", ...FINAL],
    ],
  ] as [Action[], string[]][])("after %j are %j", async (actions, names) => {
    const opened = await openCase(emulator);
    const told = [opened];
    for (const action of actions) {
      await advance(emulator, 5);
      told.push(await act(emulator, opened.id, action));
    }
    const payloads = await payloadsOf(emulator, opened.id);
    expect(payloads.map(({ type }) => type)).toEqual(["med_case.created", ...names]);
    // Each tells the whole case as it was answered at its moment; the last two, update and resolution, the same one.
    const last = told.at(-1);
    const expected = names.at(-1) === "med.resolved" ? [...told, last] : told;
    expect(payloads.map(({ data }) => data)).toStrictEqual(expected.map((object) => ({ object })));
    expect(await readCase(emulator, opened.id)).toStrictEqual(last);
  });

  it("are sent also when no money moves, and then there are none of the charge", async () => {
    const { id } = await paidCharge(emulator);
    const before = await eventsOf(emulator, id);
    const opened = await openCase(emulator, { charge_id: id, amount: 1_991 });
    await act(emulator, opened.id, "accept");
    expect(await eventsOf(emulator, opened.id)).toEqual(MED);
    expect(await eventsOf(emulator, id)).toEqual(before);
  });

  it("are in the catalogue, in no legacy family", async () => {
    const { body } = await emulator.call("GET", "/v1/webhooks/event-catalog", { key: null });
    const found = body.filter(({ event }: Loose) => MED.includes(event));
    expect(found.map(({ event, legacy = false }: Loose) => [event, legacy])).toEqual(MED.map((name) => [name, false]));
  });
});

describe("the events of the charge", () => {
  const DISPUTED = ["payment.failed", "payment.status_changed"];

  it.each([
    ["decide refunded_to_merchant", ["payment.status_changed"]],
    ["withdraw", ["payment.status_changed"]],
    ["accept", []],
    ["decide upheld", []],
    ["decide closed_without_refund", []],
  ] as [Action, string[]][])("are legacy alone, and never a second charge.paid: %s", async (action, names) => {
    const { id } = await paidCharge(emulator);
    const before = await eventsOf(emulator, id);
    const opened = await openCase(emulator, { charge_id: id });
    expect((await eventsOf(emulator, id)).slice(before.length)).toEqual(DISPUTED);
    await act(emulator, opened.id, action);
    expect((await eventsOf(emulator, id)).slice(before.length)).toEqual([...DISPUTED, ...names]);
  });

  it("tell of the dispute and of its end", async () => {
    const { id } = await paidCharge(emulator);
    await act(emulator, (await openCase(emulator, { charge_id: id })).id, "withdraw");
    const { data } = await emulator.sandbox(`/events?subject=${id}&limit=3`);
    const common = { transactionId: `tx_${id.slice(3)}`, amount: 1_990 };
    expect(data.map(({ type, payload }: Loose) => [type, payload.data])).toMatchObject([
      ["payment.status_changed", { ...common, status: "PAID", previousStatus: "DISPUTE" }],
      ["payment.status_changed", { ...common, status: "DISPUTE", previousStatus: "PAID" }],
      ["payment.failed", { ...common, status: "DISPUTE", previousStatus: "PAID" }],
    ]);
  });

  it("of a chargeback on a card say so", async () => {
    const { id } = await paidPayment(emulator, { paymentMethods: ["CREDIT_CARD"] });
    await act(emulator, (await openCase(emulator, { charge_id: id, type: "chargeback" })).id, "withdraw");
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.status_changed&limit=2`);
    expect(data.map(({ payload }: Loose) => [payload.data.previousStatus, payload.data.status])).toEqual([
      ["CHARGEBACK", "APPROVED"],
      ["APPROVED", "CHARGEBACK"],
    ]);
  });
});

describe("at a receiver", () => {
  it("come in the canonical envelope, signed as canonical events", async () => {
    const { secret } = await subscribe(emulator, receiver.url, MED);
    const opened = await openCase(emulator, { type: "fraud" });
    await settle(emulator);
    await advance(emulator, 60);
    const accepted = await act(emulator, opened.id, "accept");
    const { now } = await settle(emulator);
    expect(receiver.received.map(({ type }) => type).sort()).toEqual([...MED].sort());
    for (const { raw, body, type, headers } of receiver.received) {
      const created = type === "med_case.created";
      expect(body).toStrictEqual({
        id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
        object: "event",
        api_version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        type,
        created_at: created ? opened.created_at : now,
        data: { object: created ? opened : accepted },
      });
      const { t, v1 } = signatureParts(headers["x-qa-signature"]);
      expect(v1).toBe(hmac(secret, `${t}.${raw}`));
      expect(t).toBe(Math.floor(Date.parse(body.created_at) / 1_000));
      expect(headers["x-qa-delivery-id"]).toMatch(/^wd_/);
    }
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(3);
  });

  it("arrive only where they are subscribed, in their own mode", async () => {
    await subscribe(emulator, receiver.url, ["med.resolved"]);
    await subscribe(emulator, receiver.url, MED, emulator.live);
    const { id } = await openCase(emulator);
    await act(emulator, id, "withdraw");
    await settle(emulator);
    expect(receiver.received.map(({ type }) => type)).toEqual(["med.resolved"]);
  });

  it("arrive also when the payment has an address of its own, which gets the legacy ones", async () => {
    const own = await startReceiver();
    try {
      await subscribe(emulator, receiver.url, [...MED, "payment.failed"]);
      const { id } = await paidPayment(emulator, { webhookUrl: own.url });
      await settle(emulator);
      own.received.length = 0;
      await openCase(emulator, { charge_id: id });
      await settle(emulator);
      expect(receiver.received.map(({ type }) => type)).toEqual(["med_case.created"]);
      expect(own.received.map(({ type }) => type).sort()).toEqual(["payment.failed", "payment.status_changed"]);
    } finally {
      await own.close();
    }
  });
});

describe("an event of a case whose delivery fails", () => {
  it("is sent again as often and as late as the events of the charge", async () => {
    await subscribe(emulator, receiver.url, [...MED, "payment.failed"]);
    receiver.respond = () => ({ status: 500 });
    const { id } = await openCase(emulator);
    await settle(emulator);
    const retry = { status: "PENDING", attempts: 1, maxAttempts: 15, nextRetryAt: expect.any(String) };
    const [legacy, med] = await byName(["payment.failed", "med_case.created"]);
    expect(med).toMatchObject({ ...retry, lastStatusCode: 500 });
    expect(med.nextRetryAt).toBe(legacy.nextRetryAt);
    await advance(emulator, 30);
    expect((await byName(["med_case.created"]))[0]).toMatchObject({ status: "PENDING", attempts: 3 });
    receiver.respond = null;
    await act(emulator, id, "accept");
    await advance(emulator, 86_400);
    for (const delivery of await deliveries(emulator)) expect(delivery.status).toBe("DELIVERED");
    const bodies = receiver.received.filter(({ type }) => type === "med_case.created").map(({ body }) => body.id);
    expect([bodies.length, new Set(bodies).size]).toEqual([4, 1]);
  });

  it.each([
    ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:9/" } }],
    ["a refusal", { status: 404 }],
    ["an answer of 429 with Retry-After", { status: 429, headers: { "retry-after": "10" } }],
  ])("is sent again after %s", async (_what, reply) => {
    await subscribe(emulator, receiver.url, MED);
    receiver.replies.push(reply);
    await openCase(emulator);
    await advance(emulator, 10);
    expect(await deliveries(emulator)).toMatchObject([{ status: "DELIVERED", attempts: 2 }]);
  });

  it("is a dead letter after the last attempt, and can be sent again by hand, with retries of its own", async () => {
    await subscribe(emulator, "http://127.0.0.1:9/", MED);
    await openCase(emulator);
    await advance(emulator, 7 * 86_400);
    const [failed] = await deliveries(emulator);
    expect(failed).toMatchObject({ status: "FAILED", attempts: 15, lastStatusCode: null, nextRetryAt: null });
    await emulator.sandbox(`/webhooks/deliveries/${failed.id}/resend`);
    await settle(emulator);
    const [again] = await deliveries(emulator, "?status=PENDING");
    expect(again).toMatchObject({ attempts: 1, maxAttempts: 15, payload: { id: failed.payload.id } });
  });
});

/** The only delivery of each name, in that order. */
async function byName(names: string[]): Promise<Loose[]> {
  const all = await deliveries(emulator, "?limit=100");
  return names.map((name) => all.find(({ eventType }) => eventType === name));
}

describe("with outcome notices switched off", () => {
  it.each([
    [["accept"], []],
    [["withdraw"], []],
    [["appeal", "decide upheld"], ["med_case.updated"]],
    [["request-evidence", "decide refunded_to_merchant"], ["med_case.updated"]],
  ] as [Action[], string[]][])("nobody is told how %j ends", async (actions, names) => {
    const { id, charge_id } = await openCase(quiet);
    for (const action of actions) await act(quiet, id, action);
    expect(await eventsOf(quiet, id)).toEqual(["med_case.created", ...names]);
    expect((await emails(quiet)).map(({ kind }) => kind)).toEqual(["MED opened"]);
    // The case itself, its charge and the transaction's own events tell all the same.
    expect((await readCase(quiet, id)).money_outcome).not.toBeNull();
    expect((await medOf(quiet, charge_id)).status).toMatch(/^(closed|canceled)$/);
    const won = (await readCase(quiet, id)).money_outcome === "refunded_to_merchant";
    expect((await eventsOf(quiet, charge_id)).filter((type) => type === "payment.status_changed")).toHaveLength(
      won ? 3 : 2,
    );
  });
});

describe("a case that was refused", () => {
  it("has no event", async () => {
    const { id } = await emulator.charge();
    await postCase(emulator, { charge_id: id });
    expect(await eventsOf(emulator, id)).toEqual(["charge.created", "payment.created"]);
    expect(await emails(emulator)).toEqual([]);
  });
});
