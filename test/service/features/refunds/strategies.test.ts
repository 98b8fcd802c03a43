import { beforeEach, describe, expect, it } from "vitest";
import { isEndToEndId } from "../../../../src/base/pix/ids.js";
import { balance } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { REQUESTS, readPayment } from "../../../support/payments.js";
import { advanceRefund, paidPayment, postAdvance, postRefund, refund, refundsOf } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";
import { advance } from "../../../support/webhooks.js";

/** 50 centavos and 1 % of what is sent. */
const PIX_OUT = { provider: { fixed: 50, bps: 0 }, platform: { fixed: 0, bps: 100 } };
const DAY = 86_400;

const emulator = sharedEmulator({ frozen: true, fees: { PIX_OUT } });
beforeEach(() => emulator.sandbox("/reset"));

const paid = (body: object = {}, paying: object = {}) => paidPayment(emulator, { amount: 10_000, ...body }, paying);
const ask = (id: string, body: object) => postRefund(emulator, id, body);
const available = async () => (await balance(emulator)).available;
const only = async (id: string): Promise<Loose> => (await refundsOf(emulator, id))[0];

/** The states and ids of a refund at every step that it takes by itself. */
async function life(id: string): Promise<Loose[]> {
  const seen: Loose[] = [await only(id)];
  for (let step = 0; step < 2; step += 1) {
    await advance(emulator, 2);
    seen.push(await only(id));
  }
  return seen.map(({ status, endToEndId, failureReason }) => ({ status, endToEndId, failureReason }));
}

describe("a devolution", () => {
  it("has its return id from the start to the end", async () => {
    const { id } = await paid();
    await refund(emulator, id, { strategy: "devolution" });
    const [{ endToEndId, strategy }] = await refundsOf(emulator, id);
    expect([strategy, isEndToEndId(endToEndId, "D")]).toEqual(["devolution", true]);
    expect(await life(id)).toEqual(
      ["PENDING", "IN_PROGRESS", "REFUNDED"].map((status) => ({ status, endToEndId, failureReason: null })),
    );
  });

  it("has an id of its own for every part, with the minute of the return", async () => {
    const { id } = await paid();
    await advance(emulator, 3_600);
    const { now } = await emulator.sandbox("/clock");
    const minute = now.replace(/\D/g, "").slice(0, 12);
    const ids: string[] = [];
    for (const amount of [1, 2, 3]) {
      await refund(emulator, id, { amount, strategy: "devolution" });
      ids.push((await refundsOf(emulator, id))[0].endToEndId);
    }
    expect(new Set(ids).size).toBe(3);
    expect(ids.map((text) => text.slice(9, 21))).toEqual([minute, minute, minute]);
  });

  it("keeps its id when it fails", async () => {
    const { id } = await paid();
    const made = await refund(emulator, id, { strategy: "devolution" });
    const [{ endToEndId }] = await refundsOf(emulator, id);
    const failed = await advanceRefund(emulator, made.id, "FAILED");
    expect(failed).toMatchObject({ status: "FAILED", endToEndId });
    expect(failed.failureReason).toEqual(expect.any(String));
  });

  it("is possible for 90 days after settlement, to the millisecond", async () => {
    const charge = await emulator.charge({ amount: 10_000, expires_in: 86_400 });
    const id = charge.id.replace("ch_", "");
    // The settlement opens the window, not the creation.
    await advance(emulator, DAY / 2);
    await emulator.sandbox(`/charges/${id}/pay`);
    await advance(emulator, 90 * DAY - 0.001);
    expect((await ask(id, { amount: 1, strategy: "devolution" })).status).toBe(201);
    await advance(emulator, 0.001);
    expectRefused(await ask(id, { amount: 1, strategy: "devolution" }), "unprocessable_entity");
    await advance(emulator, 365 * DAY);
    expectRefused(await ask(id, { amount: 1, strategy: "devolution" }), "unprocessable_entity");
    expect((await ask(id, { amount: 1, strategy: "cashout" })).status).toBe(201);
    expect((await ask(id, { amount: 1 })).status).toBe(201);
    expect(await refundsOf(emulator, id)).toHaveLength(3);
  });

  it("that was accepted in time arrives after it", async () => {
    const { id } = await paid();
    await advance(emulator, 90 * DAY - 1);
    await refund(emulator, id, { strategy: "devolution" });
    await advance(emulator, 4);
    expect((await readPayment(emulator, id)).status).toBe("REFUNDED");
  });

  it("goes where the money came from and costs no fee", async () => {
    const { id } = await paid();
    const devolution = { strategy: "devolution" };
    expectRefused(await ask(id, { ...devolution, destinationKey: "a@b.example" }), "invalid_request", "destinationKey");
    expectRefused(await ask(id, { ...devolution, passFeeToTenant: true }), "invalid_request", "passFeeToTenant");
    expect((await ask(id, { ...devolution, passFeeToTenant: false, amount: 4_000 })).status).toBe(201);
    expect(await available()).toBe(6_000);
  });
});

describe("a cashout", () => {
  it("has an end-to-end id of its own once it is sent", async () => {
    const { id } = await paid();
    const { endToEndId: original } = (await emulator.sandbox(`/events?subject=${id}&type=charge.paid`)).data[0].payload
      .data.object.settlement;
    await refund(emulator, id, { strategy: "cashout" });
    const [pending, sent, arrived] = await life(id);
    expect(pending).toEqual({ status: "PENDING", endToEndId: null, failureReason: null });
    expect(isEndToEndId(sent.endToEndId, "E")).toBe(true);
    expect(sent.endToEndId).not.toBe(original);
    expect(arrived).toEqual({ status: "REFUNDED", endToEndId: sent.endToEndId, failureReason: null });
  });

  it.each([
    "maria@example.com",
    "+5511987654321",
    "52998224725",
    "12ABC34501DE35",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
  ])("arrives at the key %s", async (destinationKey) => {
    const { id } = await paid();
    const body = await refund(emulator, id, { destinationKey });
    expect(JSON.stringify(body)).not.toContain(destinationKey);
    expect((await life(id)).at(-1)).toMatchObject({ status: "REFUNDED" });
    expect((await readPayment(emulator, id)).status).toBe("REFUNDED");
  });

  it("goes to the payer's document, which no answer shows", async () => {
    const { id } = await paid({}, { payer_document: "11.222.333/0001-81" });
    await refund(emulator, id);
    expect((await life(id)).at(-1)).toMatchObject({ status: "REFUNDED" });
    expect(JSON.stringify(await refundsOf(emulator, id))).not.toContain("11222333000181");
  });

  it.each([
    "nobody@shop.invalid",
    "00000000-0000-0000-0000-000000000000",
    "11111111111",
    "529.982.247-25",
    "not a key",
  ])("to %s ends FAILED by itself, with the money back", async (destinationKey) => {
    const { id } = await paid();
    await refund(emulator, id, { destinationKey, passFeeToTenant: true });
    expect(await available()).toBe(10_000 - 10_000 - 50 - 100);
    expect(await life(id)).toEqual([
      { status: "PENDING", endToEndId: null, failureReason: null },
      { status: "IN_PROGRESS", endToEndId: null, failureReason: null },
      { status: "FAILED", endToEndId: null, failureReason: expect.stringMatching(/key/) },
    ]);
    expect([await available(), (await readPayment(emulator, id)).status]).toEqual([10_000, "PAID"]);
    expect((await refund(emulator, id)).amount).toBe(10_000);
  });

  it("that cannot arrive does not arrive by the simulator either", async () => {
    const { id } = await paid();
    const { id: refundId } = await refund(emulator, id, { destinationKey: "nobody@shop.invalid" });
    expectRefused(await postAdvance(emulator, refundId, "REFUNDED"), "invalid_request");
    expect(await only(id)).toMatchObject({ status: "PENDING" });
    expect(await advanceRefund(emulator, refundId, "IN_PROGRESS")).toMatchObject({ endToEndId: null });
    expectRefused(await postAdvance(emulator, refundId, "REFUNDED"), "invalid_request");
    expect((await advanceRefund(emulator, refundId, "FAILED")).status).toBe("FAILED");
  });
});

describe("the fee of a cashout", () => {
  it("is not charged by default", async () => {
    const { id } = await paid();
    await refund(emulator, id, { amount: 4_000 });
    await refund(emulator, id, { amount: 1_000, passFeeToTenant: false });
    expect(await available()).toBe(5_000);
  });

  it("is taken from the wallet beside the amount when it is passed on, and is no part of the refund", async () => {
    const { id } = await paid();
    const { amount, id: refundId } = await refund(emulator, id, { amount: 5_000, passFeeToTenant: true });
    expect([amount, await available()]).toEqual([5_000, 10_000 - 5_000 - 50 - 50]);
    await advanceRefund(emulator, refundId, "REFUNDED");
    expect(await available()).toBe(4_900);
    expect((await refund(emulator, id)).amount).toBe(5_000);
  });

  it("may overdraw the wallet", async () => {
    const { id } = await paid();
    await refund(emulator, id, { passFeeToTenant: true });
    expect(await available()).toBe(-150);
    await advance(emulator, 4);
    expect([await available(), (await readPayment(emulator, id)).status]).toEqual([-150, "REFUNDED"]);
  });

  it("comes back with the amount when the refund fails", async () => {
    const { id } = await paid();
    const { id: refundId } = await refund(emulator, id, { amount: 333, passFeeToTenant: true });
    expect(await available()).toBe(10_000 - 333 - 50 - 3);
    await advanceRefund(emulator, refundId, "FAILED");
    expect(await available()).toBe(10_000);
  });
});

describe("a refund of a card", () => {
  it.each([
    ["strategy", "cashout"],
    ["strategy", "devolution"],
    ["passFeeToTenant", true],
    ["destinationKey", "maria@example.com"],
  ])("takes no %s %j", async (name, value) => {
    const { id } = await paid(REQUESTS.CREDIT_CARD);
    expectRefused(await ask(id, { [name]: value }), "invalid_request", name);
    expect([await refundsOf(emulator, id), await available()]).toEqual([[], 10_000]);
  });

  it("takes the default passFeeToTenant, has no window and no end-to-end id", async () => {
    const { id } = await paid(REQUESTS.CREDIT_CARD);
    await advance(emulator, 400 * DAY);
    await refund(emulator, id, { passFeeToTenant: false });
    expect(await life(id)).toEqual(
      ["PENDING", "IN_PROGRESS", "REFUNDED"].map((status) => ({ status, endToEndId: null, failureReason: null })),
    );
    expect(await available()).toBe(0);
  });
});
