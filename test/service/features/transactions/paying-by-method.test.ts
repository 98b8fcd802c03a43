import { beforeEach, describe, expect, it } from "vitest";
import { balance, DOCUMENTS, eventsOf, expectCharge } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../../support/shared.js";

/** The simulated payer of payments by every method, and when each method ends. */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

type Method = keyof typeof REQUESTS;
const METHODS = Object.keys(REQUESTS) as Method[];
const settledAs = (method: Method) => (method === "CREDIT_CARD" ? "APPROVED" : "PAID");

const pay = (id: string, body: object = {}) => emulator.call("POST", `/_sandbox/charges/${id}/pay`, { body });
const outcome = async (id: string, body: object = {}) => (await pay(id, body)).body.outcome;
const until = (instant: number) => emulator.sandbox("/clock/advance", { to: new Date(instant).toISOString() });

describe("a payment by one method", () => {
  it.each(METHODS)("%s settles with the method that it was paid with, and is credited", async (method) => {
    const { id, currency } = await payment(emulator, REQUESTS[method]);
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 10 });
    expect(await outcome(id)).toBe("paid");
    const read = await readPayment(emulator, id);
    expect(read).toMatchObject({ status: settledAs(method), paidWith: method, paidAt: now, netAmount: 1990 });
    expect(await balance(emulator, emulator.key, `?currency=${currency}`)).toMatchObject({ available: 1990, currency });
  });

  it.each(METHODS)("%s is answered by the simulator as a charge, or as a payment without Pix", async (method) => {
    const { id } = await payment(emulator, REQUESTS[method]);
    const { body } = await pay(id, { method });
    if (method === "PIX") expect(expectCharge(body.charge)).toMatchObject({ id: `ch_${id}`, status: "paid" });
    else expect(body.charge).toStrictEqual(await readPayment(emulator, id));
  });

  it.each(METHODS)("%s may be refused by its provider", async (method) => {
    const { id } = await payment(emulator, REQUESTS[method]);
    await emulator.sandbox(`/charges/${id}/fail`, { reason: "insufficient_funds", provider_error_code: "51" });
    const { status, paidWith, paidAt, metadata } = await readPayment(emulator, id);
    expect([status, paidWith, paidAt]).toEqual(["REFUSED", null, null]);
    expect(metadata.failure).toMatchObject({ reason: "insufficient_funds", providerErrorCode: "51" });
    expect(await outcome(id)).toBe("returned");
  });

  it.each(METHODS)("%s may run out of time, and money that comes late goes back", async (method) => {
    const { id, currency } = await payment(emulator, REQUESTS[method]);
    await emulator.sandbox(`/charges/${id}/expire`);
    expect(await readPayment(emulator, id)).toMatchObject({ status: "EXPIRED", paidAt: null });
    expect(await outcome(id)).toBe("returned");
    expect((await balance(emulator, emulator.key, `?currency=${currency}`)).available).toBe(0);
  });

  it.each(METHODS)("%s still waits after too little or too much was paid", async (method) => {
    const { id } = await payment(emulator, REQUESTS[method]);
    for (const amount of [1989, 1991]) expect(await outcome(id, { amount })).toBe("returned");
    expect(await readPayment(emulator, id)).toMatchObject({ status: "WAITING_PAYMENT", paidWith: null });
    expect(await outcome(id, { amount: 1990 })).toBe("paid");
  });

  it("never shows the payer's document", async () => {
    for (const method of METHODS) {
      const { id } = await payment(emulator, REQUESTS[method]);
      await pay(id, { payer_document: DOCUMENTS.otherCpf, payer_name: "Fulano de Tal" });
      const shown = [
        await readPayment(emulator, id),
        (await emulator.call("GET", "/v1/payments")).body,
        (await emulator.call("GET", `/v1/payments/${id}/provider-status`)).body,
        (await emulator.sandbox(`/events?subject=${id}`)).data,
      ];
      expect(JSON.stringify(shown)).not.toContain(DOCUMENTS.otherCpf);
    }
  });
});

describe("a payment by one of several methods", () => {
  const three = () => payment(emulator, { paymentMethods: ["BOLETO", "CREDIT_CARD", "PIX"] });

  it.each(["PIX", "BOLETO", "CREDIT_CARD"] as const)("is paid with %s when the request says so", async (method) => {
    const { id } = await three();
    expect(await outcome(id, { method })).toBe("paid");
    expect(await readPayment(emulator, id)).toMatchObject({ status: settledAs(method), paidWith: method });
    const charge = (await emulator.call("GET", `/v1/charges/${id}`)).body;
    expect(expectCharge(charge).payment_method).toBe(method.toLowerCase());
  });

  it("is paid with Pix, or else with its first method, when the request does not say", async () => {
    const { id } = await three();
    await pay(id);
    expect((await readPayment(emulator, id)).paidWith).toBe("PIX");
    const { id: other } = await payment(emulator, { paymentMethods: ["BOLETO", "CREDIT_CARD"] });
    await pay(other);
    expect((await readPayment(emulator, other)).paidWith).toBe("BOLETO");
  });

  it("is not paid with a method that it does not have", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["BOLETO", "CREDIT_CARD"] });
    for (const method of ["PIX", "CRYPTO", "pix", "", 1, ["BOLETO"]]) {
      expectRefused(await pay(id, { method }), "invalid_request", "method");
    }
    expect((await readPayment(emulator, id)).status).toBe("WAITING_PAYMENT");
  });

  it("is paid with one of them only", async () => {
    const { id } = await three();
    const outcomes = [await outcome(id, { method: "BOLETO" }), await outcome(id, { method: "PIX" })];
    expect([outcomes, (await readPayment(emulator, id)).paidWith]).toEqual([["paid", "returned"], "BOLETO"]);
  });
});

describe("the end of a method", () => {
  const MINUTES = 60_000;

  async function expectExpiry(body: object, at: (made: Loose) => number): Promise<void> {
    const [early, late] = [await payment(emulator, body), await payment(emulator, body)];
    const end = at(await readPayment(emulator, early.id));
    await until(end - 1);
    expect(await outcome(early.id)).toBe("paid");
    expect((await readPayment(emulator, late.id)).status).toBe("WAITING_PAYMENT");
    await until(end);
    expect((await readPayment(emulator, late.id)).status).toBe("EXPIRED");
    expect(await outcome(late.id)).toBe("returned");
  }

  it("of MBWAY comes after four minutes, to the millisecond", () =>
    expectExpiry(REQUESTS.MBWAY, ({ createdAt }) => Date.parse(createdAt) + 4 * MINUTES));

  it.each([
    ["PIX", "pixExpiresAt"],
    ["MULTIBANCO", "mbExpiresAt"],
    ["BOLETO", "boletoExpiresAt"],
  ] as const)("of %s comes when %s says", (method, field) =>
    expectExpiry(REQUESTS[method], (made) => Date.parse(made[field])),
  );

  it("of a boleto is the end of a day in São Paulo", async () => {
    for (const from of ["2031-03-10T02:59:59.999Z", "2031-03-10T03:00:00.000Z", "2031-03-10T12:00:00.000Z"]) {
      await until(Date.parse(from));
      const { id } = await payment(emulator, REQUESTS.BOLETO);
      const days = from.includes("T02") ? "2031-03-13" : "2031-03-14";
      expect((await readPayment(emulator, id)).boletoExpiresAt).toBe(`${days}T02:59:59.999Z`);
    }
  });

  it("is not the end of a payment that has another method left", async () => {
    const { id } = await payment(emulator, {
      currency: "EUR",
      paymentMethods: ["MBWAY", "MULTIBANCO"],
      metadata: { phone: "+351912345678" },
    });
    const { createdAt, mbExpiresAt } = await readPayment(emulator, id);
    await until(Date.parse(createdAt) + 4 * MINUTES);
    expect(await outcome(id, { method: "MBWAY" })).toBe("returned");
    expect((await readPayment(emulator, id)).status).toBe("WAITING_PAYMENT");
    await until(Date.parse(mbExpiresAt) - 1);
    expect(await outcome(id, { method: "MULTIBANCO" })).toBe("paid");
  });

  it("of the last method is the end of the payment", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "BOLETO"] });
    const { pixExpiresAt, boletoExpiresAt } = await readPayment(emulator, id);
    await until(Date.parse(pixExpiresAt));
    expect(await outcome(id, { method: "PIX" })).toBe("returned");
    await until(Date.parse(boletoExpiresAt));
    expect((await readPayment(emulator, id)).status).toBe("EXPIRED");
    expect((await eventsOf(emulator, id)).slice(2)).toEqual([
      "charge.expired",
      "payment.expired",
      "payment.failed",
      "payment.status_changed",
    ]);
  });
});

it("fees are those of the method that was paid with", async () => {
  const fee = (fixed: number, bps: number) => ({ provider: { fixed, bps }, platform: { fixed: 1, bps: 10 } });
  const fees = { PIX: fee(2, 0), CREDIT_CARD: fee(30, 399), BOLETO: fee(250, 0), CRYPTO: fee(0, 100) };
  const priced = await ownEmulator({ frozen: true, fees });
  const paid = async (method: Method, body: object) => {
    const { id } = await payment(priced, { amount: 10_000, ...body });
    const before = await readPayment(priced, id);
    expect([before.providerFee, before.platformFee, before.netAmount]).toEqual([0, 0, 10_000]);
    await priced.sandbox(`/charges/${id}/pay`, { method });
    const { providerFee, platformFee, netAmount, currency } = await readPayment(priced, id);
    return [providerFee, platformFee, netAmount, currency];
  };
  const three = { paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"] };
  expect(await paid("PIX", three)).toEqual([2, 11, 9_987, "BRL"]);
  expect(await paid("CREDIT_CARD", three)).toEqual([429, 11, 9_560, "BRL"]);
  expect(await paid("BOLETO", three)).toEqual([250, 11, 9_739, "BRL"]);
  expect(await paid("CRYPTO", REQUESTS.CRYPTO)).toEqual([100, 11, 9_889, "USDT"]);
  expect(await paid("MBWAY", REQUESTS.MBWAY)).toEqual([0, 0, 10_000, "EUR"]);
  const { body } = await priced.call("GET", "/v1/wallets");
  expect(Object.fromEntries(body.map((wallet: Loose) => [wallet.currency, wallet.balance]))).toEqual({
    BRL: 9_987 + 9_560 + 9_739,
    EUR: 10_000,
    USDT: 9_889,
  });
});
