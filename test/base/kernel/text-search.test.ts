import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { excerpt, fold, hasWords } from "../../../src/base/kernel/text-search.js";

describe("what is shown of a text that matches", () => {
  const long = `${"about nothing ".repeat(20)}the order of São João ${"and more ".repeat(30)}`;

  it("is the whole of a short text, and the beginning of a long one", () => {
    expect(excerpt("Maria Silva", ["silva"])).toBe("Maria Silva");
    expect(excerpt("x".repeat(101))).toBe(`${"x".repeat(99)}…`);
  });

  it("holds the words that were found, wherever they are", () => {
    expect(excerpt(long, ["joao"])).toBe("…ng the order of São João and more and more a…");
    expect(excerpt(long, ["order", "more"])).toBe(
      "…g about nothing the order of São João and more and more and more a…",
    );
  });

  it("holds every word in any text", () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), fc.string({ maxLength: 200 }), (words, filler) => {
        const folded = words.map((word) => fold(word)).filter((word) => word !== "");
        const whole = words.join(filler);
        if (folded.length === 0 || !hasWords(whole, folded)) return;
        expect(hasWords(excerpt(whole, folded), folded)).toBe(true);
      }),
    );
  });
});
