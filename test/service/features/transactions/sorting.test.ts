import { beforeAll, describe, expect, it } from "vitest";
import { PaymentShape } from "../../../../src/service/features/transactions/payment-resource.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS, refundInFull, withDeclaredTexts } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** 4.7 sortBy: every field of the read shape sorts by what the answer shows. */

const FIELDS = Object.keys(PaymentShape.shape);
const HOUR = 3_600;

const fees = { PIX: { provider: { fixed: 5, bps: 0 }, platform: { fixed: 0, bps: 100 } } };
const emulator = sharedEmulator({ frozen: true, fees });

const get = (query: string) => emulator.call("GET", `/v1/payments?${query}`);
async function list(query: string): Promise<Loose[]> {
  const answer = await get(query);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}
const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
const act = (id: string, what: string, body: object = {}) => emulator.sandbox(`/charges/${id}/${what}`, body);
const three = (more: object = {}) => ({ paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"], ...more });
const eur = (more: object = {}) => ({
  currency: "EUR",
  paymentMethods: ["CREDIT_CARD", "MBWAY", "MULTIBANCO"],
  metadata: { phone: "+351912345678" },
  ...more,
});

/** Payments of every kind, each with what becomes of it at once. */
const EARLY: readonly (readonly [body: object, becomes?: (id: string) => Promise<unknown>])[] = [
  [
    withDeclaredTexts("payment", { amount: 500, customerName: "Bia", customerEmail: "z@example.com" }),
    (id) => act(id, "pay"),
  ],
  [{ ...REQUESTS.CREDIT_CARD, amount: 300, customerName: "Ana", customerDocument: "9" }, (id) => act(id, "pay")],
  [{ ...REQUESTS.BOLETO, amount: 400, customerName: "bia", customerDocument: "1" }, (id) => act(id, "fail")],
  [
    three({ amount: 100, customerName: "Éva", metadata: { a: { b: 1 } } }),
    (id) => act(id, "pay", { method: "BOLETO" }),
  ],
  [three({ amount: 100, customerName: "\u{1F600}" }), (id) => act(id, "pay", { method: "CREDIT_CARD" })],
  [three({ amount: 100, customerName: "\uFF21" }), (id) => act(id, "pay", { method: "PIX" })],
  [three(), (id) => emulator.call("POST", `/v1/payments/${id}/cancel`)],
  [three({ metadata: { _sandbox: { fail: "AC06" } } })],
  [{ ...REQUESTS.MULTIBANCO, amount: 200, customerEmail: "a@example.com" }, (id) => act(id, "pay")],
  [eur({ amount: 200 }), (id) => act(id, "pay", { method: "MBWAY" })],
  [eur(), (id) => act(id, "pay", { method: "MULTIBANCO" })],
  [{ ...REQUESTS.MBWAY, amount: 500 }, (id) => act(id, "expire")],
  [{ ...REQUESTS.CRYPTO, amount: 7_000_000 }],
  [{ ...REQUESTS.CRYPTO, currency: "USDC", amount: 123_456_789 }],
  [{ ...REQUESTS.CRYPTO, currency: "BTC", amount: 300 }, (id) => act(id, "pay")],
  [{ amount: 900, metadata: { a: "b" } }, (id) => act(id, "pay").then(() => refundInFull(emulator, id))],
  [{ amount: 901 }, (id) => act(id, "pay").then(() => emulator.sandbox("/med-cases", { charge_id: id }))],
  [three({ amount: 902 })],
  [eur({ amount: 903 })],
];
/** Made when the Pix and the card of those that still wait have run out. */
const LATE: typeof EARLY = [
  [three({ amount: 1 })],
  [eur({ amount: 101 })],
  [{ paymentMethods: ["CREDIT_CARD", "PIX"], amount: 300 }],
  [{ paymentMethods: ["PIX", "BOLETO"], amount: 300, metadata: { 10: 1, 9: "\u00e9" } }],
  [REQUESTS.BOLETO],
  [REQUESTS.MULTIBANCO],
];

async function make(given: typeof EARLY): Promise<void> {
  for (const [body, becomes] of given) {
    const { id } = await payment(emulator, body);
    await advance(7);
    await becomes?.(id);
  }
}

/** A value as something that can be compared: nothing first, numbers by size, texts by code point. */
function compare(one: unknown, other: unknown): number {
  if (one === null || other === null) return Number(other === null) - Number(one === null);
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [a, b] = [one, other].map((value) => {
    if (typeof value === "string") return Buffer.from(value);
    return Buffer.from(Array.isArray(value) ? value.join() : JSON.stringify(value));
  }) as [Buffer, Buffer];
  return Buffer.compare(a, b);
}

describe("sortBy", () => {
  /** In order of creation. */
  let made: Loose[];
  const ids = (items: Loose[]) => items.map(({ id }) => id);

  beforeAll(async () => {
    await make(EARLY);
    await advance(2 * HOUR);
    await make(LATE);
    made = await list("limit=100&sortOrder=asc");
  });

  it("is tested on payments with several values of each field, and without a value where that is possible", () => {
    expect(made).toHaveLength(EARLY.length + LATE.length);
    for (const field of FIELDS) {
      const values = made.map((item) => JSON.stringify(item[field]));
      expect([field, new Set(values).size]).toEqual([field, expect.toSatisfy((count: number) => count > 1)]);
    }
    const missing = FIELDS.filter((field) => made.some((item) => item[field] === null));
    expect(missing).toEqual(FIELDS.filter((field) => PaymentShape.shape[field as "id"].safeParse(null).success));
  });

  it.each(FIELDS)("%s sorts by what is shown, equal ones as they were created, and backwards", async (field) => {
    const expected = made.map((item, index) => ({ item, index }));
    expected.sort((one, other) => compare(one.item[field], other.item[field]) || one.index - other.index);
    const ascending = ids(expected.map(({ item }) => item));
    expect(ids(await list(`limit=100&sortBy=${field}&sortOrder=asc`))).toEqual(ascending);
    for (const order of ["", "&sortOrder=desc"]) {
      expect(ids(await list(`limit=100&sortBy=${field}${order}`))).toEqual(ascending.toReversed());
    }
  });

  it.each(FIELDS)("%s has pages that follow each other, and goes together with filters", async (field) => {
    const filter = `sortBy=${field}&sortOrder=asc&status=WAITING_PAYMENT&startDate=${made[1].createdAt}`;
    const all = await list(`limit=100&${filter}`);
    expect(all.length).toBeGreaterThan(6);
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`limit=3&page=${page}&${filter}`)));
    expect(pages.flat()).toEqual(all.slice(0, 12));
    expect((await get(`page=99&${filter}`)).body).toMatchObject({ data: [], total: all.length });
  });

  it("names its fields when another one is requested", async () => {
    const { message } = expectRefused(await get("sortBy=txid"), "invalid_request", "sortBy");
    expect(message).toBe(`sortBy must be one of ${FIELDS.join(", ")}`);
  });
});

describe("sortBy a code that SQL cannot compute", () => {
  const CODES = ["pixQrCode", "mbReference", "boletoBarcode", "boletoLine", "cryptoAddress"];

  it("takes at most as many payments as it computes at once, and says how to have fewer", async () => {
    await emulator.sandbox("/reset");
    const { id } = await payment(emulator, REQUESTS.BOLETO);
    await act(id, "pay");
    await Promise.all(Array.from({ length: 500 }, () => payment(emulator, REQUESTS.MBWAY)));
    for (const field of CODES) {
      for (const page of [1, 99]) {
        const answer = await get(`sortBy=${field}&page=${page}`);
        expect(expectRefused(answer, "invalid_request", "sortBy").message).toBe(
          `sortBy sorts 500 payments by ${field} at most, and 501 match: narrow the list by status, startDate or endDate, or sort by another field`,
        );
      }
    }
    expect(ids(await list("sortBy=boletoBarcode&status=PAID"))).toEqual([`tx_${id}`]);
    expect(await list("sortBy=boletoBarcode&status=WAITING_PAYMENT&limit=1")).toHaveLength(1);
  });

  const ids = (items: Loose[]) => items.map(({ id }) => id);
});
