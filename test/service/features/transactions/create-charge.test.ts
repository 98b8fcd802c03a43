import { parse } from "promptparse";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, expectCharge } from "../../../support/charges.js";
import { freshKey, type Loose } from "../../../support/emulator.js";
import { expectRefused } from "../../../support/refusals.js";
import { ownEmulator, sharedEmulator } from "../../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });

const post = (body: object, path = "/v1/charges") =>
  emulator.call("POST", path, { body, headers: { "idempotency-key": freshKey() } });
const create = (body: object = {}) => post({ amount: 1990, payment_method: "pix", ...body });

describe("a new charge", () => {
  it("is exactly what the contract describes", async () => {
    const { now } = await emulator.sandbox("/clock");
    const answer = await create({
      description: "Order 42",
      customer: { name: "Maria Silva", document: DOCUMENTS.cpf, email: "maria@example.com", phone: "+5511999990000" },
      expected_payer_tax_id: DOCUMENTS.cpf,
      metadata: { order: 42 },
    });
    expect(answer.status).toBe(201);
    const uuid = answer.body.id.slice(3);
    expect(expectCharge(answer.body)).toStrictEqual({
      id: expect.stringMatching(/^ch_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      object: "charge",
      amount: 1990,
      currency: "BRL",
      status: "pending",
      payment_method: "pix",
      customer: {
        name: "Maria Silva",
        document: DOCUMENTS.cpf,
        email: "maria@example.com",
        phone: "+5511999990000",
      },
      pix: {
        br_code: expect.any(String),
        qr_code_url: `${emulator.url}/qr/${uuid}.png`,
        expires_at: new Date(Date.parse(now) + 3_600_000).toISOString(),
        txid: expect.stringMatching(/^[a-zA-Z0-9]{26,35}$/),
      },
      checkout_url: expect.stringMatching(`^${emulator.url}/checkout/${uuid}\\?k=[\\w-]{20,}$`),
      settlement: {},
      metadata: { order: 42, description: "Order 42" },
      expected_payer_tax_id: DOCUMENTS.cpf,
      created_at: now,
    });
    expect(answer.body.pix.txid).not.toBe(answer.body.id);
  });

  it("is the same by the shortcut, where the method may be left out", async () => {
    for (const body of [{ amount: 5 }, { amount: 5, payment_method: "pix" }, { amount: 5, payment_method: null }]) {
      const answer = await post(body, "/v1/pix/charges");
      expect([answer.status, expectCharge(answer.body).payment_method]).toEqual([201, "pix"]);
    }
  });

  it("has a code that banks can read", async () => {
    for (const amount of [1, 1990, 100_000, 999_999_999_999]) {
      const { body } = await create({ amount });
      const code = parse(body.pix.br_code, true);
      expect(code?.getTagValue("01")).toBe("12");
      expect(code?.getTagValue("26", "25")).toBe(`pix.qa-pay.test/qr/v2/${body.id.slice(3).replaceAll("-", "")}`);
      expect(code?.getTagValue("53")).toBe("986");
      expect(Number(code?.getTagValue("54")).toFixed(2)).toBe((amount / 100).toFixed(2));
      expect(code?.getTagValue("58")).toBe("BR");
      expect(code?.getTagValue("62", "05")).toBe("***");
    }
  });

  it("contains its image instead of an address when the server was started with --qr base64", async () => {
    const other = await ownEmulator({ qr: "base64" });
    const { pix } = expectCharge(await other.charge());
    expect(pix).not.toHaveProperty("qr_code_url");
    expect(Buffer.from(pix.qr_code_base64, "base64").subarray(1, 4).toString()).toBe("PNG");
  });

  it("has an id, a txid and a checkout token of its own", async () => {
    const charges = await Promise.all(Array.from({ length: 20 }, () => emulator.charge()));
    for (const part of ["id", "checkout_url", "txid"]) {
      expect(new Set(charges.map((charge) => charge[part] ?? charge.pix[part])).size).toBe(20);
    }
  });
});

describe("currency", () => {
  it.each(["USD", "EUR", "brl", "", 986])("%o is refused: Pix is BRL", async (currency) => {
    expectRefused(await create({ currency }), "invalid_request", "currency");
  });

  it("BRL may be written out", async () => {
    expect((await create({ currency: "BRL" })).body.currency).toBe("BRL");
  });
});

it.each(["boleto", 1])("the payment_method %o is refused by both routes", async (payment_method) => {
  expectRefused(await create({ payment_method }), "invalid_request", "payment_method");
  expectRefused(await post({ amount: 100, payment_method }, "/v1/pix/charges"), "invalid_request", "payment_method");
});

describe("description", () => {
  it("is folded into metadata and wins over what is there", async () => {
    const { body } = await create({ description: "Order 42", metadata: { description: "other", a: 1 } });
    expect(body.metadata).toStrictEqual({ description: "Order 42", a: 1 });
  });

  it("in metadata alone stays", async () => {
    expect((await create({ metadata: { description: "other" } })).body.metadata).toEqual({ description: "other" });
  });

  it("may have 500 characters and not one more", async () => {
    const text = "é".repeat(500);
    expect((await create({ description: text })).body.metadata.description).toBe(text);
    expectRefused(await create({ description: `${text}x` }), "invalid_request", "description");
  });
});

it.each([
  [60, 60],
  [3_600, 3_600],
  [86_400, 86_400],
  [86_401, 86_400],
  [1e9, 86_400],
  [null, 3_600],
  [undefined, 3_600],
])("expires_in %o expires after %d seconds", async (expires_in, seconds) => {
  const { body } = await create({ expires_in });
  expect(Date.parse(body.pix.expires_at) - Date.parse(body.created_at)).toBe(seconds * 1_000);
});

describe("customer", () => {
  it("comes back with the fields that were sent, as they were sent", async () => {
    for (const customer of [
      {},
      { name: "Maria" },
      { document: DOCUMENTS.cpfPunctuated },
      { document: DOCUMENTS.alphanumericCnpjPunctuated, email: "m@example.com" },
      { name: "José Ñandú 😀", phone: "11 99999-0000" },
    ]) {
      expect(expectCharge((await create({ customer })).body).customer).toStrictEqual(customer);
    }
  });

  it.each([
    "52998224724",
    "11111111111",
    "12ABC34501DE36",
    "12abc34501de35",
    "12.abc.345/01de-35",
    "12.ABC.345/01dE-35",
    "12ABC34501DE35 ",
    "529.98224725",
    "",
  ])("may not have the document %o", async (document) => {
    expectRefused(await create({ customer: { document } }), "invalid_request", "customer.document");
    expect((await emulator.sandbox("/payments?limit=1")).data[0].customerDocument).not.toBe(document);
  });
});

describe("expected_payer_tax_id", () => {
  const { cpf, cpfPunctuated, otherCpf, cnpj, alphanumericCnpj, alphanumericCnpjPunctuated } = DOCUMENTS;

  it.each<[string, Loose]>([
    ["a CPF", { expected_payer_tax_id: cpf, customer: { name: "Maria" } }],
    ["a CNPJ", { expected_payer_tax_id: cnpj, customer: { name: "Loja" } }],
    ["a CNPJ with letters", { expected_payer_tax_id: alphanumericCnpj, customer: { name: "Loja" } }],
    ["the customer's own", { expected_payer_tax_id: cpf, customer: { name: "Maria", document: cpf } }],
    [
      "the customer's, punctuated there",
      { expected_payer_tax_id: cpf, customer: { name: "Maria", document: cpfPunctuated } },
    ],
    [
      "the customer's CNPJ with letters, punctuated there",
      { expected_payer_tax_id: alphanumericCnpj, customer: { name: "Loja", document: alphanumericCnpjPunctuated } },
    ],
  ])("may be %s, and comes back", async (_what, given) => {
    const { status, body } = await create(given);
    expect([status, body.expected_payer_tax_id]).toEqual([201, given.expected_payer_tax_id]);
    expectCharge(body);
  });

  it.each([
    "52998224724",
    "11111111111",
    "12ABC34501DE36",
    "12abc34501de35",
    cpfPunctuated,
    alphanumericCnpjPunctuated,
    "11.222.333/0001-81",
    " 52998224725",
  ])("%o is refused: it is bare, with capitals and right check digits", async (id) => {
    const answer = await create({ expected_payer_tax_id: id, customer: { name: "Maria" } });
    expectRefused(answer, "invalid_request", "expected_payer_tax_id");
  });

  it("must be the customer's document when both are sent", async () => {
    const answer = await create({ expected_payer_tax_id: cpf, customer: { name: "Maria", document: otherCpf } });
    expectRefused(answer, "invalid_request", "expected_payer_tax_id");
  });

  it.each([undefined, null, {}, { name: null }, { name: "" }, { name: "  " }, { name: "\u200b" }, { document: cpf }])(
    "needs a name in the customer %o",
    async (customer) => {
      expectRefused(await create({ expected_payer_tax_id: cpf, customer }), "invalid_request", "customer.name");
    },
  );
});

describe("metadata", () => {
  it("comes back as it was, whatever it holds", async () => {
    const metadata = { order: 42, nested: { list: [1, "2", null, { x: false }] }, "": "empty", "with space": 1.5 };
    expect((await create({ metadata })).body.metadata).toStrictEqual(metadata);
  });

  it("loses reserved keys and keys with an underscore, at the top level only", async () => {
    const metadata = { med: 1, failure: 2, _a: 3, __b: 4, _: 5, keep: { med: 1, failure: 2, _a: 3 }, Med: 6 };
    const { body } = await create({ metadata });
    expect(body.metadata).toStrictEqual({ keep: { med: 1, failure: 2, _a: 3 }, Med: 6 });
    const read = await emulator.call("GET", `/v1/charges/${body.id}`);
    expect(read.body.metadata).toStrictEqual(body.metadata);
  });
});
