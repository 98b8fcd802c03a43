import { expect, it } from "vitest";
import { byDeadline, daysOf, mainCurrency } from "../../../src/web/console/browser/pages/overview/figures.js";
import { hasOutlier, heights } from "../../../src/web/console/browser/words/bar-heights.js";

/** The numbers of the console's first page. */

const volume = (currency: string, gross: number) => ({ currency, gross, net: gross, fees: 0, refunded: 0 });

it("the days come oldest first, with the volume of one currency", () => {
  const daily = [
    { date: "2026-11-22", created: 2, paid: 1, volumeByCurrency: [volume("BRL", 1_990), volume("EUR", 5)] },
    { date: "2026-11-21", created: 1, paid: 0, volumeByCurrency: [] },
  ];
  expect(daysOf({ daily }, "BRL")).toEqual([
    { date: "2026-11-21", created: 1, paid: 0, volume: 0 },
    { date: "2026-11-22", created: 2, paid: 1, volume: 1_990 },
  ]);
  expect(daysOf({ daily }, "EUR").map((day) => day.volume)).toEqual([0, 5]);
});

it("the currency with the most volume is shown, and BRL before there is any", () => {
  expect(mainCurrency({ volumeByCurrency: [] })).toBe("BRL");
  expect(mainCurrency({ volumeByCurrency: [volume("BRL", 1), volume("EUR", 2)] })).toBe("EUR");
});

it("the largest value is the whole height, a small one can be seen, and nothing is nothing", () => {
  expect(heights([0, 1, 5, 20], 80)).toEqual([0, 4, 20, 80]);
  expect(heights([0, 30, 50, 40, 200], 80).map(Boolean)).toEqual([false, true, true, true, true]);
  expect(heights([0, 0], 80)).toEqual([0, 0]);
  expect(heights([], 80)).toEqual([]);
});

it("with one value far above the others, heights follow the square root, and this is reported", () => {
  expect(hasOutlier([100, 100, 2_001])).toBe(true);
  expect(heights([100, 100, 10_000], 80)).toEqual([8, 8, 80]);
  expect(hasOutlier([100, 100, 2_000])).toBe(false);
  expect(hasOutlier([0, 0, 5])).toBe(false);
});

it("the case with the soonest deadline comes first, and those without one last", () => {
  const at = (response_deadline: string | null) => ({ response_deadline });
  const given = [at(null), at("2026-11-30T00:00:00Z"), at("2026-11-23T00:00:00Z"), at(null)];
  expect(byDeadline(given).map((one) => one.response_deadline)).toEqual([
    "2026-11-23T00:00:00Z",
    "2026-11-30T00:00:00Z",
    null,
    null,
  ]);
});
