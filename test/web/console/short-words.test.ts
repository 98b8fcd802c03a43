import { expect, it } from "vitest";
import { daysOfRange, rangeOfDays } from "../../../src/web/console/browser/words/day-ranges.js";
import { shortId } from "../../../src/web/console/browser/words/short-id.js";

/** Ids and ranges of days as lists show them. */

it.each([
  ["ch_01a244c0-8f40-7118-9618-3d2c24326eb4", "ch_…6eb4"],
  ["med_01a244c0-8f40-7118-9618-3d2c24326eb4", "med_…6eb4"],
  ["01a244c0-8f40-7118-9618-3d2c24326eb4", "…6eb4"],
  ["667", "667"],
  ["req_short", "req_short"],
])("the id %s is %s where space is short", (id, short) => {
  expect(shortId(id)).toBe(short);
});

it("ranges of days end today or yesterday, over the ends of months and years, and are known again", () => {
  const noon = new Date(2027, 0, 2, 12).getTime();
  expect(daysOfRange("today", noon)).toEqual(["2027-01-02", "2027-01-02"]);
  expect(daysOfRange("yesterday", noon)).toEqual(["2027-01-01", "2027-01-01"]);
  expect(daysOfRange("last_7", noon)).toEqual(["2026-12-27", "2027-01-02"]);
  expect(daysOfRange("last_30", noon)).toEqual(["2026-12-04", "2027-01-02"]);
  expect(rangeOfDays("2026-12-27", "2027-01-02", noon)).toBe("last_7");
  expect(rangeOfDays("2026-12-27", "2027-01-01", noon)).toBeNull();
  expect(rangeOfDays("", "", noon)).toBeNull();
});
