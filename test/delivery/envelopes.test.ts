import { createHmac, timingSafeEqual } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { type Received, type Receiver, startReceiver } from "../support/receiver.js";
import { advance, hmac, settle, subscribe } from "../support/webhooks.js";

let emulator: TestEmulator;
let receiver: Receiver;

const EVENTS = ["charge.created", "charge.paid", "charge.failed", "charge.expired"];
const LEGACY = [
  "payment.created",
  "payment.completed",
  "payment.failed",
  "payment.expired",
  "payment.refunded",
  "payment.status_changed",
];
const CPF = "52998224725";
const OTHER_CPF = "11144477735";

beforeAll(async () => {
  const fees = { PIX: { provider: { fixed: 10, bps: 0 }, platform: { fixed: 0, bps: 100 } } };
  emulator = await startEmulator({ frozen: true, settings: { fees } });
  receiver = await startReceiver();
});

afterAll(async () => {
  await emulator.close();
  await receiver.close();
});

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
const transactionOf = (charge: Loose) => charge.id.replace("ch_", "tx_");

/** Names of what is sent for one step, in any order. */
async function namesOf(step: () => Promise<unknown>): Promise<string[]> {
  await settle(emulator);
  receiver.received.length = 0;
  await step();
  await settle(emulator);
  return receiver.received.map(({ type }) => type).sort();
}

describe("a canonical event", () => {
  it("has exactly the fields of its envelope, around the charge as the API answers it", async () => {
    await subscribe(emulator, receiver.url, EVENTS);
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

  it("of a paid charge carries the settlement", async () => {
    await subscribe(emulator, receiver.url, EVENTS);
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    const { body } = await sent("charge.paid");
    expect(body.data.object).toStrictEqual(await read(charge.id));
    expect(body.data.object).toMatchObject({
      status: "paid",
      settlement: { end_to_end_id: expect.stringMatching(/^E/) },
    });
  });

  it("of a failed and of an expired charge carries the failure", async () => {
    await subscribe(emulator, receiver.url, EVENTS);
    const failed = await emulator.charge();
    await emulator.sandbox(`/charges/${failed.id}/fail`, { reason: "blocked", provider_error_code: "AC06" });
    expect((await sent("charge.failed")).body.data.object).toStrictEqual(await read(failed.id));
    const expired = await emulator.charge({ expires_in: 60 });
    const { now } = await advance(emulator, 60);
    const { body } = await sent("charge.expired");
    expect(body).toMatchObject({ created_at: now, data: { object: { status: "expired" } } });
    expect(body.data.object).toStrictEqual(await read(expired.id));
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

describe("a legacy event", () => {
  it("of a creation has a null previous status", async () => {
    await subscribe(emulator, receiver.url, LEGACY);
    const charge = await emulator.charge();
    expect((await sent("payment.created")).body).toStrictEqual({
      event: "payment.created",
      data: {
        transactionId: transactionOf(charge),
        amount: 1990,
        status: "WAITING_PAYMENT",
        previousStatus: null,
        occurredAt: await instant(),
      },
    });
  });

  it("of a settlement tells method and fees", async () => {
    await subscribe(emulator, receiver.url, LEGACY);
    const charge = await emulator.charge({ amount: 10_000 });
    await advance(emulator, 7);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    const data = {
      transactionId: transactionOf(charge),
      amount: 10_000,
      status: "PAID",
      previousStatus: "WAITING_PAYMENT",
      paidWith: "PIX",
      providerFee: 10,
      platformFee: 100,
      netAmount: 9_890,
      occurredAt: await instant(),
    };
    for (const event of ["payment.completed", "payment.status_changed"]) {
      expect((await sent(event)).body).toStrictEqual({ event, data });
    }
  });

  it("of a returned payment tells the refund, status_changed does not", async () => {
    await subscribe(emulator, receiver.url, LEGACY);
    const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: CPF });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: OTHER_CPF });
    const data = {
      transactionId: transactionOf(charge),
      amount: 1990,
      status: "REFUNDED",
      previousStatus: "WAITING_PAYMENT",
      occurredAt: await instant(),
    };
    const refund = { id: expect.stringMatching(/^rf_/), amount: 1990, status: "REFUNDED", reason: expect.any(String) };
    expect((await sent("payment.refunded")).body.data).toStrictEqual({ ...data, refund });
    expect((await sent("payment.status_changed")).body.data).toStrictEqual(data);
  });

  it("tells where the transaction came from", async () => {
    await subscribe(emulator, receiver.url, ["payment.status_changed"]);
    const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: CPF });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: null });
    await settle(emulator);
    await emulator.sandbox(`/charges/${charge.id}/review`, { decision: "approve" });
    await settle(emulator);
    const steps = receiver.received.map(({ body }) => [body.data.previousStatus, body.data.status]);
    expect(steps).toEqual([
      ["WAITING_PAYMENT", "PROCESSING"],
      ["PROCESSING", "PAID"],
    ]);
  });
});

describe("each transition", () => {
  const held = { customer: { name: "Maria" }, expected_payer_tax_id: CPF };
  const pay = (body: unknown) => async (id: string) => emulator.sandbox(`/charges/${id}/pay`, body);

  it.each([
    ["paid", {}, pay({}), ["charge.paid", "payment.completed", "payment.status_changed"]],
    [
      "failed",
      {},
      (id: string) => emulator.sandbox(`/charges/${id}/fail`),
      ["charge.failed", "payment.failed", "payment.status_changed"],
    ],
    [
      "expired",
      {},
      () => advance(emulator, 3_600),
      ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"],
    ],
    ["held for review", held, pay({ payer_document: null }), ["payment.status_changed"]],
    [
      "returned to another payer",
      held,
      pay({ payer_document: OTHER_CPF }),
      ["payment.refunded", "payment.status_changed"],
    ],
    ["under-paid", {}, pay({ amount: 1 }), []],
  ] as const)("of a charge that is %s emits what the table says", async (_what, body, step, names) => {
    await subscribe(emulator, receiver.url, [...EVENTS, ...LEGACY]);
    const charge = await emulator.charge(body);
    expect(await namesOf(async () => step(charge.id))).toEqual(names);
  });

  it("of a creation emits both names", async () => {
    await subscribe(emulator, receiver.url, [...EVENTS, ...LEGACY]);
    expect(await namesOf(() => emulator.charge())).toEqual(["charge.created", "payment.created"]);
  });

  it("of a review emits what its outcome says", async () => {
    await subscribe(emulator, receiver.url, [...EVENTS, ...LEGACY]);
    for (const [decision, names] of [
      ["approve", ["charge.paid", "payment.completed", "payment.status_changed"]],
      ["reject", ["payment.refunded", "payment.status_changed"]],
    ]) {
      const charge = await emulator.charge(held);
      await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document: null });
      expect(await namesOf(() => emulator.sandbox(`/charges/${charge.id}/review`, { decision }))).toEqual(names);
    }
  });
});

describe("the headers", () => {
  it("of both families mirror type, delivery and signature", async () => {
    const { secret } = await subscribe(emulator, receiver.url, ["charge.created", "payment.created"]);
    await emulator.charge({ description: "açaí 🍇" });
    const t = Math.floor(Date.parse(await instant()) / 1_000);
    const canonical = await sent("charge.created");
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
});

/** A receiver's own check, written from the published contract and nothing else. */
function isGenuine(header: string, rawBody: string, secret: string, nowSeconds: number): boolean {
  const parts = Object.fromEntries(header.split(",").map((part) => part.split("=", 2) as [string, string]));
  if (!/^\d+$/.test(parts.t ?? "") || Math.abs(nowSeconds - Number(parts.t)) > 300) return false;
  const expected = createHmac("sha256", secret).update(`${parts.t}.${rawBody}`).digest();
  const given = Buffer.from(parts.v1 ?? "", "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}

describe("a receiver that follows the contract", () => {
  it("accepts what was sent, at the first attempt and at a late one, and nothing else", async () => {
    receiver.replies.push(...Array.from({ length: 12 }, () => ({ status: 500 })));
    const { secret } = await subscribe(emulator, receiver.url, ["charge.created"]);
    await emulator.charge({ description: "Olá, açaí" });
    await settle(emulator);
    const start = Math.floor(Date.parse(await instant()) / 1_000);
    const [first] = receiver.received;
    const signed = (request: Received | undefined) => String(request?.headers["x-qa-signature"]);
    const raw = first?.raw ?? "";
    expect(isGenuine(signed(first), raw, secret, start)).toBe(true);
    expect(isGenuine(signed(first), raw.replace("1990", "1991"), secret, start)).toBe(false);
    expect(isGenuine(signed(first), raw, "0".repeat(64), start)).toBe(false);
    expect(isGenuine(signed(first), raw, secret, start + 301)).toBe(false);
    await advance(emulator, 10 * (2 ** 11 - 1));
    const late = receiver.received.at(-1);
    expect(receiver.received).toHaveLength(12);
    expect(isGenuine(signed(late), late?.raw ?? "", secret, start + 10 * (2 ** 11 - 1))).toBe(true);
  });
});
