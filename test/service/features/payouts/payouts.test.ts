import { beforeEach, describe, expect, it } from "vitest";
import { isEndToEndId } from "../../../../src/base/pix/ids.js";
import { balance } from "../../../support/charges.js";
import type { CallOptions, Loose } from "../../../support/emulator.js";
import { openCase } from "../../../support/med.js";
import { paidPayment } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";
import { advance } from "../../../support/webhooks.js";

/**
 * Payouts have no route of the service: the simulator raises them (docs/service/payouts.md,
 * docs/decisions/017-refunds.md).
 */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const post = (path: string, body?: unknown, options: CallOptions = {}) =>
  emulator.call("POST", `/_sandbox/payouts${path}`, { ...options, ...(body === undefined ? {} : { body }) });
const payout = (body: object = {}): Promise<Loose> => emulator.sandbox("/payouts", { amount: 500, ...body });
const available = async (query = "") => (await balance(emulator, emulator.key, query)).available;
const events = async (): Promise<Loose[]> => (await emulator.sandbox("/events?limit=100")).data.reverse();
const names = async () => (await events()).map(({ type }) => type);

describe("a requested payout", () => {
  it("is pending and has exactly the fields of the public object", async () => {
    const { now } = await emulator.sandbox("/clock");
    const { status, body } = await post("", { amount: 500, pix_key: "maria@example.com" });
    expect(status).toBe(201);
    expect(body).toStrictEqual({
      id: expect.stringMatching(/^po_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      object: "payout",
      amount: 500,
      currency: "BRL",
      status: "pending",
      destination: { pix_key: "maria@example.com", pix_key_type: "EMAIL" },
      end_to_end_id: null,
      failure_reason: null,
      metadata: {},
      created_at: now,
    });
  });

  it("needs only an amount: there is a sample key", async () => {
    const { destination } = await payout();
    expect(destination).toEqual({ pix_key: expect.stringMatching(/^\d{11}$/), pix_key_type: "CPF" });
  });

  it.each(["br", "REAL$", "BRLBRLBRL", 986])("is not in the currency %j", async (currency) => {
    expectRefused(await post("", { amount: 1, currency }), "invalid_request", "currency");
  });
});

describe("the Pix key of a payout", () => {
  it.each([
    ["52998224725", "CPF"],
    ["11222333000181", "CNPJ"],
    ["12ABC34501DE35", "CNPJ"],
    ["maria@example.com", "EMAIL"],
    ["+5511987654321", "PHONE"],
    ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "RANDOM"],
  ])("%s is a %s, named or not", async (pix_key, pix_key_type) => {
    const destination = { pix_key, pix_key_type };
    expect((await payout({ pix_key })).destination).toEqual(destination);
    expect((await payout({ pix_key, pix_key_type })).destination).toEqual(destination);
  });

  it.each(["529.982.247-25", "52998224724", "Maria@Example.com", "5511987654321", "not a key", "", 5])(
    "is not %j",
    async (pix_key) => {
      expectRefused(await post("", { amount: 1, pix_key }), "invalid_request", "pix_key");
      expect([await available(), await names()]).toEqual([0, []]);
    },
  );

  it("is of the type that is named, if one is", async () => {
    const wrong = { amount: 1, pix_key: "maria@example.com", pix_key_type: "CPF" };
    expectRefused(await post("", wrong), "invalid_request", "pix_key_type");
    expectRefused(await post("", { ...wrong, pix_key_type: "email" }), "invalid_request", "pix_key_type");
  });

  it.each(["CPF", "CNPJ", "EMAIL", "PHONE", "RANDOM"])("is a sample when only %s is named", async (pix_key_type) => {
    const { status, body } = await post("", { amount: 1, pix_key_type });
    expect([status, body.destination.pix_key_type]).toEqual([201, pix_key_type]);
  });
});

describe("the bank's answer to a payout", () => {
  it("settles it: paid, with an end-to-end id", async () => {
    const made = await payout();
    const { status, body } = await post(`/${made.id}/pay`);
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ...made, status: "paid", end_to_end_id: expect.any(String) });
    expect(isEndToEndId(body.end_to_end_id, "E")).toBe(true);
  });

  it("refuses it: failed, with the reason", async () => {
    const made = await payout();
    const { status, body } = await post(`/${made.id}/fail`, { reason: "account closed" });
    expect(status).toBe(200);
    expect(body).toStrictEqual({ ...made, status: "failed", failure_reason: "account closed" });
  });

  it.each([undefined, {}, { reason: null }])("refuses it with the reason of %j", async (told) => {
    const { id } = await payout();
    expect((await post(`/${id}/fail`, told)).body).toMatchObject({
      status: "failed",
      failure_reason: expect.stringMatching(/\S/),
      end_to_end_id: null,
    });
  });

  it("has a reason of at most 500 characters", async () => {
    const { id } = await payout();
    expectRefused(await post(`/${id}/fail`, { reason: "r".repeat(501) }), "invalid_request", "reason");
    expect((await post(`/${id}/fail`, { reason: "r".repeat(500) })).status).toBe(200);
  });

  it.each([
    ["pay", "pay"],
    ["pay", "fail"],
    ["fail", "pay"],
    ["fail", "fail"],
  ])("is decided once: after %s there is no %s", async (first, second) => {
    const { id } = await payout();
    await post(`/${id}/${first}`);
    const [money, told] = [await available(), await names()];
    expectRefused(await post(`/${id}/${second}`), "invalid_request");
    expect([await available(), await names()]).toEqual([money, told]);
  });

  it("never comes without a request", async () => {
    await payout();
    await advance(emulator, 365 * 86_400);
    expect(await names()).toEqual(["payout.created", "withdrawal.created"]);
  });
});

it("the wallet may be overdrawn by it", async () => {
  const { id } = await payout({ amount: 999_999_999_999 });
  expect(await available()).toBe(-999_999_999_999);
  await post(`/${id}/fail`);
  expect(await available()).toBe(0);
});

describe("a payout that may not overdraw the wallet", () => {
  const created = async (body: object) => (await post("", { overdraw: false, ...body })).status;

  it("takes all that is available, and not one centavo more", async () => {
    await paidPayment(emulator, { amount: 2_000 });
    const [before, told] = [await balance(emulator), await names()];
    const refused = await post("", { amount: 2_001, overdraw: false });
    expectRefused(refused, "unprocessable_entity", "overdraw");
    expect(refused.body.error.message).toBe("overdraw must be true for a payout of R$ 20,01: R$ 20,00 available");
    expect([await balance(emulator), await names()]).toEqual([before, told]);
    expect(await created({ amount: 2_000 })).toBe(201);
    expect(await available()).toBe(0);
  });

  it("is of a wallet with money in it: nothing comes of an empty one", async () => {
    expectRefused(await post("", { amount: 1, overdraw: false }), "unprocessable_entity", "overdraw");
    await payout({ amount: 5 });
    const told = await names();
    expectRefused(await post("", { amount: 1, overdraw: false }), "unprocessable_entity", "overdraw");
    expect([await available(), await names()]).toEqual([-5, told]);
  });

  it("takes no money that is pending, retained, of another currency, account or mode", async () => {
    await paidPayment(emulator, { amount: 2_000 });
    expect(await created({ amount: 1, currency: "EUR" })).toBe(422);
    const elsewhere = await post("", { amount: 1, overdraw: false }, { key: emulator.live });
    expectRefused(elsewhere, "unprocessable_entity", "overdraw");
    await openCase(emulator, { amount: 600 });
    const { available: left, retained } = await balance(emulator);
    expect(retained).toBeGreaterThan(0);
    expect([await created({ amount: left + 1 }), await created({ amount: left })]).toEqual([422, 201]);
  });

  it("is created once of all that are requested at the same time", async () => {
    await paidPayment(emulator, { amount: 2_000 });
    const statuses = await Promise.all([1, 2, 3, 4].map(() => created({ amount: 1_500 })));
    expect(statuses.toSorted()).toEqual([201, 422, 422, 422]);
    expect(await available()).toBe(500);
  });

  it.each([true, null, undefined])("is none with overdraw %j", async (overdraw) => {
    expect((await post("", { amount: 700, overdraw })).status).toBe(201);
    expect(await available()).toBe(-700);
  });
});

describe("the events of a payout", () => {
  const FLOWS = [
    ["pay", "payout.paid", "withdrawal.completed", "COMPLETED"],
    ["fail", "payout.failed", "withdrawal.failed", "FAILED"],
  ] as const;

  it.each(FLOWS)(
    "%s: come in pairs, and a finished withdrawal has changed its status",
    async (step, canonical, legacy) => {
      const { id } = await payout();
      expect(await names()).toEqual(["payout.created", "withdrawal.created"]);
      await post(`/${id}/${step}`);
      const expected = ["payout.created", "withdrawal.created", canonical, legacy, "withdrawal.status_changed"];
      expect(await names()).toEqual(expected);
      expect((await emulator.sandbox(`/events?subject=${id}`)).data).toHaveLength(5);
    },
  );

  it.each(FLOWS)(
    "%s: carry the payout as it was then, and the withdrawal",
    async (step, canonical, _legacy, status) => {
      const made = await payout({ pix_key: "maria@example.com" });
      const createdAt = made.created_at;
      await advance(emulator, 60);
      const { now } = await emulator.sandbox("/clock");
      const { body: ended } = await post(`/${made.id}/${step}`);
      const [created, withdrawn, done, ...legacy] = await events();
      expect(created.payload).toStrictEqual({
        id: expect.stringMatching(/^evt_/),
        object: "event",
        api_version: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        type: "payout.created",
        created_at: createdAt,
        data: { object: made },
      });
      expect(done.payload).toMatchObject({ type: canonical, created_at: now, data: { object: ended } });
      const data = { transactionId: made.id, amount: 500 };
      const first = { ...data, status: "PENDING", previousStatus: null, occurredAt: createdAt };
      expect(withdrawn.payload).toStrictEqual({ event: "withdrawal.created", data: first });
      const last = { ...data, status, previousStatus: "PENDING", occurredAt: now };
      expect(legacy.map(({ payload }) => payload.data)).toStrictEqual([last, last]);
    },
  );
});
