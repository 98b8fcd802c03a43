import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, isJsonObject } from "../../../src/base/kernel/json.js";

/** The same value with the members of every object in reverse order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

describe("canonical JSON", () => {
  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(canonicalJson(reversed(value))).toBe(canonicalJson(value));
      }),
      { seed: 1 },
    );
  });

  it("is JSON of the same value", () => {
    const stringUnit = fc.constantFrom(...'a1 _é\u0000\n"\\\u2028ÿ漢😀');
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit }), (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed: 1 },
    );
  });

  it.each([
    [{ a: 1 }, { a: "1" }],
    [{ a: null }, {}],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: { b: 1 } }, { "a.b": 1 }],
    [{ a: [] }, { a: {} }],
    [{ a: "1,2" }, { a: [1, 2] }],
  ])("is different for %j and %j", (one, other) => {
    expect(canonicalJson(one)).not.toBe(canonicalJson(other));
  });

  it("leaves out undefined members", () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});
