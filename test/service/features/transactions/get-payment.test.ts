import { describe, expect, it } from "vitest";
import { DOCUMENTS, expectCharge } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { paymentIn, type ReachedStatus } from "../../../support/payment-states.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

/** Every route that names a payment. */
const ROUTES = [
  ["GET", ""],
  ["POST", "/cancel"],
  ["POST", "/resend-webhook"],
  ["GET", "/provider-status"],
  ["GET", "/receipt"],
] as const;

const ask = (method: string, id: string, what: string, key = emulator.key) =>
  emulator.call(method, `/v1/payments/${id}${what}`, { key });

describe("the id of a payment", () => {
  it.each(ROUTES)("is raw, or has tx_ in front: %s …%s", async (method, what) => {
    const { id } = await payment(emulator, { metadata: { _sandbox: { pay_after: 0 } } });
    await emulator.sandbox("/clock/advance", { seconds: 0 });
    const [raw, prefixed] = [await ask(method, id, what), await ask(method, `tx_${id}`, what)];
    expect([prefixed.status, prefixed.body.error?.code]).toEqual([raw.status, raw.body.error?.code]);
    expect(raw.status).not.toBe(404);
  });

  it.each(ROUTES)("has no ch_ in front: %s …%s", async (method, what) => {
    const { id } = await emulator.charge();
    expectRefused(await ask(method, id, what), "not_found");
    expect((await ask("GET", id.slice(3), "")).body).toMatchObject({ id: id.slice(3), status: "WAITING_PAYMENT" });
  });
});

describe("a payment that is read", () => {
  it("has its raw id, for every form of the requested id", async () => {
    const { id } = await payment(emulator);
    expect((await readPayment(emulator, `tx_${id}`)).id).toBe(id);
  });

  it("may be a charge: the same code and expiry", async () => {
    const charge = await emulator.charge({
      description: "Order 42",
      expires_in: 600,
      customer: { name: "Maria", document: DOCUMENTS.cpf, email: "m@example.com", phone: "11 99999-0000" },
    });
    expect(await readPayment(emulator, charge.id.slice(3))).toMatchObject({
      status: "WAITING_PAYMENT",
      amount: 1990,
      currency: "BRL",
      paymentMethods: ["PIX"],
      customerName: "Maria",
      customerDocument: DOCUMENTS.cpf,
      customerEmail: "m@example.com",
      metadata: { description: "Order 42" },
      pixCopyPaste: charge.pix.br_code,
      pixExpiresAt: charge.pix.expires_at,
      createdAt: charge.created_at,
    });
  });
});

describe("a payment that is read as a charge", () => {
  it.each(["CREDIT_CARD", "BOLETO", "MBWAY", "MULTIBANCO", "CRYPTO"] as const)(
    "is one by %s, without a Pix code",
    async (method) => {
      const { id } = await payment(emulator, REQUESTS[method]);
      for (const form of [id, `ch_${id}`]) {
        const { status, body } = await emulator.call("GET", `/v1/charges/${form}`);
        expect([status, body.id, body.payment_method, body.pix]).toEqual([
          200,
          `ch_${id}`,
          method.toLowerCase(),
          undefined,
        ]);
      }
    },
  );

  it("is one with Pix among its methods", async () => {
    const body = { paymentMethods: ["BOLETO", "PIX"], customerName: "Maria", customerDocument: "NIF 501964843" };
    const { id } = await payment(emulator, { ...body, customerId: "user-7" });
    const charge = expectCharge((await emulator.call("GET", `/v1/charges/ch_${id}`)).body);
    expect(charge).toMatchObject({ id: `ch_${id}`, status: "pending", payment_method: "pix" });
    expect(charge.customer).toEqual({ name: "Maria", document: "NIF 501964843" });
    expect(charge.pix.br_code).toBe((await readPayment(emulator, id)).pixCopyPaste);
  });
});

describe("the status of a payment", () => {
  const PUBLIC: [ReachedStatus, string][] = [
    ["WAITING_PAYMENT", "pending"],
    ["PROCESSING", "processing"],
    ["PAID", "paid"],
    ["APPROVED", "paid"],
    ["REFUSED", "failed"],
    ["CANCELLED", "cancelled"],
    ["EXPIRED", "expired"],
    ["REFUNDED", "refunded"],
    ["CHARGEBACK", "disputed"],
    ["DISPUTE", "disputed"],
  ];

  it.each(PUBLIC)("%s is the public status %s", async (status, publicStatus) => {
    const id = await paymentIn(emulator, status);
    const read = await readPayment(emulator, id);
    expect(read.status).toBe(status);
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe(publicStatus);
    const paid = ["PAID", "APPROVED", "REFUNDED", "CHARGEBACK", "DISPUTE"].includes(status);
    expect([read.paidWith !== null, read.paidAt !== null]).toEqual([paid, paid]);
    const { data } = (await emulator.call("GET", `/v1/payments?status=${status}&limit=100`)).body;
    expect(data.find((item: Loose) => item.id === `tx_${id}`)).toStrictEqual({ ...read, id: `tx_${id}` });
  });
});
