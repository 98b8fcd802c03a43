import { getBankByIspb } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMULATED_ISPB, endToEndId, isEndToEndId } from "../../../src/base/pix/ids.js";

const AT = Date.UTC(2020, 8, 9, 12, 21, 59, 999);

describe("an end-to-end id", () => {
  it("is the kind, the bank, the minute in UTC and eleven random characters", () => {
    expect(endToEndId("E", "12345678", AT, "abcdef12345")).toBe("E12345678202009091221abcdef12345");
    expect(endToEndId("D", "12345678", AT, "abcdef12345")).toBe("D12345678202009091221abcdef12345");
  });

  it.each(["E12345678202009091221abcdef12345", "E18236120202308111235s14fddf2801", "E452464102025110419443reMspbFgf5"])(
    "of a payment may read %s",
    (id) => {
      expect(isEndToEndId(id)).toBe(true);
      expect(isEndToEndId(id, "D")).toBe(false);
    },
  );

  it.each(["D12345678202009091000abcde123456", "D54811417202508221647qjsBFT3ArbQ"])("of a return may read %s", (id) => {
    expect(isEndToEndId(id, "D")).toBe(true);
    expect(isEndToEndId(id)).toBe(false);
  });

  it.each([
    ["34 characters", "E12345678202009091221ghijk78901234"],
    ["month 34", "E9999901012341234123412345678900"],
    ["hour 24", "E12345678202009092421abcdef12345"],
    ["a hyphen", "E12345678202009091221abcdef-2345"],
    ["a small first letter", "e12345678202009091221abcdef12345"],
    ["a line break after it", "E12345678202009091221abcdef12345\n"],
    ["nothing", ""],
  ])("with %s is none", (_, id) => {
    expect(isEndToEndId(id)).toBe(false);
  });

  it("of any time and any bank has the right form and shows its minute", () => {
    const ispb = fc.stringMatching(/^[0-9A-Z]{8}$/);
    const chance = fc.stringMatching(/^[0-9A-Za-z]{11}$/);
    const instant = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) });
    fc.assert(
      fc.property(fc.constantFrom("E", "D"), ispb, instant, chance, (kind, bank, at, random) => {
        const id = endToEndId(kind, bank, at, random);
        expect(id).toHaveLength(32);
        expect(isEndToEndId(id, kind)).toBe(true);
        const [, year, month, day, hour, minute] = /^.{9}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(id)?.map(Number) ?? [];
        expect(Date.UTC(year ?? 0, (month ?? 0) - 1, day, hour, minute)).toBe(at - (at % 60_000));
      }),
    );
  });

  it.each([
    ["a short bank code", "1234567", AT, "abcdef12345"],
    ["too little chance", "12345678", AT, "abcdef"],
    ["a year of five digits", "12345678", Date.UTC(12_000, 0, 1), "abcdef12345"],
    ["no time", "12345678", Number.NaN, "abcdef12345"],
  ])("is not created from %s", (_, ispb, at, random) => {
    expect(() => endToEndId("E", ispb, at, random)).toThrow(RangeError);
  });
});

it("the emulator's bank code belongs to no real bank", () => {
  expect(EMULATED_ISPB).toMatch(/^\d{8}$/);
  expect(getBankByIspb(EMULATED_ISPB)).toBeNull();
  expect(getBankByIspb("00360305")).not.toBeNull();
});
