import { describe, expect, it } from "vitest";
import { byName, namesOf } from "../../../../src/base/kernel/names.js";
import { CreatedPayment } from "../../../../src/service/features/transactions/payment-resource.js";
import { payment, postPayment, readPayment } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";
import { HIDDEN } from "../../../support/urls.js";

const emulator = sharedEmulator({ frozen: true });

const create = (body: object = {}) => postPayment(emulator, body);
const total = async () => (await emulator.call("GET", "/v1/payments")).body.total;

describe("a new payment", () => {
  it("has exactly the fields of the create response", async () => {
    const { now } = await emulator.sandbox("/clock");
    const { status, body } = await create({
      paymentMethods: ["BOLETO", "PIX"],
      customerId: "user-7",
      customerName: "Maria Silva",
      customerDocument: "PT 501 964 843",
      customerEmail: "maria@example.com",
      metadata: { order: 42 },
      webhookUrl: "https://shop.example/hooks",
    });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      ...byName(namesOf(CreatedPayment.shape), () => null),
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      status: "WAITING_PAYMENT",
      amount: 1990,
      currency: "BRL",
      paymentMethods: ["BOLETO", "PIX"],
      customerName: "Maria Silva",
      customerDocument: "PT 501 964 843",
      customerEmail: "maria@example.com",
      metadata: { order: 42 },
      createdAt: now,
    });
  });

  it("needs only an amount, a method and a key", async () => {
    const { body } = await create();
    expect(body).toMatchObject({
      currency: "BRL",
      customerName: null,
      customerDocument: null,
      customerEmail: null,
      metadata: {},
    });
  });

  it("of a scenario that fails is REFUSED with the provider's code, and its scenario is not shown", async () => {
    const { status, body } = await create({ metadata: { a: 1, _sandbox: { fail: "AC06" } } });
    expect([status, body.status]).toEqual([201, "REFUSED"]);
    expect(body.metadata).toEqual({ a: 1, failure: expect.objectContaining({ providerErrorCode: "AC06" }) });
  });

  it("of a scenario that pays is paid with Pix or its first method", async () => {
    const scenario = { metadata: { _sandbox: { pay_after: 5 } } };
    const made = await Promise.all([
      payment(emulator, { ...scenario, paymentMethods: ["BOLETO", "PIX"] }),
      payment(emulator, { ...scenario, paymentMethods: ["CREDIT_CARD", "BOLETO"] }),
    ]);
    await emulator.sandbox("/clock/advance", { seconds: 5 });
    const read = await Promise.all(made.map(({ id }) => readPayment(emulator, id)));
    expect(read.map(({ status, paidWith }) => [status, paidWith])).toEqual([
      ["PAID", "PIX"],
      ["APPROVED", "CREDIT_CARD"],
    ]);
  });
});

describe("currency", () => {
  it("of 3 to 8 characters may be written out", async () => {
    expect((await create({ currency: "BRL" })).body.currency).toBe("BRL");
    expect((await create({ currency: "USDT", paymentMethods: ["CRYPTO"] })).body.currency).toBe("USDT");
  });

  it.each(["", "BR", "ABCDEFGHI", "brl", " BRL", "R$ ", 986, true, ["BRL"], {}])("may not be %o", async (currency) => {
    expectRefused(await create({ currency }), "invalid_request", "currency");
  });
});

describe("paymentMethods", () => {
  it.each<[unknown, string]>([
    [["pix"], "paymentMethods.0"],
    [["PIX", "CASH"], "paymentMethods.1"],
    [[null], "paymentMethods.0"],
    [[1], "paymentMethods.0"],
    [[""], "paymentMethods.0"],
    [[["PIX"]], "paymentMethods.0"],
    [["PIX", "BOLETO", "PIX"], "paymentMethods"],
  ])("may not be %o", async (paymentMethods, param) => {
    expectRefused(await create({ paymentMethods }), "invalid_request", param);
  });

  it("keep their order", async () => {
    for (const paymentMethods of [["CREDIT_CARD", "PIX", "BOLETO"], ["BOLETO", "CREDIT_CARD"], ["PIX"]]) {
      const { id, ...made } = await payment(emulator, { paymentMethods });
      expect([made.paymentMethods, (await readPayment(emulator, id)).paymentMethods]).toEqual([
        paymentMethods,
        paymentMethods,
      ]);
    }
  });
});

it("metadata comes back as it was, without reserved keys and keys with an underscore at the top", async () => {
  const keep = { order: 42, nested: { med: 1, _a: [1, "2", null] }, "": "empty", Med: 6, returnUrl: "x", phone: 7 };
  const metadata = { med: 1, failure: 2, _a: 3, __b: 4, _: 5, ...keep };
  const made = await payment(emulator, { metadata });
  expect(made.metadata).toStrictEqual(keep);
  expect((await readPayment(emulator, made.id)).metadata).toStrictEqual(keep);
});

describe("metadata.returnUrl", () => {
  const card = (returnUrl: unknown) => create({ paymentMethods: ["CREDIT_CARD"], metadata: { returnUrl } });

  it.each([
    "https://shop.example/order/42?done=1#x",
    "http://localhost:3000/",
    "HTTPS://SHOP.EXAMPLE",
    null,
    undefined,
  ])("of a card payment may be %s", async (returnUrl) => {
    expect((await card(returnUrl)).status).toBe(201);
  });

  it.each([
    "",
    "shop.example",
    "/done",
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://x.example",
    "https://",
    ...HIDDEN.map((sign) => `https://shop.example/a${sign}set-cookie:x=1`),
    ...HIDDEN.flatMap((sign) => [`${sign}https://shop.example/`, `https://shop.example/${sign}`]),
    42,
    {},
  ])("of a card payment may not be %o", async (returnUrl) => {
    expectRefused(await card(returnUrl), "invalid_request", "metadata.returnUrl");
  });

  it("is looked at when the card is one of several methods, and left alone without a card", async () => {
    const metadata = { returnUrl: "javascript:alert(1)" };
    const answer = await create({ paymentMethods: ["PIX", "CREDIT_CARD"], metadata });
    expectRefused(answer, "invalid_request", "metadata.returnUrl");
    expect((await create({ metadata })).body.metadata).toEqual(metadata);
  });
});

it.each(["https://shop.example/hooks?x=1", "http://127.0.0.1:9/", "http://localhost/x", "http://[::1]:9/"])(
  "webhookUrl may be %s",
  async (webhookUrl) => {
    expect((await create({ webhookUrl })).status).toBe(201);
  },
);

it("a refusal leaves nothing behind", async () => {
  const before = [await total(), (await emulator.sandbox("/events?limit=1")).data[0]?.id];
  for (const body of [
    { amount: 0 },
    { webhookUrl: "x" },
    { paymentMethods: ["MBWAY"] },
    { metadata: { _sandbox: 1 } },
    { currency: "EUR" },
  ]) {
    expect((await create(body)).status).toBeGreaterThanOrEqual(400);
  }
  expect([await total(), (await emulator.sandbox("/events?limit=1")).data[0]?.id]).toEqual(before);
});
