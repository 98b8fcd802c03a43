import { afterEach, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { paymentIn } from "../../support/payment-states.js";
import { payment } from "../../support/payments.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { sharedEmulator } from "../../support/shared.js";
import { deliveries, settle, subscribe } from "../../support/webhooks.js";

/** The due work on the emulated clock. */

const emulator = sharedEmulator({ frozen: true });
/** An emulator that holds settled money for a day, and whose acquirer is slow. */
const slow = sharedEmulator({ frozen: true, settlementHoldMs: 86_400_000, acquirerDelayMs: 5_000 });

afterEach(async () => {
  await emulator.sandbox("/reset");
  await slow.sandbox("/reset");
});

const NOBODY = "http://127.0.0.1:9/";
const UNKNOWN = "0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa";
const page = async (query = "", on = emulator, key = on.key) =>
  (await on.call("GET", `/_sandbox/clock/due${query}`, { key })).body;
/** The due work: seconds from now, kind and text. */
async function due(query = "", on = emulator): Promise<unknown[]> {
  const { now } = await on.sandbox("/clock");
  return (await page(query, on)).data.map(({ at, kind, text }: Loose) => [
    (Date.parse(at) - Date.parse(now)) / 1_000,
    kind,
    text,
  ]);
}
const chargeWith = (scenario: object, more: object = {}) =>
  emulator.charge({ expires_in: 600, metadata: { _sandbox: scenario }, ...more });

const EXPIRY = [600, "transaction.expire", "charge expires unpaid"];

describe("what is due", () => {
  it("is nothing at first", async () => {
    expect(await page()).toStrictEqual({ data: [], has_more: false, next_cursor: null });
  });

  it("names the instant, the kind, the object and what will happen", async () => {
    const { id, pix } = await emulator.charge({ expires_in: 600 });
    expect((await page()).data).toStrictEqual([
      {
        at: pix.expires_at,
        kind: "transaction.expire",
        subject: id,
        code: "charge_expires",
        params: {},
        text: "charge expires unpaid",
      },
    ]);
  });

  it.each(["PAID", "REFUSED", "EXPIRED", "CANCELLED", "PROCESSING"] as const)(
    "is no expiry of a charge that is %s",
    async (status) => {
      await paymentIn(emulator, status);
      expect(await due()).toEqual([]);
    },
  );

  it("is a payment of a scenario that will change the charge", async () => {
    await chargeWith({ pay_after: 5 });
    expect(await due()).toEqual([[5, "transaction.pay", "charge is paid"], EXPIRY]);
  });

  it.each([
    [null, "charge is paid and held for review: the bank does not report the payer"],
    [DOCUMENTS.cnpj, "charge is paid by another payer than the expected one, and the money goes back"],
    [DOCUMENTS.cpf, "charge is paid"],
  ])("says what a payment by %s will lead to", async (payer_document, text) => {
    const customer = { name: "Ana", document: DOCUMENTS.cpf };
    await chargeWith({ pay_after: 5, payer_document }, { customer, expected_payer_tax_id: DOCUMENTS.cpf });
    expect(await due()).toEqual([[5, "transaction.pay", text], EXPIRY]);
  });

  it.each([
    ["comes when the charge has expired", { pay_after: 600 }],
    ["is not of the exact amount", { pay_after: 5, amount: 1 }],
  ])("is no payment of a scenario that %s", async (_what, scenario) => {
    await chargeWith(scenario);
    expect(await due()).toEqual([EXPIRY]);
  });

  it("is a MED case that a scenario opens, until there is one", async () => {
    const { id } = await chargeWith({ pay_after: 0, med_after: 60 });
    await settle(emulator);
    expect(await due()).toEqual([[60, "med.open", "payer's bank opens a MED case"]]);
    await emulator.sandbox("/med-cases", { charge_id: id });
    expect(await due()).toEqual([]);
  });

  it("is the next step of a refund, until a command has done it", async () => {
    const { id } = await refund(emulator, (await paidPayment(emulator)).id);
    expect((await page()).data).toMatchObject([
      { kind: "refund.advance", subject: id, text: "refund moves from requested to in progress" },
    ]);
    await emulator.sandbox(`/refunds/${id}/advance`, { to: "IN_PROGRESS" });
    expect(await due()).toEqual([[2, "refund.advance", "refund moves from in progress to refunded"]]);
    await emulator.sandbox(`/refunds/${id}/advance`, { to: "REFUNDED" });
    expect(await due()).toEqual([]);
  });

  it("is the issue of codes by a slow acquirer, and the release of held money", async () => {
    const { id: raw } = await payment(slow, { amount: 1990, metadata: { _sandbox: { pay_after: 10 } } });
    const id = `ch_${raw}`;
    const issue = [5, "transaction.finalise", "acquirer issues the codes of the charge"];
    expect((await due("", slow)).slice(0, 2)).toEqual([issue, [10, "transaction.pay", "charge is paid"]]);
    await slow.sandbox("/clock/advance", { seconds: 10 });
    expect(await due("", slow)).toEqual([[86_400, "wallet.release", "R$ 19,90 of the charge becomes available"]]);
    for (const query of ["", `?subject=${id}`]) expect((await page(query, slow)).data[0].subject).toBe(id);
    await slow.sandbox("/clock/advance", { seconds: 86_400 });
    expect(await due("", slow)).toEqual([]);
  });

  it("is the next attempt of a delivery, unless its endpoint is INACTIVE", async () => {
    const endpoint = await subscribe(emulator, NOBODY, ["charge.created"]);
    const { id } = await emulator.charge({ expires_in: 600 });
    await settle(emulator);
    const attempt = [10, "delivery.attempt", `attempt 2 of charge.created to ${NOBODY}`];
    expect(await due()).toEqual([attempt, EXPIRY]);
    expect((await page("?limit=1")).data[0].subject).toBe(id);
    await emulator.call("PATCH", `/v1/webhooks/endpoints/${endpoint.id}`, { body: { status: "INACTIVE" } });
    expect(await due()).toEqual([EXPIRY]);
    const [delivery] = await deliveries(emulator);
    await emulator.sandbox(`/webhooks/deliveries/${delivery.id}/resend`, { url: `${NOBODY}other` });
    await settle(emulator);
    expect(await due()).toEqual([[10, "delivery.attempt", `attempt 2 of charge.created to ${NOBODY}other`], EXPIRY]);
  });
});

describe("the list of what is due", () => {
  it("is soonest first", async () => {
    await subscribe(emulator, NOBODY, ["charge.created", "payment.created"]);
    for (const seconds of [600, 10 + 60, 600]) await emulator.charge({ expires_in: seconds });
    await settle(emulator);
    await emulator.sandbox("/clock/advance", { seconds: 10 });
    const whole = (await page("?limit=100")).data;
    expect(whole).toHaveLength(9);
    const instants = whole.map(({ at }: Loose) => at);
    expect(instants).toEqual(instants.toSorted());
  });

  it("goes no further than `until`, which is included", async () => {
    const { pix } = await emulator.charge({ expires_in: 600 });
    await emulator.charge({ expires_in: 601 });
    expect(await due(`?until=${pix.expires_at}`)).toEqual([EXPIRY]);
    expect(await due(`?until=${new Date(Date.parse(pix.expires_at) - 1).toISOString()}`)).toEqual([]);
  });

  it("is filtered by any id of a charge, with its refunds, its cases and deliveries of their events", async () => {
    await subscribe(emulator, NOBODY, ["payment.refunded", "med_case.created"]);
    const { id } = await paidPayment(emulator);
    await paidPayment(emulator);
    await emulator.charge();
    const first = await refund(emulator, id, { amount: 1 });
    const second = await refund(emulator, id, { amount: 2 });
    await emulator.sandbox(`/refunds/${first.id}/advance`, { to: "IN_PROGRESS" });
    const contested = await emulator.sandbox("/med-cases", { charge_id: `ch_${id}` });
    await settle(emulator);
    const about = async (subject: string) =>
      (await page(`?subject=${subject}`)).data.map((entry: Loose) => `${entry.kind} ${entry.subject}`).sort();
    const own = [
      `delivery.attempt ch_${id}`,
      `delivery.attempt ${contested.id}`,
      `refund.advance ${first.id}`,
      `refund.advance ${second.id}`,
    ].sort();
    for (const form of [id, `ch_${id}`, `tx_${id}`]) expect(await about(form)).toEqual(own);
    expect(await about(first.id)).toEqual([`refund.advance ${first.id}`]);
    expect(await about(contested.id)).toEqual([`delivery.attempt ${contested.id}`]);
    for (const none of [`ch_${UNKNOWN}`, `rf_${UNKNOWN}`, `po_${UNKNOWN}`]) expect(await about(none)).toEqual([]);
  });

  it("has the expiry of a charge under each of its ids, with all that is due for it", async () => {
    await chargeWith({ pay_after: 30 });
    const { id } = await chargeWith({ pay_after: 60 });
    for (const subject of [id, id.replace(/^ch_/, "tx_")]) {
      expect((await due(`?subject=${subject}`)).map((entry) => (entry as unknown[]).slice(0, 2))).toEqual([
        [60, "transaction.pay"],
        [600, "transaction.expire"],
      ]);
      expect((await page(`?subject=${subject}&limit=1`)).has_more).toBe(true);
    }
  });

  it("has the deliveries of a payout under its id", async () => {
    await subscribe(emulator, NOBODY, ["payout.created"]);
    const { id } = await emulator.sandbox("/payouts", { amount: 100 });
    await settle(emulator);
    expect((await page(`?subject=${id}`)).data).toMatchObject([{ kind: "delivery.attempt", subject: id }]);
  });

  it.each([
    ["until=tomorrow", "until"],
    ["subject=evt_0190aaaa-aaaa-7aaa-aaaa-aaaaaaaaaaaa", "subject"],
    ["subject=me", "subject"],
    ["after=x", "after"],
    ["after=1~moon.rise~0", "after"],
    ["after=1~delivery.attempt~ab", "after"],
  ])("refuses ?%s naming the parameter", async (query, param) => {
    const answer = await emulator.call("GET", `/_sandbox/clock/due?${query}`);
    expect([answer.status, answer.body.error.code, answer.body.error.param]).toEqual([400, "invalid_request", param]);
  });
});
