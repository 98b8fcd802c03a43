import { beforeEach, describe, expect, it } from "vitest";
import { balance, DOCUMENTS, eventsOf, statusOf } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { act, emails, medOf, openCase, paidCharge, postCase, purse, readCase } from "../../../support/med.js";
import { EXPECTING, paymentIn } from "../../../support/payment-states.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { advanceRefund, paidPayment, postRefund, refund } from "../../../support/refunds.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

/** What a payer's bank causes by opening a case. */

const emulator = sharedEmulator({ frozen: true });
beforeEach(() => emulator.sandbox("/reset"));

const raw = (charge: Loose) => charge.id.slice("ch_".length);
const DAY = 86_400_000;

describe("a case that was just opened", () => {
  it("has every field, and nothing more", async () => {
    const charge = await paidCharge(emulator);
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 90 });
    const body = { charge_id: charge.id, reason: "Never arrived", method: "scam" };
    const answer = await postCase(emulator, body);
    expect([answer.status, answer.body]).toStrictEqual([
      201,
      {
        id: expect.stringMatching(/^med_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        object: "med_case",
        type: "med",
        status: "open",
        amount: 1990,
        currency: "BRL",
        charge_id: charge.id,
        reason: "Never arrived",
        response_deadline: new Date(Date.parse(now) + 7 * DAY).toISOString(),
        evidence_requested_at: null,
        appeal_reason: null,
        appealed_at: null,
        evidence_count: 0,
        money_outcome: null,
        opened_at: now,
        closed_at: null,
        created_at: now,
        updated_at: now,
      },
    ]);
    expect(await readCase(emulator, answer.body.id)).toStrictEqual(answer.body);
  });

  it.each([(id: string) => id, (id: string) => id.slice(3), (id: string) => `tx_${id.slice(3)}`])(
    "is opened by every form of the charge's id (%#)",
    async (form) => {
      const { id } = await paidCharge(emulator);
      expect((await openCase(emulator, { charge_id: form(id) })).charge_id).toBe(id);
    },
  );
});

describe("the response deadline", () => {
  it.each([
    ["2031-05-06T07:08:09Z", "2031-05-06T07:08:09.000Z"],
    ["2031-05-06T07:08:09.123-03:00", "2031-05-06T10:08:09.123Z"],
  ])("is that of the bank: %s", async (given, shown) => {
    const { id } = await paidCharge(emulator);
    const opened = await openCase(emulator, { charge_id: id, response_deadline: given });
    expect(opened.response_deadline).toBe(shown);
    expect((await readCase(emulator, opened.id)).response_deadline).toBe(shown);
  });

  it.each(["tomorrow", "2031-02-30T00:00:00Z", "2031-05-06T07:08:09", "", 5, true])(
    "is no date-time when it is %o",
    async (given) => {
      const { id } = await paidCharge(emulator);
      const answer = await postCase(emulator, { charge_id: id, response_deadline: given });
      expectRefused(answer, "invalid_request", "response_deadline");
    },
  );

  it("is unknown when the bank sends null: in the case, in its events and in the mail", async () => {
    await emulator.sandbox("/reset");
    const opened = await openCase(emulator, { response_deadline: null });
    expect(opened.response_deadline).toBeNull();
    expect(await readCase(emulator, opened.id)).toStrictEqual(opened);
    const appealed = await act(emulator, opened.id, "appeal");
    expect(appealed.response_deadline).toBeNull();
    const { data } = await emulator.sandbox(`/events?subject=${opened.id}`);
    expect(data.map(({ payload }: Loose) => payload.data.object)).toStrictEqual([appealed, opened]);
    const [{ text, html }] = await emails(emulator);
    for (const form of [text, html]) expect(form).toContain("Responda assim que possível");
  });

  it("has no effect when it passes: the case stays open and can still be answered", async () => {
    const opened = await openCase(emulator);
    const before = await purse(emulator);
    await emulator.sandbox("/clock/advance", { seconds: 30 * 86_400 });
    expect(await readCase(emulator, opened.id)).toStrictEqual(opened);
    expect([await purse(emulator), await eventsOf(emulator, opened.id)]).toEqual([before, ["med_case.created"]]);
    expect((await act(emulator, opened.id, "appeal")).status).toBe("appealed");
  });
});

describe("the contested money", () => {
  it("is what was paid, taken from the wallet and held; the charge is disputed", async () => {
    await paidCharge(emulator, { amount: 5_000 });
    const charge = await paidCharge(emulator, { amount: 1_200 });
    const { amount } = await openCase(emulator, { charge_id: charge.id });
    expect([amount, await purse(emulator)]).toEqual([1_200, [5_000, 1_200]]);
    expect(await statusOf(emulator, charge.id)).toBe("disputed");
  });

  it("is by default what is not refunded yet, refunds on their way included", async () => {
    const { id } = await paidPayment(emulator);
    const first = await refund(emulator, id, { amount: 300 });
    await advanceRefund(emulator, first.id, "REFUNDED");
    await refund(emulator, id, { amount: 200 });
    const opened = await openCase(emulator, { charge_id: id });
    expect([opened.amount, await purse(emulator)]).toEqual([1_490, [0, 1_490]]);
  });

  it("is refused when all of it is already on its way back", async () => {
    const { id } = await paidPayment(emulator);
    await refund(emulator, id);
    expectRefused(await postCase(emulator, { charge_id: id }), "invalid_request", null);
    expect((await readPayment(emulator, id)).status).toBe("PAID");
  });
});

it.each(["accept", "decide upheld", "decide closed_without_refund"] as const)(
  "a charge that is disputed stays disputed and unrefundable after %s",
  async (action) => {
    const charge = await paidCharge(emulator);
    await act(emulator, (await openCase(emulator, { charge_id: charge.id, amount: 100 })).id, action);
    expect(await statusOf(emulator, charge.id)).toBe("disputed");
    expectRefused(await postRefund(emulator, raw(charge)), "invalid_request", null);
    expectRefused(await postCase(emulator, { charge_id: charge.id }), "invalid_request", null);
  },
);

describe("a reported amount above what is left", () => {
  it.each([1_991, 999_999_999_999])("moves nothing and marks the charge: %i", async (amount) => {
    const { id } = await paidCharge(emulator);
    const opened = await openCase(emulator, { charge_id: id, amount });
    expect(opened).toMatchObject({ status: "open", amount, money_outcome: null });
    expect([await purse(emulator), await statusOf(emulator, id)]).toEqual([[1_990, 0], "paid"]);
    expect(await medOf(emulator, id)).toMatchObject({ amountMismatch: true, status: "created" });
    expect(await eventsOf(emulator, opened.id)).toEqual(["med_case.created"]);
    expect((await eventsOf(emulator, id)).slice(5)).toEqual([]);
  });

  it("leaves the charge refundable, but allows no second case at the same time", async () => {
    const charge = await paidCharge(emulator);
    await openCase(emulator, { charge_id: charge.id, amount: 1_991 });
    expect((await postRefund(emulator, raw(charge), { amount: 1 })).status).toBe(201);
    expectRefused(await postCase(emulator, { charge_id: charge.id }), "invalid_request", null);
  });

  it.each([
    ["accept", "accepted"],
    ["decide upheld", "closed"],
    ["decide refunded_to_merchant", "closed"],
    ["decide closed_without_refund", "closed"],
    ["withdraw", "closed"],
  ] as const)("moves nothing when the case ends by %s either", async (action, status) => {
    const { id } = await paidCharge(emulator);
    const opened = await openCase(emulator, { charge_id: id, amount: 5_000 });
    const before = await eventsOf(emulator, id);
    expect((await act(emulator, opened.id, action)).status).toBe(status);
    expect([await purse(emulator), await statusOf(emulator, id)]).toEqual([[1_990, 0], "paid"]);
    expect(await eventsOf(emulator, id)).toEqual(before);
    expect((await medOf(emulator, id)).amountMismatch).toBe(true);
    expect((await openCase(emulator, { charge_id: id })).amount).toBe(1_990);
  });
});

describe("a transaction of another method", () => {
  const TYPES = ["med", "chargeback", "dispute", "fraud"] as const;
  const METHODS = ["PIX", "CREDIT_CARD", "BOLETO", "MBWAY", "MULTIBANCO", "CRYPTO"] as const;
  const pairs = METHODS.flatMap((method) => TYPES.map((type) => ({ method, type })));

  it.each(pairs)("$method with a case of type $type is disputed, and settled again after a win", async (given) => {
    const { method, type } = given;
    const { id, currency } = await paidPayment(emulator, REQUESTS[method]);
    const query = `?currency=${currency}`;
    const opened = await openCase(emulator, { charge_id: id, type });
    expect(opened).toMatchObject({ type, currency, amount: 1_990, charge_id: `ch_${id}` });
    const disputed = type === "chargeback" ? "CHARGEBACK" : "DISPUTE";
    const settled = method === "CREDIT_CARD" ? "APPROVED" : "PAID";
    const read = await readPayment(emulator, id);
    expect([read.status, read.metadata.med.amountMismatch]).toEqual([disputed, false]);
    expect((await balance(emulator, emulator.key, query)).available).toBe(0);
    await act(emulator, opened.id, "decide refunded_to_merchant");
    expect((await readPayment(emulator, id)).status).toBe(settled);
    expect((await balance(emulator, emulator.key, query)).available).toBe(1_990);
    const steps = (await emulator.sandbox(`/events?subject=${id}&type=payment.status_changed&limit=2`)).data;
    expect(steps.map((event: Loose) => event.payload.data.status)).toEqual([settled, disputed]);
    expect(await eventsOf(emulator, id)).not.toContain("charge.failed");
  });

  it("holds money of its own currency alone", async () => {
    await paidCharge(emulator);
    const { id } = await paidPayment(emulator, REQUESTS.MBWAY);
    await openCase(emulator, { charge_id: id });
    expect(await purse(emulator)).toEqual([1_990, 0]);
  });

  it("has no end-to-end id to refer to", async () => {
    const { id } = await paidPayment(emulator, REQUESTS.BOLETO);
    await openCase(emulator, { charge_id: id });
    expect((await readPayment(emulator, id)).metadata.med).toMatchObject({ referenceId: null, method: "other" });
  });
});

describe("a case that cannot be opened", () => {
  const open = (charge_id: unknown, key = emulator.key) => postCase(emulator, { charge_id }, { key });

  it("is one on a charge that is not settled", async () => {
    const states = ["WAITING_PAYMENT", "EXPIRED", "REFUSED", "PROCESSING", "REFUNDED", "CANCELLED"] as const;
    for (const state of states) expectRefused(await open(await paymentIn(emulator, state)), "invalid_request", null);
    const returned = await emulator.charge(EXPECTING);
    await emulator.sandbox(`/charges/${returned.id}/pay`, { payer_document: DOCUMENTS.otherCpf });
    for (const id of [returned.id, (await payment(emulator, REQUESTS.CREDIT_CARD)).id]) {
      expectRefused(await open(id), "invalid_request", null);
    }
    expect((await emulator.call("GET", "/v1/med/cases")).body.data).toEqual([]);
    expect((await emulator.sandbox("/emails")).data).toEqual([]);
  });

  it("is a second one while the first is open or appealed", async () => {
    const { id, charge_id } = await openCase(emulator);
    const held = await purse(emulator);
    expectRefused(await open(charge_id), "invalid_request", null);
    await act(emulator, id, "appeal");
    expectRefused(await open(charge_id), "invalid_request", null);
    expect([await purse(emulator), (await emulator.call("GET", "/v1/med/cases")).body.data.length]).toEqual([held, 1]);
  });

  it("is one of two at the same time", async () => {
    const { id } = await paidCharge(emulator);
    const answers = await Promise.all([open(id), open(id), open(id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
    expect(await purse(emulator)).toEqual([0, 1_990]);
  });

  it("is one on a charge that does not exist, or of another account or mode", async () => {
    const { id } = await paidCharge(emulator);
    const other = await emulator.sandbox("/accounts", { name: "Outra Loja" });
    for (const [charge, key] of [
      ["ch_018f0000-0000-7000-8000-000000000000", emulator.key],
      ["nonsense", emulator.key],
      ["", emulator.key],
      [id, emulator.live],
      [id, other.test_key],
    ]) {
      expectRefused(await open(charge, key), "not_found");
    }
    expect(await statusOf(emulator, id)).toBe("paid");
  });
});
