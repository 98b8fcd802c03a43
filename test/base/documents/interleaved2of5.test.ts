import bwip from "bwip-js/node";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { interleaved2of5 } from "../../../src/base/documents/interleaved2of5.js";

/** Another program's symbol: it ends with a space, and a wide bar or space of it has two modules. */
function symbolOfOthers(digits: string): readonly number[] {
  const [symbol] = bwip.raw({ bcid: "interleaved2of5", text: digits });
  if (symbol === undefined || !("sbs" in symbol)) throw new Error("no symbol was made");
  return Array.from(symbol.sbs as ArrayLike<number>)
    .slice(0, -1)
    .map((width) => (width > 1 ? 3 : 1));
}

describe("an Interleaved 2 of 5 symbol", () => {
  it("has the bars and spaces of another encoder, whatever the digits", () => {
    const pairs = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(pairs, (values) => {
        const digits = values.map((value) => String(value).padStart(2, "0")).join("");
        expect(interleaved2of5(digits)).toEqual(symbolOfOthers(digits));
      }),
    );
  });

  it("has 405 modules for the 44 digits of a boleto", () => {
    expect(interleaved2of5("9".repeat(44)).reduce((total, width) => total + width, 0)).toBe(405);
  });

  it.each(["", "123", "12a4", "１２"])("is refused for %j: only pairs of digits have one", (digits) => {
    expect(() => interleaved2of5(digits)).toThrow(RangeError);
  });
});
