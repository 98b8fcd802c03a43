import { beforeEach, describe, expect, it } from "vitest";
import { balance } from "../../../support/charges.js";
import { freshKey, type Loose } from "../../../support/emulator.js";
import { REQUESTS, readPayment } from "../../../support/payments.js";
import { advanceRefund, paidPayment, postRefund, refund, refundsOf } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const paid = (body: object = {}, paying: object = {}) => paidPayment(emulator, body, paying);
const ask = (id: string, body: object = {}) => postRefund(emulator, id, body);
const statusOf = async (id: string) => (await readPayment(emulator, id)).status;
const available = async (query = "") => (await balance(emulator, emulator.key, query)).available;
const openCase = (id: string, body: object = {}): Promise<Loose> =>
  emulator.sandbox("/med-cases", { charge_id: id, ...body });

/** Refunds `body` of a payment to the end. */
async function refunded(id: string, body: object = {}): Promise<Loose> {
  return advanceRefund(emulator, (await refund(emulator, id, body)).id, "REFUNDED");
}

describe("an accepted refund", () => {
  it("has the fields of a refund alone, and the list adds how the money goes back", async () => {
    const { id } = await paid();
    const { now } = await emulator.sandbox("/clock");
    const { status, body } = await ask(id, { amount: 500, reason: "Item out of stock" });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^rf_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      transactionId: id,
      amount: 500,
      currency: "BRL",
      status: "PENDING",
      reason: "Item out of stock",
      createdAt: now,
    });
    const added = { strategy: "cashout", endToEndId: null, failureReason: null };
    expect(await refundsOf(emulator, id)).toStrictEqual([{ ...body, ...added }]);
  });

  it.each([
    ["no reason", {}, null],
    ["the reason null", { reason: null }, null],
    ["an empty reason", { reason: "" }, ""],
    ["another strategy", { strategy: "devolution" }, null],
  ])("with %s has the same fields, and a replay has them too", async (_what, body, reason) => {
    const { id } = await paid();
    const request = { idempotencyKey: freshKey(), ...body };
    const made = (await ask(id, request)).body;
    expect(Object.keys(made)).toEqual(["id", "transactionId", "amount", "currency", "status", "reason", "createdAt"]);
    expect(made.reason).toBe(reason);
    expect((await ask(id, request)).body).toStrictEqual(made);
  });

  it("names its payment by the raw id, however it was addressed", async () => {
    const { id } = await paid();
    expect((await refund(emulator, `tx_${id}`)).transactionId).toBe(id);
  });
});

describe("the amount of a refund", () => {
  it("is what other refunds have left when it is left out", async () => {
    const { id } = await paid({ amount: 1000 });
    await refunded(id, { amount: 300 });
    await refund(emulator, id, { amount: 250 });
    expect((await refund(emulator, id)).amount).toBe(450);
  });

  it("is at most what is left, pending refunds included", async () => {
    const { id } = await paid({ amount: 1000 });
    expectRefused(await ask(id, { amount: 1001 }), "invalid_amount", "amount");
    await refunded(id, { amount: 300 });
    await refund(emulator, id, { amount: 300 });
    expectRefused(await ask(id, { amount: 401 }), "invalid_amount", "amount");
    expect((await ask(id, { amount: 400 })).status).toBe(201);
    expectRefused(await ask(id, { amount: 1 }), "invalid_amount", "amount");
  });

  it("may be the largest there is", async () => {
    const { id } = await paid({ amount: 999_999_999_999 });
    await refunded(id);
    expect([await statusOf(id), await available()]).toEqual(["REFUNDED", 0]);
  });
});

describe("a refund needs a settled payment", () => {
  const held = { customer: { name: "Maria" }, expected_payer_tax_id: "52998224725" };
  const rawCharge = async (body: object) => (await emulator.charge({ ...body })).id.replace("ch_", "");

  it("and takes one whose dispute ended for the merchant", async () => {
    const { id } = await paid();
    const { id: caseId } = await openCase(id);
    await emulator.call("POST", `/_sandbox/med-cases/${caseId}/withdraw`);
    expect((await ask(id)).status).toBe(201);
  });

  it("and takes one whose review was approved", async () => {
    const id = await rawCharge({ ...held, amount: 900 });
    await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
    await emulator.sandbox(`/charges/${id}/review`, { decision: "approve" });
    // Nobody knows the payer's document, so a cashout needs a destination key.
    expectRefused(await ask(id), "invalid_request", "destinationKey");
    expect((await ask(id, { amount: 400, destinationKey: "maria@example.com" })).status).toBe(201);
    expect((await ask(id, { strategy: "devolution" })).body.amount).toBe(500);
  });
});

describe("support depends on the method", () => {
  it.each(["BOLETO", "MBWAY", "MULTIBANCO", "CRYPTO"] as const)("%s has no refunds", async (method) => {
    const request = REQUESTS[method];
    const { id } = await paid(request);
    const before = await available(`?currency=${request.currency}`);
    expectRefused(await ask(id), "REFUND_NOT_SUPPORTED");
    expectRefused(await ask(id, { amount: 1, strategy: "cashout" }), "REFUND_NOT_SUPPORTED");
    expect(await refundsOf(emulator, id)).toEqual([]);
    expect([await statusOf(id), await available(`?currency=${request.currency}`)]).toEqual(["PAID", before]);
  });

  it("the method that was used decides, not the other possible ones", async () => {
    const methods = { paymentMethods: ["PIX", "BOLETO", "CREDIT_CARD"] };
    const byBoleto = await paid(methods, { method: "BOLETO" });
    expectRefused(await ask(byBoleto.id), "REFUND_NOT_SUPPORTED");
    const byPix = await paid(methods, { method: "PIX" });
    await refund(emulator, byPix.id);
    expect((await refundsOf(emulator, byPix.id))[0].strategy).toBe("cashout");
    const byCard = await paid(methods, { method: "CREDIT_CARD" });
    await refund(emulator, byCard.id);
    expect((await refundsOf(emulator, byCard.id))[0].strategy).toBeNull();
  });

  it.each(["BRL", "EUR", "USD"])("a card refunds %s, in parts or whole", async (currency) => {
    const { id } = await paid({ paymentMethods: ["CREDIT_CARD"], currency, amount: 1000 });
    expect(await statusOf(id)).toBe("APPROVED");
    const part = await refund(emulator, id, { amount: 400 });
    expect((await refundsOf(emulator, id))[0]).toMatchObject({ currency, strategy: null, endToEndId: null });
    expect(await advanceRefund(emulator, part.id, "REFUNDED")).toMatchObject({ endToEndId: null });
    expect([await statusOf(id), await available(`?currency=${currency}`)]).toEqual(["APPROVED", 600]);
    await refunded(id);
    expect([await statusOf(id), await available(`?currency=${currency}`)]).toEqual(["REFUNDED", 0]);
  });
});

it("the other fields of a refund reason may have 500 characters", async () => {
  const { id } = await paid();
  const reason = "ã".repeat(500);
  expect((await refund(emulator, id, { amount: 1, reason })).reason).toBe(reason);
  expect((await refund(emulator, id, { amount: 1, reason: "" })).reason).toBe("");
  expect((await refund(emulator, id, { amount: 1 })).reason).toBeNull();
  expectRefused(await ask(id, { amount: 1, reason: "a".repeat(501) }), "invalid_request", "reason");
});

it("refunds that race do not take more than there is", async () => {
  const { id } = await paid({ amount: 1_000 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, { amount: 300 })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectRefused(answer, "invalid_amount", "amount");
  }
});
