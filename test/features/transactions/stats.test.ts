import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { payment, REQUESTS, refundInFull } from "../../support/payments.js";
import { expectRefused } from "../../support/refusals.js";

/** Noon in São Paulo; its days begin at 03:00 UTC. */
const NOON = "2031-03-10T15:00:00.000Z";

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
});
afterAll(() => emulator.close());
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await to(NOON);
});

const to = (instant: string) => emulator.sandbox("/clock/advance", { to: instant });
const get = (query = "", key = emulator.key) => emulator.call("GET", `/v1/payments/stats${query}`, { key });
async function stats(query = "", key = emulator.key): Promise<Loose> {
  const answer = await get(query, key);
  if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}
async function paid(body: object = {}, key = emulator.key): Promise<string> {
  const { id } = await payment(emulator, body, { key });
  await emulator.sandbox(`/charges/${id}/pay`, {}, { key });
  return id;
}
const dates = ({ dailyVolume }: Loose): string[] => dailyVolume.map(({ date }: Loose) => date);
/** Volume of one currency by date, without the days that have none. */
const byDay = ({ dailyVolume }: Loose, currency = "BRL"): Record<string, number> =>
  Object.fromEntries(
    dailyVolume
      .map(({ date, currencies }: Loose) => [date, currencies[currency] ?? 0])
      .filter(([, volume]: [string, number]) => volume !== 0),
  );

describe("stats", () => {
  it("without any payment are zeros over seven days", async () => {
    const answer = await stats();
    expect(answer).toMatchObject({
      totalTransactions: 0,
      paidTransactions: 0,
      todayTransactions: 0,
      successRate: 0,
      volumeByCurrency: [],
      methodBreakdown: [],
    });
    expect(dates(answer)).toEqual([4, 5, 6, 7, 8, 9, 10].map((day) => `2031-03-${String(day).padStart(2, "0")}`));
    expect(byDay(answer)).toEqual({});
    expect(Object.values(answer.todayVolumeByCurrency).every((volume) => volume === 0)).toBe(true);
  });

  it("count and add up what was paid, by currency, method and day", async () => {
    await paid({ amount: 1_000 });
    await paid({ ...REQUESTS.BOLETO, amount: 2_500 });
    await paid({ ...REQUESTS.CREDIT_CARD, currency: "EUR", amount: 300 });
    await paid({ ...REQUESTS.CREDIT_CARD, amount: 40 });
    await payment(emulator, { amount: 9_999 });
    await payment(emulator, REQUESTS.CRYPTO);
    const { dailyVolume, volumeByCurrency, methodBreakdown, ...rest } = await stats();
    expect(rest).toStrictEqual({
      totalTransactions: 6,
      paidTransactions: 4,
      todayTransactions: 6,
      successRate: 67,
      todayVolumeByCurrency: { BRL: 3_540, EUR: 300 },
    });
    expect(volumeByCurrency).toHaveLength(2);
    expect(volumeByCurrency).toEqual(
      expect.arrayContaining([
        { currency: "BRL", volume: 3_540, count: 3 },
        { currency: "EUR", volume: 300, count: 1 },
      ]),
    );
    expect(methodBreakdown).toHaveLength(3);
    expect(methodBreakdown).toEqual(
      expect.arrayContaining([
        { method: "PIX", volume: 1_000, count: 1 },
        { method: "BOLETO", volume: 2_500, count: 1 },
        { method: "CREDIT_CARD", volume: 340, count: 2 },
      ]),
    );
    expect(dailyVolume.at(-1)).toEqual({ date: "2031-03-10", currencies: { BRL: 3_540, EUR: 300 } });
  });

  it("count charges with payments", async () => {
    const { id } = await emulator.charge({ amount: 77 });
    await emulator.sandbox(`/charges/${id}/pay`);
    expect(await stats()).toMatchObject({
      totalTransactions: 1,
      paidTransactions: 1,
      todayVolumeByCurrency: { BRL: 77 },
    });
  });

  it.each<[number, number, number]>([
    [0, 1, 0],
    [1, 1, 100],
    [1, 2, 50],
    [1, 3, 33],
    [2, 3, 67],
    [1, 8, 13],
    [199, 200, 100],
    [1, 201, 0],
  ])("%d of %d paid is a success rate of %d percent", async (success, all, rate) => {
    const { id } = await payment(emulator);
    if (success > 0) await emulator.sandbox(`/charges/${id}/pay`);
    const rest = Array.from({ length: all - 1 }, (_, index) => index + 1 < success);
    await Promise.all(rest.map((pays) => (pays ? paid() : payment(emulator))));
    expect(await stats()).toMatchObject({ totalTransactions: all, paidTransactions: success, successRate: rate });
  });

  it("say gross amounts, whatever the fees", async () => {
    const fee = { fixed: 100, bps: 500 };
    const priced = await startEmulator({ frozen: true, settings: { fees: { PIX: { provider: fee, platform: fee } } } });
    try {
      const { id } = await payment(priced, { amount: 1_000 });
      await priced.sandbox(`/charges/${id}/pay`);
      const { body } = await priced.call("GET", "/v1/payments/stats");
      expect(body.volumeByCurrency).toEqual([{ currency: "BRL", volume: 1_000, count: 1 }]);
    } finally {
      await priced.close();
    }
  });

  it("keep test and live, and one account and another, apart", async () => {
    const second = await emulator.sandbox("/accounts", { name: "Second Shop" });
    await paid({ amount: 1 });
    await paid({ amount: 20 }, emulator.live);
    await paid({ amount: 300 }, second.test_key);
    const volumes = await Promise.all(
      [emulator.key, emulator.live, second.test_key, second.live_key].map(async (key) => {
        const { totalTransactions, volumeByCurrency } = await stats("", key);
        return [totalTransactions, volumeByCurrency[0]?.volume ?? 0];
      }),
    );
    expect(volumes).toEqual([
      [1, 1],
      [1, 20],
      [1, 300],
      [0, 0],
    ]);
  });

  it("end with a reset", async () => {
    await paid();
    await emulator.sandbox("/reset");
    expect(await stats()).toMatchObject({ totalTransactions: 0, paidTransactions: 0, volumeByCurrency: [] });
  });
});

describe("what counts as paid", () => {
  const COUNTED = { totalTransactions: 1, paidTransactions: 1, successRate: 100 };
  const NOT_COUNTED = { totalTransactions: 1, paidTransactions: 0, successRate: 0, volumeByCurrency: [] };

  it("stays paid when it is refunded in part or in full", async () => {
    const id = await paid({ amount: 1_000 });
    const body = { idempotencyKey: "refund-of-a-part", amount: 400 };
    const { body: refund } = await emulator.call("POST", `/v1/payments/${id}/refund`, { body });
    await emulator.sandbox(`/refunds/${refund.id}/advance`, { to: "REFUNDED" });
    expect(await stats()).toMatchObject(COUNTED);
    await refundInFull(emulator, id);
    expect((await emulator.call("GET", `/v1/payments/${id}`)).body.status).toBe("REFUNDED");
    expect(await stats()).toMatchObject({
      ...COUNTED,
      volumeByCurrency: [{ currency: "BRL", volume: 1_000, count: 1 }],
      methodBreakdown: [{ method: "PIX", volume: 1_000, count: 1 }],
    });
  });

  it("stays paid when it is disputed, won or lost", async () => {
    const id = await paid({ amount: 1_000 });
    const { id: caseId } = await emulator.sandbox("/med-cases", { charge_id: id });
    expect(await stats()).toMatchObject(COUNTED);
    await emulator.sandbox(`/med-cases/${caseId}/decide`, { outcome: "refunded_to_merchant" });
    expect(await stats()).toMatchObject(COUNTED);
    const { id: lost } = await emulator.sandbox("/med-cases", { charge_id: id });
    await emulator.sandbox(`/med-cases/${lost}/decide`, { outcome: "upheld" });
    expect(await stats()).toMatchObject({ ...COUNTED, todayVolumeByCurrency: { BRL: 1_000 } });
  });

  it.each([null, DOCUMENTS.otherCpf])("does not include money that was never credited: %o", async (payer_document) => {
    const charge = await emulator.charge({ customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf });
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_document });
    expect(await stats()).toMatchObject(NOT_COUNTED);
    if (payer_document !== null) return;
    await emulator.sandbox(`/charges/${charge.id}/review`, { decision: "approve" });
    expect(await stats()).toMatchObject(COUNTED);
  });

  it.each(["fail", "expire"])("does not include a payment that ended in %s", async (what) => {
    const { id } = await payment(emulator);
    await emulator.sandbox(`/charges/${id}/${what}`);
    expect(await stats()).toMatchObject(NOT_COUNTED);
  });
});

describe("the days of stats", () => {
  it("change at midnight in São Paulo, to the millisecond", async () => {
    await to("2031-03-11T02:59:59.999Z");
    await paid({ amount: 1 });
    expect(await stats()).toMatchObject({ todayTransactions: 1, todayVolumeByCurrency: { BRL: 1 } });
    await to("2031-03-11T03:00:00.000Z");
    const next = await stats();
    expect([next.todayTransactions, next.todayVolumeByCurrency.BRL]).toEqual([0, 0]);
    expect(dates(next).at(-1)).toBe("2031-03-11");
    await paid({ amount: 20 });
    expect(byDay(await stats())).toEqual({ "2031-03-10": 1, "2031-03-11": 20 });
    expect(await stats("?days=1")).toMatchObject({ totalTransactions: 1, todayTransactions: 1 });
  });

  it("are the days of creation, whenever the payment is paid", async () => {
    const { id } = await payment(emulator, { ...REQUESTS.BOLETO, amount: 500 });
    await to("2031-03-12T15:00:00Z");
    await emulator.sandbox(`/charges/${id}/pay`);
    const answer = await stats();
    expect([byDay(answer), answer.todayTransactions, answer.todayVolumeByCurrency]).toEqual([
      { "2031-03-10": 500 },
      0,
      { BRL: 0 },
    ]);
    expect(await stats("?days=2")).toMatchObject({ totalTransactions: 0, paidTransactions: 0 });
    expect(await stats("?days=3")).toMatchObject({ totalTransactions: 1, paidTransactions: 1 });
  });

  it("are listed without gaps, today last", async () => {
    await paid({ amount: 10 });
    await to("2031-03-14T15:00:00Z");
    await paid({ ...REQUESTS.MULTIBANCO, amount: 200 });
    const answer = await stats("?days=5");
    expect(dates(answer)).toEqual(["2031-03-10", "2031-03-11", "2031-03-12", "2031-03-13", "2031-03-14"]);
    expect([byDay(answer), byDay(answer, "EUR")]).toEqual([{ "2031-03-10": 10 }, { "2031-03-14": 200 }]);
    expect(dates(await stats("?days=1"))).toEqual(["2031-03-14"]);
  });

  it("continue over the ends of months and over leap days", async () => {
    await to("2032-03-01T15:00:00Z");
    expect(dates(await stats("?days=3"))).toEqual(["2032-02-28", "2032-02-29", "2032-03-01"]);
    await to("2033-01-01T02:59:59Z");
    expect(dates(await stats("?days=2"))).toEqual(["2032-12-30", "2032-12-31"]);
  });

  it("are 366 at most, while the totals cover the whole window", async () => {
    await paid({ amount: 1 });
    // 2032 is a leap year: 366 days later to the day.
    await to("2032-03-09T15:00:00Z");
    await paid({ amount: 20 });
    await to("2032-03-10T15:00:00Z");
    await paid({ amount: 300 });
    const year = await stats("?days=366");
    expect([dates(year).length, dates(year)[0], year.totalTransactions]).toEqual([366, "2031-03-11", 2]);
    for (const days of [367, 400, 3_650]) {
      const longer = await stats(`?days=${days}`);
      expect([dates(longer).length, dates(longer)[0], dates(longer).at(-1)]).toEqual([366, "2031-03-11", "2032-03-10"]);
      expect(longer).toMatchObject({
        totalTransactions: 3,
        paidTransactions: 3,
        successRate: 100,
        volumeByCurrency: [{ currency: "BRL", volume: 321, count: 3 }],
      });
      expect(byDay(longer)).toEqual({ "2032-03-09": 20, "2032-03-10": 300 });
    }
  });
});

describe("a query of stats", () => {
  it.each([
    ["days=0", "days"],
    ["days=-1", "days"],
    ["days=1.5", "days"],
    ["days=", "days"],
    ["days=week", "days"],
    ["days=1e2", "days"],
    ["days=99999999999999999999", "days"],
    ["days=1&days=2", "days"],
    ["currency=BRL", "currency"],
    ["day=1", "day"],
  ])("is refused with the parameter's name: ?%s", async (query, param) => {
    expectRefused(await get(`?${query}`), "invalid_request", param);
  });

  it("needs a key", async () => {
    expectRefused(await emulator.call("GET", "/v1/payments/stats?days=0", { key: null }), "unauthorized");
  });
});
