import fc from "fast-check";
import { expect, test } from "vitest";
import { certainPrice, formatBrl, parseAmount, readPrice } from "../../../src/base/kernel/money.js";
import { amountHint } from "../../../src/programs/cli/operation/flag-value.js";

/** A price that is read, or named in a hint, is the one that was written. */

const anySum = fc.integer({ min: 1, max: 99_999_999_999 });

function grouped(whole: string, mark: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, mark);
}

/** A sum as Brazilians, Americans and programs write it. */
const written = fc
  .record({
    sum: anySum,
    sign: fc.constantFrom("", "R$", "R$ ", "R$\u00a0", "r$ "),
    form: fc.constantFrom<readonly [group: string, mark: string]>(["", ","], ["", "."], [".", ","], [",", "."]),
    around: fc.constantFrom("", " ", "\r", "\t", "\u00a0", "\u200b", "\ufeff", "\r\n"),
  })
  .map(({ sum, sign, form: [group, mark], around }) => {
    const cents = String(sum % 100).padStart(2, "0");
    return { sum, text: `${around}${sign}${grouped(String(Math.floor(sum / 100)), group)}${mark}${cents}${around}` };
  });

test("a price is read as the sum that was written, in every notation", () => {
  fc.assert(
    fc.property(written, ({ sum, text }) => {
      expect(readPrice(text)).toBe(sum);
      expect([null, sum]).toContain(certainPrice(text));
    }),
  );
});

test("a hint names the sum that was written, or none", () => {
  fc.assert(
    fc.property(written, ({ sum, text }) => {
      const hint = String(amountHint(text));
      const [, named] = /\d/.exec(hint) === null ? [] : (/^write (\d+) for /.exec(hint) ?? []);
      if (named !== undefined) expect(hint).toBe(`write ${sum} for ${formatBrl(sum)}`);
      else expect(hint).toBe("write digits alone, without a sign, a dot or a comma");
    }),
  );
});

test("a hint for any text with a digit names no sum but one whose digits were all written", () => {
  const text = fc.string({ unit: fc.constantFrom(..."0123456789,.-+eR$ １") }).filter((one) => /\p{N}/u.test(one));
  fc.assert(
    fc.property(text, (one) => {
      const [, named] = /^write (\d+) for /.exec(String(amountHint(one))) ?? [];
      if (named === undefined) return;
      const digits = one.replace(/\D/g, "").replace(/^0+/, "");
      expect([digits, `${digits}0`, `${digits}00`]).toContain(named === "0" ? "" : named);
    }),
  );
});

test("where a price is read in its strict form, both readings agree", () => {
  fc.assert(
    fc.property(written, ({ text }) => {
      const strict = parseAmount(text);
      if (strict !== null) expect(readPrice(text)).toBe(strict);
    }),
  );
});

test.each([
  ["30 reais", 3000],
  ["30,50 reais", 3050],
  ["1.234,56 REAIS", 123_456],
  ["1 real", 100],
  ["reais", null],
  ["30 realms", null],
])("a price with the name of the currency behind it: %s", (text, sum) => {
  expect(readPrice(text)).toBe(sum);
});
