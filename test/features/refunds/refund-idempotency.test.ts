import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { balance } from "../../support/charges.js";
import { type Answer, freshKey, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, postPayment } from "../../support/payments.js";
import { advanceRefund, paidPayment, postRefund, refundsOf } from "../../support/refunds.js";
import { expectRefused } from "../../support/refusals.js";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});
afterAll(() => emulator.close());

const paid = async () => (await paidPayment(emulator, { amount: 1000 })).id;
const ask = (id: string, body: object) => postRefund(emulator, id, body);
const isReplay = ({ headers }: Answer) => headers.get("idempotent-replayed");

describe("a refund's idempotency key", () => {
  it("returns the original refund again, whichever id names the payment", async () => {
    const id = await paid();
    const body = { idempotencyKey: freshKey(), amount: 400, reason: "twice" };
    const first = await ask(id, body);
    expect([first.status, isReplay(first)]).toEqual([201, null]);
    for (const name of [id, `tx_${id}`, id]) {
      const again = await ask(name, body);
      expect([again.status, isReplay(again), again.body]).toEqual([201, "true", first.body]);
    }
    expect(await refundsOf(emulator, id)).toStrictEqual([first.body]);
  });

  it("returns the first answer, whatever has happened to the refund", async () => {
    const id = await paid();
    const body = { idempotencyKey: freshKey() };
    const first = await ask(id, body);
    await advanceRefund(emulator, first.body.id, "REFUNDED");
    const again = await ask(id, body);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.body.status).toBe("PENDING");
  });

  it("takes the same members in another order for the same request", async () => {
    const id = await paid();
    const idempotencyKey = freshKey();
    const first = await ask(id, { idempotencyKey, amount: 10, reason: "a" });
    const again = await emulator.call("POST", `/v1/payments/${id}/refund`, {
      raw: `{ "reason": "a", "amount": 10, "idempotencyKey": "${idempotencyKey}" }`,
    });
    expect([again.status, isReplay(again), again.body]).toEqual([201, "true", first.body]);
  });

  it("is refused with another body", async () => {
    const id = await paid();
    const idempotencyKey = freshKey();
    const first = await ask(id, { idempotencyKey, amount: 10 });
    const others = [
      { reason: "x" },
      { strategy: "cashout" },
      { passFeeToTenant: false },
      { reason: null },
      { note: 1 },
    ];
    for (const other of [{}, { amount: 11 }, ...others.map((one) => ({ amount: 10, ...one }))]) {
      expectRefused(await ask(id, { idempotencyKey, ...other }), "idempotency_key_reused");
    }
    expect(await refundsOf(emulator, id)).toStrictEqual([first.body]);
  });

  it("is refused for another payment with the same body", async () => {
    const [one, two] = [await paid(), await paid()];
    const body = { idempotencyKey: freshKey(), amount: 10 };
    await ask(one, body);
    for (const name of [two, `tx_${two}`]) expectRefused(await ask(name, body), "idempotency_key_reused");
    expect(await refundsOf(emulator, two)).toEqual([]);
  });

  it.each([8, 128])("may have %d characters", async (length) => {
    const id = await paid();
    const idempotencyKey = `${freshKey()}${"k".repeat(128)}`.slice(-length);
    const { status } = await ask(id, { idempotencyKey: idempotencyKey.padStart(length, "k"), amount: 1 });
    expect(status).toBe(201);
  });

  it.each([
    ["7 characters", "k".repeat(7)],
    ["129 characters", "k".repeat(129)],
    ["none at all", ""],
    ["null", null],
  ])("may not have %s", async (_what, idempotencyKey) => {
    const id = await paid();
    expectRefused(await ask(id, { idempotencyKey, amount: 1 }), "invalid_request", "idempotencyKey");
    expect(await refundsOf(emulator, id)).toEqual([]);
  });

  it("is a field of the body: a header does not stand in for it", async () => {
    const id = await paid();
    const headers = { "idempotency-key": freshKey() };
    const answer = await emulator.call("POST", `/v1/payments/${id}/refund`, { headers, body: { amount: 1 } });
    expectRefused(answer, "invalid_request", "idempotencyKey");
  });

  it("is compared as it was sent, never trimmed", async () => {
    const id = await paid();
    const idempotencyKey = freshKey();
    const first = await ask(id, { idempotencyKey, amount: 1 });
    const other = await ask(id, { idempotencyKey: ` ${idempotencyKey}`, amount: 1 });
    expect([other.status, isReplay(other)]).toEqual([201, null]);
    expect(other.body.id).not.toBe(first.body.id);
  });

  it("is still unused after a refusal by a guard or by validation", async () => {
    const { id } = await payment(emulator, { amount: 1000 });
    const idempotencyKey = freshKey();
    expectRefused(await ask(id, { idempotencyKey }), "invalid_request");
    await emulator.sandbox(`/charges/${id}/pay`);
    expectRefused(await ask(id, { idempotencyKey, amount: 1001 }), "invalid_amount", "amount");
    expectRefused(await ask(id, { idempotencyKey, amount: "x" }), "invalid_amount", "amount");
    expectRefused(await ask("unknown", { idempotencyKey }), "not_found");
    const answer = await ask(id, { idempotencyKey });
    expect([answer.status, isReplay(answer)]).toEqual([201, null]);
  });

  it("of refunds is not that of payments or charges", async () => {
    const key = freshKey();
    const created = await postPayment(emulator, { amount: 1000, idempotencyKey: key });
    expect(created.status).toBe(201);
    await emulator.charge({}, { headers: { "idempotency-key": key } });
    await emulator.sandbox(`/charges/${created.body.id}/pay`);
    const answer = await ask(created.body.id, { idempotencyKey: key });
    expect([answer.status, isReplay(answer)]).toEqual([201, null]);
  });

  it("is of one mode: the other may use the same", async () => {
    const [here, there] = [await paid(), await paidPayment(emulator, {}, {}, { key: emulator.live })];
    const body = { idempotencyKey: freshKey(), amount: 5 };
    expect(isReplay(await ask(here, body))).toBeNull();
    const answer = await postRefund(emulator, there.id, body, { key: emulator.live });
    expect([answer.status, isReplay(answer)]).toEqual([201, null]);
  });

  it("makes one refund of many requests at the same time", async () => {
    const id = await paid();
    const before = (await balance(emulator)).available;
    const body = { idempotencyKey: freshKey(), amount: 100 };
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, body)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(new Set(answers.map((answer) => answer.body.id)).size).toBe(1);
    expect(answers.filter(isReplay)).toHaveLength(9);
    expect((await balance(emulator)).available).toBe(before - 100);
  });

  it("does not let refunds that race take more than there is", async () => {
    const id = await paid();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, { amount: 300 })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expectRefused(answer, "invalid_amount", "amount");
    }
  });
});
