import jsqr from "jsqr";
import { PNG } from "pngjs";
import { describe, expect, it } from "vitest";
import type { Loose } from "../../../support/emulator.js";
import { payment, postPayment, REQUESTS, readPayment } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

type Method = keyof typeof REQUESTS;
const METHODS = Object.keys(REQUESTS) as Method[];

/** The method-specific fields of docs/service/payments.md#methods, by the method that fills them. */
const FIELDS: Record<Method, readonly string[]> = {
  PIX: ["pixQrCode", "pixCopyPaste", "pixExpiresAt"],
  CREDIT_CARD: ["cardRedirectUrl"],
  MBWAY: [],
  MULTIBANCO: ["mbEntity", "mbReference", "mbExpiresAt"],
  BOLETO: ["boletoBarcode", "boletoLine", "boletoPdfUrl", "boletoExpiresAt"],
  CRYPTO: ["cryptoAddress", "cryptoAmount", "cryptoNetwork", "cryptoCurrency"],
};
const ALL_FIELDS = Object.values(FIELDS).flat();

const made = async (body: object): Promise<Loose> => readPayment(emulator, (await payment(emulator, body)).id);
const filled = (read: Loose) => ALL_FIELDS.filter((field) => read[field] !== null);
const create = (body: object) => postPayment(emulator, body);

describe("a read payment", () => {
  it.each(METHODS)("of %s alone has its fields, the others null, and no field more", async (method) => {
    const created = await payment(emulator, REQUESTS[method]);
    const read = await readPayment(emulator, created.id);
    expect(read).toStrictEqual({
      ...created,
      paidWith: null,
      ...Object.fromEntries(
        ALL_FIELDS.map((field) => [field, FIELDS[method].includes(field) ? expect.anything() : null]),
      ),
      providerFee: 0,
      platformFee: 0,
      netAmount: 1990,
      paidAt: null,
    });
  });

  it.each<[string, readonly Method[]]>([
    ["BRL", ["PIX", "BOLETO"]],
    ["BRL", ["BOLETO", "CREDIT_CARD"]],
    ["BRL", ["CREDIT_CARD", "PIX", "BOLETO"]],
    ["EUR", ["MBWAY", "MULTIBANCO"]],
    ["EUR", ["MULTIBANCO", "CREDIT_CARD", "MBWAY"]],
  ])("in %s of %o has the fields of each", async (currency, methods) => {
    const read = await made({ currency, paymentMethods: methods, metadata: { phone: "+351912345678" } });
    expect(filled(read).sort()).toEqual(methods.flatMap((method) => FIELDS[method]).sort());
  });

  it.each(METHODS)("of %s reads the same every time", async (method) => {
    const read = await made({ ...REQUESTS[method] });
    await emulator.sandbox("/clock/advance", { seconds: 30 });
    expect(await readPayment(emulator, read.id)).toStrictEqual(read);
  });
});

it("the fields of PIX are a code, an image of that code and an expiry an hour away", async () => {
  const { pixQrCode, pixCopyPaste, pixExpiresAt, createdAt } = await made(REQUESTS.PIX);
  expect(pixCopyPaste).toMatch(/^000201.*5303986540519\.905802BR.*6304[0-9A-F]{4}$/);
  expect(Date.parse(pixExpiresAt) - Date.parse(createdAt)).toBe(3_600_000);
  const image = PNG.sync.read(Buffer.from(pixQrCode.replace(/^data:image\/png;base64,/, ""), "base64"));
  expect(jsqr.default(new Uint8ClampedArray(image.data), image.width, image.height)?.data).toBe(pixCopyPaste);
});

describe("the fields of BOLETO", () => {
  it.each([1, 1990, 9_999_999_999])("are a line and a barcode of %d centavos", async (amount) => {
    const { boletoBarcode, boletoLine, boletoExpiresAt, createdAt } = await made({ ...REQUESTS.BOLETO, amount });
    expect([boletoBarcode, boletoLine]).toEqual([expect.stringMatching(/^\d{44}$/), expect.stringMatching(/^\d{47}$/)]);
    expect([boletoBarcode[3], Number(boletoBarcode.slice(9, 19))]).toEqual(["9", amount]);
    expect(Date.parse(boletoExpiresAt)).toBeGreaterThan(Date.parse(createdAt));
    // Days since 1997-10-07, which started over at 1000 on 2025-02-22: the day, in São Paulo, until which it can be paid.
    const due = Math.floor((Date.parse(boletoExpiresAt) - 3 * 3_600_000) / 86_400_000);
    const cycle = (due - Date.UTC(2025, 1, 22) / 86_400_000) % 9_000;
    expect(Number(boletoBarcode.slice(5, 9))).toBe(1_000 + cycle);
  });

  it("differ from boleto to boleto", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => made(REQUESTS.BOLETO)));
    expect(new Set(all.map(({ boletoLine }) => boletoLine)).size).toBe(20);
  });
});

it.each([100, 1990, 99_999_999])(
  "the fields of MULTIBANCO have check digits over each other and over %d cents",
  async (amount) => {
    const { mbEntity, mbReference, mbExpiresAt, createdAt } = await made({ ...REQUESTS.MULTIBANCO, amount });
    expect([mbEntity, mbReference]).toEqual([expect.stringMatching(/^\d{5}$/), expect.stringMatching(/^\d{9}$/)]);
    expect(Date.parse(mbExpiresAt)).toBeGreaterThan(Date.parse(createdAt));
  },
);

it.each([
  ["USDT", 12_500_000, 12.5, "TRC20", /^T[1-9A-HJ-NP-Za-km-z]{33}$/],
  ["USDC", 1, 0.000001, "ERC20", /^0x[0-9a-fA-F]{40}$/],
  ["BTC", 123_456_789, 1.23456789, "BITCOIN", /^bc1q[02-9ac-hj-np-z]{38}$/],
])(
  "the fields of CRYPTO in %s are an address of its network and the amount in whole units",
  async (currency, amount, units, network, address) => {
    const { cryptoAddress, cryptoAmount, cryptoNetwork, cryptoCurrency } = await made({
      ...REQUESTS.CRYPTO,
      currency,
      amount,
    });
    expect([cryptoCurrency, cryptoAmount, cryptoNetwork]).toEqual([currency, units, network]);
    expect(cryptoAddress).toMatch(address);
  },
);

it.each(["BRL", "EUR", "USD"])(
  "the fields of CREDIT_CARD in %s are an address of this server that cannot be guessed",
  async (currency) => {
    const { cardRedirectUrl } = await made({ ...REQUESTS.CREDIT_CARD, currency });
    const url = new URL(cardRedirectUrl);
    expect(url.origin).toBe(emulator.url);
    expect(url.searchParams.get("k")).toMatch(/^[\w-]{20,}$/);
  },
);

describe("methods and currencies", () => {
  const TAKEN: Record<Method, readonly string[]> = {
    PIX: ["BRL"],
    BOLETO: ["BRL"],
    CREDIT_CARD: ["BRL", "EUR", "USD"],
    MBWAY: ["EUR"],
    MULTIBANCO: ["EUR"],
    CRYPTO: ["USDT", "USDC", "BTC"],
  };
  const PAIRS = METHODS.flatMap((method) =>
    ["BRL", "EUR", "USD", "USDT", "USDC", "BTC", "JPY", "WHATEVER"].map((currency) => ({ method, currency })),
  );

  it.each(PAIRS)("$method for $currency", async ({ method, currency }) => {
    const answer = await create({ ...REQUESTS[method], currency });
    if (TAKEN[method].includes(currency)) expect([answer.status, answer.body.currency]).toEqual([201, currency]);
    else expectRefused(answer, "unprocessable_entity");
  });

  it.each([
    ["BRL", ["PIX", "MBWAY"]],
    ["BRL", ["CREDIT_CARD", "MULTIBANCO"]],
    ["EUR", ["CREDIT_CARD", "PIX"]],
    ["USD", ["CREDIT_CARD", "BOLETO"]],
    ["USDT", ["CRYPTO", "CREDIT_CARD"]],
  ])("in %s not %o: each method must fit", async (currency, paymentMethods) => {
    const metadata = { phone: "+351912345678" };
    expectRefused(await create({ currency, paymentMethods, metadata }), "unprocessable_entity");
  });
});

describe("the limits of an amount", () => {
  it.each([
    ["a boleto beyond R$ 99.999.999,99", { ...REQUESTS.BOLETO, amount: 10_000_000_000 }],
    ["one among other methods", { paymentMethods: ["PIX", "BOLETO"], amount: 10_000_000_000 }],
    ["a Multibanco reference of less than 1 EUR", { ...REQUESTS.MULTIBANCO, amount: 99 }],
    ["one of a million EUR", { ...REQUESTS.MULTIBANCO, amount: 100_000_000 }],
  ])("refuse %s", async (_what, body) => {
    expectRefused(await create(body), "unprocessable_entity");
  });

  it("do not exist for the other methods", async () => {
    for (const method of ["PIX", "CREDIT_CARD", "MBWAY", "CRYPTO"] as const) {
      for (const amount of [1, 999_999_999_999]) {
        expect((await create({ ...REQUESTS[method], amount })).status).toBe(201);
      }
    }
  });
});

describe("the phone of MBWAY", () => {
  const mbway = (body: object) => create({ currency: "EUR", paymentMethods: ["MBWAY"], ...body });
  const PHONE = "+351912345678";

  it.each<[string, object]>([
    ["as it usually is", { metadata: { phone: PHONE } }],
    ["beside a field that is none, whatever it holds", { metadata: { phone: PHONE }, customerPhone: 912345678 }],
    ["the longest of E.164", { metadata: { phone: "+123456789012345" } }],
  ])("is in metadata.phone: %s", async (_what, body) => {
    expect((await mbway(body)).status).toBe(201);
  });

  it("is required", async () => {
    const before = (await emulator.call("GET", "/v1/payments")).body.total;
    for (const body of [
      {},
      { metadata: {} },
      { metadata: null },
      { metadata: { phone: null } },
      { customerPhone: PHONE },
    ]) {
      expectRefused(await mbway(body), "invalid_request", "metadata.phone");
    }
    const both = await create({ currency: "EUR", paymentMethods: ["MULTIBANCO", "MBWAY"] });
    expectRefused(both, "invalid_request", "metadata.phone");
    expect((await emulator.call("GET", "/v1/payments")).body.total).toBe(before);
  });

  const WRONG = [
    "",
    "912345678",
    "00351912345678",
    "+0351912345678",
    "+351 912 345 678",
    "+351-912345678",
    "+",
    "tel:+351912345678",
    "+1234567890123456",
    " +351912345678",
    "+351912345678\n",
    "+35191234567x",
  ];

  it.each([...WRONG, 351912345678, true, {}, [PHONE]])("may not be %o in metadata", async (phone) => {
    expectRefused(await mbway({ metadata: { phone } }), "invalid_request", "metadata.phone");
    expectRefused(await mbway({ metadata: { phone }, customerPhone: PHONE }), "invalid_request", "metadata.phone");
  });

  it("is ignored for other methods", async () => {
    const body = { metadata: { phone: "none" } };
    for (const method of ["PIX", "CREDIT_CARD", "BOLETO", "CRYPTO"] as const) {
      expect((await create({ ...REQUESTS[method], ...body })).status).toBe(201);
    }
  });
});
