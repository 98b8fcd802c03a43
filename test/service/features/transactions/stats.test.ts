import { beforeEach, describe, expect, it } from "vitest";
import { bodyOf, type Loose } from "../../../support/emulator.js";
import { payment } from "../../../support/payments.js";
import { sharedEmulator } from "../../../support/shared.js";

/** Examples beside the simulation, which counts one by one after any sequence of changes. */

/** Noon in São Paulo; its days begin at 03:00 UTC. */
const NOON = "2031-03-10T15:00:00.000Z";

const emulator = sharedEmulator({ frozen: true });
beforeEach(async () => {
  await emulator.sandbox("/reset");
  await to(NOON);
});

const to = (instant: string) => emulator.sandbox("/clock/advance", { to: instant });
const get = (query = "", key = emulator.key) => emulator.call("GET", `/v1/payments/stats${query}`, { key });
async function stats(query = "", key = emulator.key): Promise<Loose> {
  return bodyOf(await get(query, key));
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

it("stats without any payment are zeros over seven days", async () => {
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
