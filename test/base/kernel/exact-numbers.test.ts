import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  inexactNumber,
  markInexactNumbers,
  parseCarried,
  parseWritten,
  withCarried,
} from "../../../src/base/kernel/exact-numbers.js";
import type { JsonObject } from "../../../src/base/kernel/json.js";

/** A decimal as a fraction of integers. It is slow, but exact for every literal with a moderate exponent. */
function fraction(literal: string): readonly [numerator: bigint, denominator: bigint] {
  const [, sign, whole = "", decimals = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  const power = Number(exponent) - decimals.length;
  const digits = BigInt(whole + decimals) * (sign === "-" ? -1n : 1n);
  return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
}

function isSame(one: string, other: string): boolean {
  const [a, b] = fraction(one);
  const [c, d] = fraction(other);
  return a * d === c * b;
}

const digits = (maxLength: number) => fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength });

const literals = fc
  .record({
    sign: fc.constantFrom("", "-"),
    whole: digits(24).map((text) => text.replace(/^0+(?=\d)/, "")),
    decimals: fc.option(digits(24), { nil: undefined }),
    mark: fc.constantFrom("", "e", "E", "e+", "E0", "e-"),
    exponent: fc.nat({ max: 420 }),
  })
  .map(({ sign, whole, decimals, mark, exponent }) => {
    const power = mark === "" ? "" : `${mark}${exponent}`;
    return `${sign}${whole}${decimals === undefined ? "" : `.${decimals}`}${power}`;
  });

describe("an inexact number", () => {
  it.each([
    "12345678901234567890",
    "9007199254740993",
    "-9007199254740993",
    "1e400",
    "-1e400",
    "1e-400",
    "0.12345678901234567890",
    "0.1000000000000000055511151231257827",
    "1.7976931348623159e308",
    "2.5e-324",
    "1e99999999999999999999",
    "1e-99999999999999999999",
  ])("is %s", (literal) => {
    expect(inexactNumber(`{"a":[1,{"b":${literal}}]}`)).toBe(literal);
  });

  it.each([
    "0",
    "-0",
    "0.0",
    "-0.00e5",
    "0.1",
    "1.10",
    "1e3",
    "1E+3",
    "1.5e-7",
    "9007199254740991",
    "9007199254740992",
    "100000000000000000000",
    "1e21",
    "123456789012345680000",
    "1.7976931348623157e308",
    "5e-324",
    "0e999",
    "0.3000000000000000000000",
    "1000000000000000000000000000000e-30",
  ])("is not %s", (literal) => {
    expect(inexactNumber(`{"a":[1,{"b":${literal}}]}`)).toBeNull();
  });

  it.each(['"12345678901234567890"', '"\\"12345678901234567890"', '"\\\\",1', '"a\\\\\\" 1e400 "', '{"1e400":1}'])(
    "is not part of a text: %s",
    (text) => {
      expect(inexactNumber(`[${text}]`)).toBeNull();
    },
  );

  it("is found behind every kind of text", () => {
    for (const text of ['""', '"\\\\"', '"\\""', '"1"', '"\\u0031"']) {
      expect(inexactNumber(`[${text},1e400]`)).toBe("1e400");
    }
  });

  it("is never a number that JavaScript has written itself", () => {
    fc.assert(
      fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
        expect(inexactNumber(JSON.stringify([value]))).toBeNull();
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is every number that JavaScript writes back as a different number", () => {
    fc.assert(
      fc.property(literals, (literal) => {
        const value = Number(literal);
        const exact = Number.isFinite(value) && isSame(String(value), literal);
        expect(inexactNumber(`[${literal}]`)).toBe(exact ? null : literal);
      }),
      { seed: 1, numRuns: 300 },
    );
  });

  it("is found at the end of a mebibyte of digits, of strings or of other numbers", () => {
    const size = 1_048_576;
    for (const text of [
      `[${"0.".padEnd(size, "0")}1]`,
      `["${"\\\\".repeat(size / 2)}",1e400]`,
      `[${"1e400,".repeat(size / 6)}0]`,
    ]) {
      expect(inexactNumber(text)).not.toBeNull();
    }
  });
});

describe("marking", () => {
  const marked = (text: string) => markInexactNumbers(text, JSON.parse(text) as JsonObject);

  it("puts NaN in the place of each inexact number", () => {
    const text = '{"amount":12345678901234567890,"metadata":{"a":1e400,"b":["1e400",{"c":9007199254740993}],"d":1.10}}';
    expect(marked(text)).toEqual({
      amount: Number.NaN,
      metadata: { a: Number.NaN, b: ["1e400", { c: Number.NaN }], d: 1.1 },
    });
  });

  it("takes the last of two members with the same name, as JSON.parse does", () => {
    expect(marked('{"metadata":{"a":1e400,"a":1}}')).toEqual({ metadata: { a: 1 } });
    expect(marked('{"metadata":{"a":1,"a":1e400}}')).toEqual({ metadata: { a: Number.NaN } });
  });

  it("returns the same body when it has no inexact number", () => {
    for (const text of ['{"metadata":{"a":1}}', '{"amount":1990.0}', '{"amount":"1e400"}', "{}"]) {
      const body = JSON.parse(text) as JsonObject;
      expect(markInexactNumbers(text, body)).toBe(body);
    }
  });
});

describe("a JSON text that is read as it was written", () => {
  it.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", "9007199254740992"],
    ["9007199254740993", "9007199254740993"],
    ["-9007199254740993", "-9007199254740993"],
    ["100000000000000000000000", "100000000000000000000000"],
    ["1989.99999999999999999999", "1989.99999999999999999999"],
    ["1e400", "1e400"],
    ["1e23", "1e23"],
    ["0.00000012", "0.00000012"],
    ["1990.0", 1990],
    ["1e3", 1000],
    ["19.90", 19.9],
    ['"9007199254740993"', "9007199254740993"],
  ])("has %s as %j", (literal, value) => {
    expect(parseWritten(`{"order":${literal}}`)).toEqual({ order: value });
  });

  it("has the digits of every whole number", () => {
    fc.assert(
      fc.property(
        digits(40).map((text) => text.replace(/^0+(?=\d)/, "")),
        (literal) => {
          const { order } = parseWritten(`{"a":"${literal}\\"","order":${literal}}`) as { order: unknown };
          expect(String(order)).toBe(literal);
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });
});

describe("a JSON text that is carried on", () => {
  it("is written again with every digit, and its texts stay texts", () => {
    fc.assert(
      fc.property(literals, fc.string(), (literal, text) => {
        const value = parseCarried(JSON.stringify({ text }).replace("{", `{"a":[${literal}],`));
        const again = withCarried(JSON.stringify(value));
        expect(JSON.parse(again).text).toBe(text);
        const number = /\[(.*?)\]/.exec(again)?.[1] ?? "";
        expect(isSame(number, literal)).toBe(true);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
