import { beforeEach, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../../support/charges.js";
import type { Loose } from "../../../support/emulator.js";
import { payment, REQUESTS, readPayment } from "../../../support/payments.js";
import { advanceRefund, refund } from "../../../support/refunds.js";
import { sharedEmulator } from "../../../support/shared.js";
import { advance } from "../../../support/webhooks.js";

/** The events of each transition, and their data (docs/service/webhooks.md#what-a-change-reports). */

const FEE = { provider: { fixed: 10, bps: 0 }, platform: { fixed: 0, bps: 100 } };
const FEES = { providerFee: 10, platformFee: 100, netAmount: 9_890 };

const emulator = sharedEmulator({ frozen: true, fees: { PIX: FEE, CREDIT_CARD: FEE, BOLETO: FEE } });
beforeEach(() => emulator.sandbox("/reset"));

type Method = "PIX" | "CREDIT_CARD" | "BOLETO";
const METHODS: readonly Method[] = ["PIX", "CREDIT_CARD", "BOLETO"];

/** Every event of the book, oldest first. */
const log = async (): Promise<Loose[]> => (await emulator.sandbox("/events?limit=100")).data.reverse();

/** The events that one step adds to the log. */
async function added(step: () => Promise<unknown>): Promise<Loose[]> {
  const before = (await log()).length;
  await step();
  return (await log()).slice(before);
}

const post = (path: string, body: object = {}) => emulator.sandbox(path, body);
const create = async (method: Method): Promise<string> =>
  (await payment(emulator, { ...REQUESTS[method], amount: 10_000 })).id;
const pay = (id: string, body: object = {}) => post(`/charges/${id}/pay`, body);
const cancel = (id: string) => emulator.call("POST", `/v1/payments/${id}/cancel`);
const openCase = (id: string, type = "med"): Promise<Loose> => post("/med-cases", { charge_id: id, type });

async function settled(method: Method): Promise<string> {
  const id = await create(method);
  await pay(id);
  return id;
}

/** A Pix charge whose payer the bank does not report: held for review. */
async function expecting(): Promise<string> {
  const customer = { name: "Maria" };
  const { id } = await emulator.charge({ amount: 10_000, customer, expected_payer_tax_id: DOCUMENTS.cpf });
  return id.replace("ch_", "");
}

async function held(): Promise<string> {
  const id = await expecting();
  await pay(id, { payer_document: null });
  return id;
}

/** Presses a button of the hosted card page. */
async function onCardPage(id: string, step: string): Promise<void> {
  const { cardRedirectUrl } = await readPayment(emulator, id);
  const { status } = await fetch(cardRedirectUrl, { method: "POST", body: new URLSearchParams({ step }) });
  if (status >= 400) throw new Error(`the card page answered ${status}`);
}

async function inFlight(): Promise<string> {
  const id = await create("CREDIT_CARD");
  await onCardPage(id, "challenge");
  return id;
}

async function refunding(method: Method, amount = 10_000): Promise<{ id: string; refundId: string }> {
  const id = await settled(method);
  return { id, refundId: (await refund(emulator, id, { amount })).id };
}

const PAID = ["charge.paid", "payment.completed", "payment.status_changed"];
const FAILED = ["charge.failed", "payment.failed", "payment.status_changed"];
const EXPIRED = ["charge.expired", "payment.expired", "payment.failed", "payment.status_changed"];
const CHANGED = ["payment.status_changed"];
const OPENED = ["med_case.created", "payment.failed", "payment.status_changed"];
const WON = ["med_case.updated", "med.resolved", "payment.status_changed"];
const LOST = ["med_case.updated", "med.resolved"];

const decide = (id: string, outcome: string): Promise<Loose> => post(`/med-cases/${id}/decide`, { outcome });
const paidByPix = () => settled("PIX");
const contested = async (): Promise<string> => (await openCase(await paidByPix())).id;
const waitingForCard = () => create("CREDIT_CARD");
const onPage = (step: string) => (id: string) => onCardPage(id, step);
const passes = (seconds: number) => () => advance(emulator, seconds);

/**
 * The events of changes to one transaction are tested in transitions.test.ts; in any order of them, with refunds, in the
 * simulation.
 */
type Row = [what: string, from: () => Promise<string>, step: (id: string) => Promise<unknown>, names: string[]];
const ROWS: Row[] = [
  ["PIX contested", paidByPix, openCase, OPENED],
  ["PIX dispute won", contested, (id) => decide(id, "refunded_to_merchant"), WON],
  ["PIX dispute lost", contested, (id) => decide(id, "upheld"), LOST],
  ["PIX held for review when its time is over", held, passes(86_400), []],
  ["CREDIT_CARD challenged", waitingForCard, onPage("challenge"), CHANGED],
  ["CREDIT_CARD authenticated", inFlight, onPage("authenticate"), PAID],
  ["CREDIT_CARD not authenticated", inFlight, onPage("fail_authentication"), FAILED],
  ["CREDIT_CARD in flight when its time is over", inFlight, passes(3_600), EXPIRED],
];

it.each(ROWS)(
  "a transition emits exactly what the table of events says, in this order %s",
  async (_what, from, step, names) => {
    const id = await from();
    const events = await added(() => step(id));
    expect(events.map(({ type }) => type)).toEqual(names);
  },
);

/** Legacy data of the events that a step adds, by name; two of one name must be equal but for their refund. */
async function legacyOf(step: () => Promise<unknown>): Promise<Loose> {
  const events = (await added(step)).filter(({ payload }) => payload.event !== undefined);
  for (const { type, payload } of events) {
    expect(Object.keys(payload)).toEqual(["event", "data"]);
    expect(payload.event).toBe(type);
  }
  return Object.fromEntries(events.map(({ type, payload }) => [type, payload.data]));
}

async function dataOf(id: string, status: string, previousStatus: string | null): Promise<Loose> {
  const occurredAt = (await emulator.sandbox("/clock")).now;
  return { transactionId: `tx_${id}`, amount: 10_000, status, previousStatus, occurredAt };
}

describe("the data of a legacy event", () => {
  it.each(METHODS)("of a %s payment has method and fees once it is settled, not before", async (method) => {
    let id = "";
    const created = await legacyOf(async () => {
      id = await create(method);
    });
    expect(created).toStrictEqual({ "payment.created": await dataOf(id, "WAITING_PAYMENT", null) });
    await advance(emulator, 60);
    const paid = await legacyOf(() => pay(id));
    const status = method === "CREDIT_CARD" ? "APPROVED" : "PAID";
    const data = { ...(await dataOf(id, status, "WAITING_PAYMENT")), paidWith: method, ...FEES };
    expect(paid).toStrictEqual({ "payment.completed": data, "payment.status_changed": data });
  });

  it("of a dispute shows no fees while it lasts, and the status before it", async () => {
    for (const [method, status, type, disputed] of [
      ["PIX", "PAID", "med", "DISPUTE"],
      ["CREDIT_CARD", "APPROVED", "chargeback", "CHARGEBACK"],
      ["CREDIT_CARD", "APPROVED", "dispute", "DISPUTE"],
      ["BOLETO", "PAID", "fraud", "DISPUTE"],
    ] as const) {
      const id = await settled(method);
      let caseId = "";
      const opened = await legacyOf(async () => {
        caseId = (await openCase(id, type)).id;
      });
      const lost = await dataOf(id, disputed, status);
      expect(opened).toStrictEqual({ "payment.failed": lost, "payment.status_changed": lost });
      const back = { ...(await dataOf(id, status, disputed)), paidWith: method, ...FEES };
      const closed = await legacyOf(() => decide(caseId, "refunded_to_merchant"));
      expect(closed).toStrictEqual({ "payment.status_changed": back });
    }
  });

  it.each([
    ["cancelled", "CANCELLED", cancel],
    ["refused", "REFUSED", (id: string) => post(`/charges/${id}/fail`)],
    ["expired", "EXPIRED", (id: string) => post(`/charges/${id}/expire`)],
  ] as const)("of a payment that was %s names no method", async (_what, status, step) => {
    const id = await create("PIX");
    const seen = await legacyOf(async () => step(id));
    const data = await dataOf(id, status, "WAITING_PAYMENT");
    for (const one of Object.values(seen)) expect(one).toStrictEqual(data);
  });

  it("of a payment in PROCESSING, and of its end, reports the statuses on the way", async () => {
    const id = await expecting();
    const seen = [await legacyOf(() => pay(id, { payer_document: null }))];
    seen.push(await legacyOf(() => cancel(id)));
    const data = await dataOf(id, "CANCELLED", "PROCESSING");
    expect(seen).toStrictEqual([
      { "payment.status_changed": await dataOf(id, "PROCESSING", "WAITING_PAYMENT") },
      { "payment.failed": data, "payment.status_changed": data },
    ]);
  });

  it("of a refund describes the refund, beside the amount of the payment", async () => {
    const id = await settled("PIX");
    const part = await refund(emulator, id, { amount: 4_000, reason: "Size" });
    const shown = { id: part.id, amount: 4_000, reason: "Size" };
    const still = { paidWith: "PIX", ...FEES };
    for (const status of ["IN_PROGRESS", "REFUNDED"] as const) {
      const seen = await legacyOf(() => advanceRefund(emulator, part.id, status));
      const data = { ...(await dataOf(id, "PAID", "PAID")), ...still, refund: { ...shown, status } };
      expect(seen).toStrictEqual({ "payment.refunded": data });
    }
    const rest = await refund(emulator, id);
    await advanceRefund(emulator, rest.id, "IN_PROGRESS");
    const whole = await legacyOf(() => advanceRefund(emulator, rest.id, "REFUNDED"));
    const data = await dataOf(id, "REFUNDED", "PAID");
    const block = { id: rest.id, amount: 6_000, status: "REFUNDED", reason: null };
    expect(whole).toStrictEqual({ "payment.refunded": { ...data, refund: block }, "payment.status_changed": data });
  });

  it("of a refund that failed says so", async () => {
    const { id, refundId } = await refunding("CREDIT_CARD", 1);
    await advanceRefund(emulator, refundId, "IN_PROGRESS");
    const { "payment.refunded": data } = await legacyOf(() => advanceRefund(emulator, refundId, "FAILED"));
    expect(data).toMatchObject({ ...(await dataOf(id, "APPROVED", "APPROVED")), paidWith: "CREDIT_CARD", ...FEES });
    expect(data.refund).toStrictEqual({ id: refundId, amount: 1, status: "FAILED", reason: null });
  });

  it("carries the merchant's id of the customer in every event, when there is one", async () => {
    const { id } = await payment(emulator, { customerId: "user-7" });
    await pay(id);
    const { id: refundId } = await refund(emulator, id);
    await advanceRefund(emulator, refundId, "REFUNDED");
    const events = (await log()).filter(({ payload }) => payload.event !== undefined);
    expect(events.length).toBeGreaterThan(4);
    for (const { payload } of events) expect(payload.data.customerId).toBe("user-7");
  });
});

describe("the charge in a canonical event", () => {
  it.each([
    ["CREDIT_CARD", "credit_card"],
    ["BOLETO", "boleto"],
    ["MBWAY", "mbway"],
    ["MULTIBANCO", "multibanco"],
    ["CRYPTO", "crypto"],
  ] as const)("of a %s payment is the public charge without pix", async (method, name) => {
    const body = { ...REQUESTS[method], amount: 10_000, customerName: "Maria", customerId: "user-7" };
    const events = await added(async () => pay((await payment(emulator, body)).id));
    const charges = events
      .filter(({ payload }) => payload.object === "event")
      .map(({ payload }) => payload.data.object);
    const made = charges[0];
    expect(charges).toStrictEqual([made, { ...made, status: "paid" }]);
    expect(made).toStrictEqual({
      id: expect.stringMatching(/^ch_[0-9a-f-]{36}$/),
      object: "charge",
      amount: 10_000,
      currency: REQUESTS[method].currency,
      status: "pending",
      payment_method: name,
      customer: { name: "Maria" },
      checkout_url: expect.stringContaining("/checkout/"),
      settlement: {},
      metadata: "metadata" in REQUESTS[method] ? REQUESTS.MBWAY.metadata : {},
      created_at: expect.stringMatching(/Z$/),
    });
  });

  it.each([
    ["paid", (id: string) => pay(id)],
    ["failed", (id: string) => post(`/charges/${id}/fail`, { reason: "blocked", provider_error_code: "AC06" })],
    ["expired", () => advance(emulator, 3_600)],
  ] as const)("of a Pix payment that is %s is what the charge route answers", async (status, step) => {
    const id = await create("PIX");
    const charge = async () => (await emulator.call("GET", `/v1/charges/ch_${id}`)).body;
    const [created] = await log();
    expect(created.payload.data.object).toStrictEqual(await charge());
    const [ended] = await added(() => step(id));
    expect(ended.payload.data.object).toStrictEqual(await charge());
    expect(ended.payload.data.object).toMatchObject({ status, payment_method: "pix" });
  });
});
