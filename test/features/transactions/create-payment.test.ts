import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventsOf } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, postPayment, readPayment } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";
import { HIDDEN } from "../../support/urls.js";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});
afterAll(() => emulator.close());

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
      customerPhone: "+5511999990000",
      metadata: { order: 42 },
      webhookUrl: "https://shop.example/hooks",
    });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
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

  it("takes null for what is optional as left out, and ignores what it does not know", async () => {
    const names = ["currency", "customerId", "customerName", "customerDocument", "customerEmail", "customerPhone"];
    const nothing = Object.fromEntries([...names, "metadata", "webhookUrl"].map((name) => [name, null]));
    const { status, body } = await create({ ...nothing, customer: { name: "x" }, status: "PAID", id: "mine" });
    expect([status, body.currency, body.metadata, body.status]).toEqual([201, "BRL", {}, "WAITING_PAYMENT"]);
  });

  it("is reported by charge.created and payment.created, with the merchant's own id of the customer", async () => {
    const { id, createdAt } = await payment(emulator, { customerId: "user-7" });
    expect(await eventsOf(emulator, id)).toEqual(["charge.created", "payment.created"]);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.created`);
    expect(data[0].payload).toStrictEqual({
      event: "payment.created",
      data: {
        transactionId: `tx_${id}`,
        amount: 1990,
        status: "WAITING_PAYMENT",
        previousStatus: null,
        customerId: "user-7",
        occurredAt: createdAt,
      },
    });
  });

  it("names no customer id in events when it has none", async () => {
    const { id } = await payment(emulator);
    const { data } = await emulator.sandbox(`/events?subject=${id}&type=payment.created`);
    expect(data[0].payload.data).not.toHaveProperty("customerId");
  });

  it("of a script that fails is REFUSED with the provider's code, and its script is not shown", async () => {
    const { status, body } = await create({ metadata: { a: 1, _sandbox: { fail: "AC06" } } });
    expect([status, body.status]).toEqual([201, "REFUSED"]);
    expect(body.metadata).toEqual({ a: 1, failure: expect.objectContaining({ providerErrorCode: "AC06" }) });
  });

  it("of a script that pays is paid with Pix or its first method", async () => {
    const script = { metadata: { _sandbox: { pay_after: 5 } } };
    const made = await Promise.all([
      payment(emulator, { ...script, paymentMethods: ["BOLETO", "PIX"] }),
      payment(emulator, { ...script, paymentMethods: ["CREDIT_CARD", "BOLETO"] }),
    ]);
    await emulator.sandbox("/clock/advance", { seconds: 5 });
    const read = await Promise.all(made.map(({ id }) => readPayment(emulator, id)));
    expect(read.map(({ status, paidWith }) => [status, paidWith])).toEqual([
      ["PAID", "PIX"],
      ["APPROVED", "CREDIT_CARD"],
    ]);
  });

  it("with a malformed script is refused", async () => {
    const answer = await create({ metadata: { _sandbox: { pay_afer: 5 } } });
    expectRefused(answer, "invalid_request", "metadata._sandbox.pay_afer");
  });
});

describe("amount", () => {
  it.each([1, 100, 999_999_999_999])("may be %d", async (amount) => {
    expect((await create({ amount })).body.amount).toBe(amount);
  });

  it.each([0, -1, 1.5, 0.1, 1e12, 1e300, "100", "", true, [100], {}, null, undefined])(
    "may not be %o",
    async (amount) => {
      expectRefused(await create({ amount }), "invalid_amount", "amount");
    },
  );
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
    [undefined, "paymentMethods"],
    [null, "paymentMethods"],
    [[], "paymentMethods"],
    ["PIX", "paymentMethods"],
    [{ 0: "PIX" }, "paymentMethods"],
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

describe("customer", () => {
  it.each(["customerId", "customerName", "customerDocument", "customerEmail", "customerPhone"])(
    "%s may be nothing but text",
    async (field) => {
      for (const value of [42, true, [], {}, ["x"]]) {
        expectRefused(await create({ [field]: value }), "invalid_request", field);
      }
    },
  );

  it.each(["52998224725", "529.982.247-25", "12.ABC.345/01DE-35", "501964843", "PT501964843", "DE 136695976", "12345"])(
    "customerDocument may be any tax id: %s",
    async (customerDocument) => {
      expect((await create({ customerDocument })).body.customerDocument).toBe(customerDocument);
    },
  );

  it.each(["José Ñandú 😀", "  spaced  ", "x".repeat(5_000)])(
    "customerName comes back as it was sent: %s",
    async (name) => {
      expect((await create({ customerName: name })).body.customerName).toBe(name);
    },
  );

  it.each([
    "maria@example.com",
    "maria.silva+loja@sub.example.com.br",
    "o'brien_1%x@example.io",
    '"maria silva"@example.com',
    "maria@[192.168.0.1]",
    "MARIA@EXAMPLE.COM",
    "john(comment)@example.com",
  ])("customerEmail may be %s", async (customerEmail) => {
    expect((await create({ customerEmail })).body.customerEmail).toBe(customerEmail);
  });

  it.each([
    "",
    "maria",
    "maria@",
    "@example.com",
    "maria@@example.com",
    "maria silva@example.com",
    "maria..silva@example.com",
    ".maria@example.com",
    "maria.@example.com",
    "maria@example..com",
    "maria@exa mple.com",
    " maria@example.com",
    "maria@example.com\n",
    "Maria <maria@example.com>",
    "a@b.com, c@d.com",
    "ü@example.com",
    "a@-x.co",
  ])("customerEmail may not be %o", async (customerEmail) => {
    expectRefused(await create({ customerEmail }), "invalid_request", "customerEmail");
  });

  it("may hold no NUL and no half of a character", async () => {
    const before = await total();
    for (const text of ["a\u0000b", "a\ud800b"]) {
      const raw = `{"amount":1,"paymentMethods":["PIX"],"idempotencyKey":"k","customerName":${JSON.stringify(text)}}`;
      expectRefused(await emulator.call("POST", "/v1/payments", { raw }), "invalid_request");
    }
    expect(await total()).toBe(before);
  });
});

describe("metadata", () => {
  it("comes back as it was, without reserved keys and keys with an underscore at the top", async () => {
    const keep = { order: 42, nested: { med: 1, _a: [1, "2", null] }, "": "empty", Med: 6, returnUrl: "x", phone: 7 };
    const metadata = { med: 1, failure: 2, _a: 3, __b: 4, _: 5, ...keep };
    const made = await payment(emulator, { metadata });
    expect(made.metadata).toStrictEqual(keep);
    expect((await readPayment(emulator, made.id)).metadata).toStrictEqual(keep);
  });

  it.each(["text", 42, true, [], [{ a: 1 }]])("may not be %o", async (metadata) => {
    expectRefused(await create({ metadata }), "invalid_request", "metadata");
  });
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

describe("webhookUrl", () => {
  it.each(["https://shop.example/hooks?x=1", "http://127.0.0.1:9/", "http://localhost/x", "http://[::1]:9/"])(
    "may be %s",
    async (webhookUrl) => {
      expect((await create({ webhookUrl })).status).toBe(201);
    },
  );

  it.each([
    "",
    "shop.example/hooks",
    "/hooks",
    "http://shop.example/",
    "ftp://shop.example/",
    "javascript:alert(1)",
    "https://",
    "https://user:pass@shop.example/",
    "https:shop.example",
    "https:/shop.example/",
    "https:\\\\shop.example/",
    ...HIDDEN.flatMap((sign) => [`${sign}https://shop.example/`, `https://shop.example/${sign}`]),
    ...HIDDEN.map((sign) => `https://shop.example/a${sign}b`),
    42,
    [],
    {},
  ])("may not be %o", async (webhookUrl) => {
    expectRefused(await create({ webhookUrl }), "invalid_request", "webhookUrl");
  });
});

describe("a refusal", () => {
  it("names every field that failed in its details", async () => {
    const { status, body } = await create({ currency: 1, paymentMethods: [], customerEmail: "x", idempotencyKey: "" });
    expect([status, body.error.code, body.error]).toEqual([
      400,
      "invalid_request",
      expect.not.objectContaining({ param: expect.anything() }),
    ]);
    const params = body.error.details.map(({ param }: Loose) => param).sort();
    expect(params).toEqual(["currency", "customerEmail", "idempotencyKey", "paymentMethods"]);
  });

  it("leaves nothing behind", async () => {
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

  it("comes before any other when there is no key", async () => {
    for (const key of [null, "qa_test_nobody"]) {
      expectRefused(await postPayment(emulator, { amount: 0 }, { key }), "unauthorized");
    }
  });

  it.each(["", "[]", "null", '"x"', "{"])("meets the body %o", async (raw) => {
    expectRefused(await emulator.call("POST", "/v1/payments", { raw }), "invalid_request");
  });
});
