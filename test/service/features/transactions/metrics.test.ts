import { beforeEach, describe, expect, it } from "vitest";
import { bodyOf, type Loose } from "../../../support/emulator.js";
import { payment, REQUESTS, refundInFull } from "../../../support/payments.js";
import { expectRefused } from "../../../support/refusals.js";
import { sharedEmulator } from "../../../support/shared.js";

const NOON = "2031-03-10T15:00:00.000Z";
const FEES = {
  PIX: { provider: { fixed: 1, bps: 0 }, platform: { fixed: 30, bps: 100 } },
  CREDIT_CARD: { provider: { fixed: 0, bps: 300 }, platform: { fixed: 0, bps: 0 } },
};

const emulator = sharedEmulator({ frozen: true, fees: FEES });
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await emulator.sandbox("/clock/advance", { to: NOON });
});

const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
const control = (id: string, what: string, body: object = {}) => emulator.sandbox(`/charges/${id}/${what}`, body);
const get = (query = "", key = emulator.key) => emulator.call("GET", `/v1/payments/metrics${query}`, { key });
async function metrics(query = "", key = emulator.key): Promise<Loose> {
  return bodyOf(await get(query, key));
}
async function paid(body: object = {}): Promise<string> {
  const { id } = await payment(emulator, body);
  await control(id, "pay");
  return id;
}

const NO_FUNNEL = { created: 0, pending: 0, paid: 0, expired: 0, failed: 0, cancelled: 0, refunded: 0, disputed: 0 };

describe("metrics", () => {
  it("without any payment are zeros, without a time to pay, over seven days", async () => {
    const answer = await metrics();
    expect(answer).toMatchObject({
      days: 7,
      currency: null,
      funnel: { ...NO_FUNNEL, conversion: 0 },
      secondsToPay: { median: null, p95: null },
      volumeByCurrency: [],
    });
    expect(answer.daily.map(({ date }: Loose) => date)).toEqual(
      [4, 5, 6, 7, 8, 9, 10].map((day) => `2031-03-${String(day).padStart(2, "0")}`),
    );
  });

  it.each<[number, number, number]>([
    [1, 1, 100],
    [1, 3, 33.3],
    [2, 3, 66.7],
    [1, 8, 12.5],
  ])("%d of %d paid is a conversion of %d percent", async (success, all, conversion) => {
    for (let index = 0; index < all; index++) await (index < success ? paid() : payment(emulator));
    expect((await metrics()).funnel).toMatchObject({ created: all, paid: success, conversion });
  });

  it("show how long payers took: half of them, and nineteen of twenty", async () => {
    const waiting = await Promise.all(Array.from({ length: 20 }, () => payment(emulator, REQUESTS.BOLETO)));
    const times: number[] = [];
    for (const { id } of waiting) {
      await advance(3);
      await control(id, "pay");
      times.push(times.length * 3 + 3);
    }
    const { median, p95 } = (await metrics()).secondsToPay;
    expect([times[9], times[10]]).toContain(median);
    expect(p95).toBe(times[18]);
  });

  it("show the time of a single payer, however long it is", async () => {
    for (const seconds of [0, 1, 59, 3_599]) {
      await emulator.sandbox("/reset");
      const { id } = await payment(emulator);
      await advance(seconds);
      await control(id, "pay");
      const { median, p95 } = (await metrics("?days=30")).secondsToPay;
      expect(median).toBe(p95);
      expect(Math.abs(median - seconds)).toBeLessThanOrEqual(seconds * 0.05);
    }
  });

  it("add up gross, fees, net and what was refunded, by currency", async () => {
    await paid({ amount: 10_000 });
    const partly = await paid({ amount: 1_000 });
    await paid({ ...REQUESTS.CREDIT_CARD, currency: "EUR", amount: 2_000 });
    await payment(emulator, { amount: 50_000 });
    const body = { idempotencyKey: "refund-of-a-part", amount: 400 };
    const { body: refund } = await emulator.call("POST", `/v1/payments/${partly}/refund`, { body });
    const volumes = async () => (await metrics()).volumeByCurrency;
    const eur = { currency: "EUR", gross: 2_000, net: 1_940, fees: 60, refunded: 0 };
    const brl = { currency: "BRL", gross: 11_000, net: 10_828, fees: 172, refunded: 0 };
    expect(await volumes()).toEqual([brl, eur]);
    await emulator.sandbox(`/refunds/${refund.id}/advance`, { to: "IN_PROGRESS" });
    expect(await volumes()).toEqual([brl, eur]);
    await emulator.sandbox(`/refunds/${refund.id}/advance`, { to: "REFUNDED" });
    expect(await volumes()).toEqual([{ ...brl, refunded: 400 }, eur]);
    await refundInFull(emulator, partly);
    expect(await volumes()).toEqual([{ ...brl, refunded: 1_000 }, eur]);
  });

  it("do not count a refund that failed", async () => {
    const id = await paid({ amount: 1_000 });
    const body = { idempotencyKey: "refund-that-fails" };
    const { body: refund } = await emulator.call("POST", `/v1/payments/${id}/refund`, { body });
    await emulator.sandbox(`/refunds/${refund.id}/advance`, { to: "FAILED" });
    expect((await metrics()).volumeByCurrency).toMatchObject([{ gross: 1_000, refunded: 0 }]);
    expect((await metrics()).funnel).toMatchObject({ paid: 1, refunded: 0 });
  });

  it("may be of one currency", async () => {
    await paid({ amount: 100 });
    await payment(emulator);
    const { id } = await payment(emulator, { ...REQUESTS.MULTIBANCO, amount: 500 });
    await advance(40);
    await control(id, "pay");
    const euros = await metrics("?currency=EUR");
    expect(euros).toMatchObject({ currency: "EUR", secondsToPay: { median: 40, p95: 40 } });
    expect(euros.funnel).toEqual({ ...NO_FUNNEL, created: 1, paid: 1, conversion: 100 });
    expect(euros.volumeByCurrency).toEqual([{ currency: "EUR", gross: 500, net: 500, fees: 0, refunded: 0 }]);
    expect(euros.daily.at(-1)).toEqual({
      date: "2031-03-10",
      created: 1,
      paid: 1,
      volumeByCurrency: euros.volumeByCurrency,
    });
    expect((await metrics("?currency=BRL")).funnel).toMatchObject({ created: 2, paid: 1, conversion: 50 });
    expect((await metrics("?currency=USD")).funnel).toEqual({ ...NO_FUNNEL, conversion: 0 });
  });

  it("have one row for every day in São Paulo, however many days", async () => {
    await paid({ amount: 100 });
    await emulator.sandbox("/clock/advance", { to: "2031-03-11T03:00:00Z" });
    await payment(emulator);
    expect((await metrics("?days=2")).daily).toEqual([
      {
        date: "2031-03-10",
        created: 1,
        paid: 1,
        volumeByCurrency: [{ currency: "BRL", gross: 100, net: 68, fees: 32, refunded: 0 }],
      },
      { date: "2031-03-11", created: 1, paid: 0, volumeByCurrency: [] },
    ]);
    const long = await metrics("?days=1000");
    expect([long.daily.length, long.daily[0].date, long.daily.at(-1).date]).toEqual([
      1_000,
      "2028-06-15",
      "2031-03-11",
    ]);
    expect((await metrics("?days=1")).funnel).toMatchObject({ created: 1, paid: 0 });
  });

  it("count a payment and its time to the day of its creation", async () => {
    const { id } = await payment(emulator, REQUESTS.MULTIBANCO);
    await advance(2 * 86_400);
    await control(id, "pay");
    expect(await metrics("?days=2")).toMatchObject({ funnel: { created: 0, paid: 0 }, secondsToPay: { median: null } });
    expect(await metrics("?days=3")).toMatchObject({ funnel: { created: 1, paid: 1 } });
    expect((await metrics("?days=3")).secondsToPay.median).toBeGreaterThan(0);
  });
});

it.each(["", "brl", "BR"])("metrics refuse the currency %o", async (currency) => {
  expectRefused(await get(`?currency=${currency}`), "invalid_request", "currency");
});
