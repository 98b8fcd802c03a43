import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DOCUMENTS, expectCharge } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, REQUESTS, readPayment, refundInFull } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";

let emulator: TestEmulator;
let second: Loose;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  second = await emulator.sandbox("/accounts", { name: "Second Shop" });
});
afterAll(() => emulator.close());

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

  it.each(ROUTES)("of another account or mode is unknown: %s …%s", async (method, what) => {
    const { id } = await payment(emulator);
    for (const key of [emulator.live, second.test_key, second.live_key]) {
      expectRefused(await ask(method, id, what, key), "not_found");
      expectRefused(await ask(method, `tx_${id}`, what, key), "not_found");
    }
    expect((await readPayment(emulator, id)).status).toBe("WAITING_PAYMENT");
  });

  const UNKNOWN = "01890a5d-ac96-774b-bcce-b302099a8057";
  const MALFORMED = [
    UNKNOWN,
    `tx_${UNKNOWN}`,
    `tx_tx_${UNKNOWN}`,
    `rf_${UNKNOWN}`,
    `TX_${UNKNOWN}`,
    "tx_",
    "x",
    "1",
    "null",
    "%00",
    "%F0%9F%98%80",
    "%",
    "..%2f..%2fwallets",
    "'%20OR%201=1--",
    "a".repeat(2_000),
  ];

  it.each(MALFORMED)("that is unknown or malformed is a 404: %s", async (id) => {
    for (const [method, what] of ROUTES) expectRefused(await ask(method, id, what), "not_found");
  });

  it("is written in small letters", async () => {
    const { id } = await payment(emulator);
    if (id !== id.toUpperCase()) expectRefused(await ask("GET", id.toUpperCase(), ""), "not_found");
  });

  it.each(ROUTES)("is checked after the API key: %s …%s", async (method, what) => {
    const answer = await emulator.call(method, `/v1/payments/x${what}`, { key: null });
    expectRefused(answer, "unauthorized");
  });
});

describe("a payment that is read", () => {
  it("has its raw id, whichever form it was asked for by", async () => {
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

  it("needs no query parameter", async () => {
    const { id } = await payment(emulator);
    expect((await emulator.call("GET", `/v1/payments/${id}`)).status).toBe(200);
  });
});

describe("a payment that is read as a charge", () => {
  it.each(["CREDIT_CARD", "BOLETO", "MBWAY", "MULTIBANCO", "CRYPTO"] as const)(
    "is not found with %s",
    async (method) => {
      const { id } = await payment(emulator, REQUESTS[method]);
      for (const form of [id, `ch_${id}`])
        expectRefused(await emulator.call("GET", `/v1/charges/${form}`), "not_found");
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
  const expecting = { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf };
  const control = (id: string, what: string, body?: object) => emulator.sandbox(`/charges/${id}/${what}`, body ?? {});
  const contest = (id: string, type: string) => emulator.sandbox("/med-cases", { charge_id: id, type });
  const card = { paymentMethods: ["PIX", "CREDIT_CARD"] };

  /** How a payment gets to each status, and what the charge of it says then. */
  const LIVES: readonly (readonly [string, string, () => Promise<string>])[] = [
    ["WAITING_PAYMENT", "pending", async () => (await payment(emulator)).id],
    [
      "PROCESSING",
      "processing",
      async () => {
        const { id } = await emulator.charge(expecting);
        await control(id, "pay", { payer_document: null });
        return id.slice(3);
      },
    ],
    ["PAID", "paid", () => lived({}, (id) => control(id, "pay"))],
    ["APPROVED", "paid", () => lived(card, (id) => control(id, "pay", { method: "CREDIT_CARD" }))],
    ["REFUSED", "failed", () => lived({}, (id) => control(id, "fail"))],
    ["CANCELLED", "cancelled", () => lived({}, (id) => ask("POST", id, "/cancel"))],
    ["EXPIRED", "expired", () => lived({}, (id) => control(id, "expire"))],
    [
      "REFUNDED",
      "refunded",
      () =>
        lived({}, async (id) => {
          await control(id, "pay");
          await refundInFull(emulator, id);
        }),
    ],
    [
      "CHARGEBACK",
      "disputed",
      () =>
        lived(card, async (id) => {
          await control(id, "pay", { method: "CREDIT_CARD" });
          await contest(id, "chargeback");
        }),
    ],
    [
      "DISPUTE",
      "disputed",
      () =>
        lived({}, async (id) => {
          await control(id, "pay");
          await contest(id, "med");
        }),
    ],
  ];

  async function lived(body: object, life: (id: string) => Promise<unknown>): Promise<string> {
    const { id } = await payment(emulator, body);
    await life(id);
    return id;
  }

  it.each(LIVES)("%s is the public status %s", async (status, publicStatus, live) => {
    const id = await live();
    const read = await readPayment(emulator, id);
    expect(read.status).toBe(status);
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe(publicStatus);
    const paid = ["PAID", "APPROVED", "REFUNDED", "CHARGEBACK", "DISPUTE"].includes(status);
    expect([read.paidWith !== null, read.paidAt !== null]).toEqual([paid, paid]);
    const { data } = (await emulator.call("GET", `/v1/payments?status=${status}&limit=100`)).body;
    expect(data.find((item: Loose) => item.id === `tx_${id}`)).toStrictEqual({ ...read, id: `tx_${id}` });
  });
});
