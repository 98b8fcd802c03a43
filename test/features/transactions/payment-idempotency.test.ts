import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freshKey, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, postPayment, readPayment } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";

let emulator: TestEmulator;
let idempotencyKey: string;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});
afterAll(() => emulator.close());
beforeEach(() => {
  idempotencyKey = freshKey();
});

const create = (body: object = {}, key = emulator.key) => postPayment(emulator, { idempotencyKey, ...body }, { key });
const total = async (key = emulator.key) => (await emulator.call("GET", "/v1/payments", { key })).body.total;

describe("idempotencyKey", () => {
  it.each([undefined, null, "", "k".repeat(256), 42, true, [], {}])("may not be %o", async (value) => {
    const before = await total();
    expectRefused(await create({ idempotencyKey: value }), "invalid_request", "idempotencyKey");
    expect(await total()).toBe(before);
  });

  it.each([1, 7, 8, 128, 255])("may have %d characters", async (length) => {
    const body = { idempotencyKey: "k".repeat(length) };
    const first = await create(body);
    expect([first.status, (await create(body)).body.id]).toEqual([201, first.body.id]);
  });

  it("is not the header of charges", async () => {
    const body = { amount: 1, paymentMethods: ["PIX"] };
    const headers = { "idempotency-key": freshKey() };
    const answer = await emulator.call("POST", "/v1/payments", { body, headers });
    expectRefused(answer, "invalid_request", "idempotencyKey");
  });

  it("may hold any characters, and is compared as it is", async () => {
    const ids = new Set<string>();
    for (const value of ["pedido/42 á😀", "PEDIDO/42 á😀", " pedido/42 á😀", "pedido/42 á😀 "]) {
      ids.add((await create({ idempotencyKey: value })).body.id);
    }
    expect(ids.size).toBe(4);
  });
});

describe("the same request again", () => {
  it("gets the original answer, marked as a replay, and creates nothing", async () => {
    const first = await create({ metadata: { b: 1, a: { d: 1, c: 2 } } });
    expect([first.status, first.headers.has("idempotent-replayed")]).toEqual([201, false]);
    const before = [await total(), (await emulator.sandbox("/events?limit=1")).data[0].id];
    const again = await create({ metadata: { a: { c: 2, d: 1 }, b: 1 } });
    expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([201, "true"]);
    expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body));
    expect([await total(), (await emulator.sandbox("/events?limit=1")).data[0].id]).toEqual(before);
  });

  it("gets the original answer, whatever has happened to the payment", async () => {
    const first = await create();
    await emulator.call("POST", `/v1/payments/${first.body.id}/cancel`);
    await emulator.sandbox("/clock/advance", { seconds: 40 * 86_400 });
    expect((await create()).body).toEqual(first.body);
    expect((await readPayment(emulator, first.body.id)).status).toBe("CANCELLED");
  });

  it.each<[string, object]>([
    ["amount", { amount: 1991 }],
    ["methods", { paymentMethods: ["BOLETO"] }],
    ["order of methods", { paymentMethods: ["PIX", "BOLETO"] }],
    ["customer", { customerName: "João" }],
    ["metadata", { metadata: { order: 43 } }],
    ["hidden metadata", { metadata: { _sandbox: { pay_after: 1 } } }],
    ["webhook URL", { webhookUrl: "https://shop.example/hooks" }],
    ["spelling of a default", { currency: "BRL" }],
    ["null in the place of nothing", { customerId: null }],
    ["empty object in the place of nothing", { items: {} }],
    ["field that nobody reads", { items: [{ sku: "A1" }] }],
  ])("with another %s is refused and changes nothing", async (_what, change) => {
    const first = await create();
    const before = await total();
    expectRefused(await create(change), "idempotency_key_reused");
    expect(await total()).toBe(before);
    expect((await create()).body).toEqual(first.body);
  });

  it("finds the key unused when the first one was refused", async () => {
    expect((await create({ amount: 0 })).status).toBe(400);
    expect((await create({ currency: "EUR" })).status).toBe(422);
    expect((await create({ paymentMethods: ["MBWAY"], currency: "EUR" })).status).toBe(400);
    const answer = await create();
    expect([answer.status, answer.headers.has("idempotent-replayed")]).toEqual([201, false]);
  });

  it("twenty times at once makes one payment", async () => {
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.has("idempotent-replayed"))).toHaveLength(19);
    expect(await total()).toBe(before + 1);
  });

  it("twenty times at once with other bodies makes one payment and nineteen refusals", async () => {
    const before = await total();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => create({ amount: 100 + index })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
    expect(await total()).toBe(before + 1);
  });
});

describe("the scope of a key", () => {
  it("is payments only: a charge and a refund may use the same key", async () => {
    const { body: made } = await create();
    const charge = await emulator.charge({ amount: 1990 }, { headers: { "idempotency-key": idempotencyKey } });
    expect(charge.id).not.toBe(`ch_${made.id}`);
    await emulator.sandbox(`/charges/${made.id}/pay`);
    const refund = await emulator.call("POST", `/v1/payments/${made.id}/refund`, { body: { idempotencyKey } });
    expect([refund.status, refund.headers.has("idempotent-replayed")]).toEqual([201, false]);
    expect((await create()).body.id).toBe(made.id);
  });

  it("is one account and mode", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    const keys = [emulator.key, emulator.live, second.test_key, second.live_key];
    const ids: string[] = [];
    for (const [index, key] of keys.entries()) {
      const { status, body } = await create({ amount: 100 + index }, key);
      expect(status).toBe(201);
      ids.push(body.id);
    }
    expect(new Set(ids).size).toBe(4);
    for (const [index, key] of keys.entries())
      expect((await create({ amount: 100 + index }, key)).body.id).toBe(ids[index]);
  });

  it("ends with a reset", async () => {
    const { body } = await create();
    await emulator.sandbox("/reset");
    const anew = await create();
    expect([anew.status, anew.headers.has("idempotent-replayed")]).toEqual([201, false]);
    expect(anew.body.id).not.toBe(body.id);
    expect(await payment(emulator)).toMatchObject({ status: "WAITING_PAYMENT" });
  });
});
