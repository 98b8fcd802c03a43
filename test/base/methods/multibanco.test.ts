import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  MULTIBANCO_ENTITY,
  MULTIBANCO_MAX_AMOUNT,
  MULTIBANCO_MIN_AMOUNT,
  multibancoReference,
  sevenDigitsOf,
} from "../../../src/base/methods/multibanco.js";

/** One weight for each digit of entity, free digits and amount, as issuers publish them. */
const WEIGHTS = [51, 73, 17, 89, 38, 62, 45, 53, 15, 50, 5, 49, 34, 81, 76, 27, 90, 9, 30, 3];

/** The check that a cash machine makes of the numbers that its user types. */
function accepts(entity: string, reference: string, amount: number): boolean {
  const digits = entity + reference.slice(0, 7) + String(amount).padStart(8, "0");
  const sum = WEIGHTS.reduce((total, weight, index) => total + weight * Number(digits[index]), 0);
  return Number(reference.slice(7)) === 98 - (sum % 97);
}

const entities = fc.integer({ min: 0, max: 99_999 }).map((entity) => String(entity).padStart(5, "0"));
const sevens = fc.uuid().map(sevenDigitsOf);
const amounts = fc.oneof(
  fc.integer({ min: MULTIBANCO_MIN_AMOUNT, max: MULTIBANCO_MAX_AMOUNT }),
  fc.constantFrom(MULTIBANCO_MIN_AMOUNT, MULTIBANCO_MAX_AMOUNT),
);

it.each([
  ["90150", "123123451", 43_211],
  ["11604", "999123490", 2_586],
  ["99999", "000123423", 1_990],
  ["99999", "000000109", 1_990],
])("a known reference of entity %s is %s", (entity, reference, amount) => {
  expect(multibancoReference(entity, reference.slice(0, 7), amount)).toBe(reference);
  expect(accepts(entity, reference, amount)).toBe(true);
});

it("a known reference with a wrong check digit is refused by the published weights", () => {
  expect(accepts("90150", "123123452", 43_211)).toBe(false);
});

describe("any reference", () => {
  it("is nine digits that the published weights accept", () => {
    fc.assert(
      fc.property(entities, sevens, amounts, (entity, seven, amount) => {
        const reference = multibancoReference(entity, seven, amount);
        expect(reference).toMatch(/^\d{9}$/);
        expect(reference.slice(0, 7)).toBe(seven);
        expect(accepts(entity, reference, amount)).toBe(true);
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  it("pads check digits that are below ten with a zero", () => {
    const checks = Array.from({ length: 97 }, (_, amount) =>
      multibancoReference(MULTIBANCO_ENTITY, "0000001", 100 + amount).slice(7),
    );
    expect(new Set(checks).size).toBe(97);
    expect(checks.toSorted().at(0)).toBe("02");
    expect(checks.toSorted().at(-1)).toBe("98");
  });
});

describe("a reference that the emulator issues", () => {
  it("has an amount between one euro and a million, in eight digits", () => {
    expect([MULTIBANCO_MIN_AMOUNT, MULTIBANCO_MAX_AMOUNT]).toEqual([100, 99_999_999]);
  });

  it("has seven digits that follow from the id, always the same ones", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(sevenDigitsOf(id)).toMatch(/^\d{7}$/);
        expect(sevenDigitsOf(id)).toBe(sevenDigitsOf(id));
      }),
      { seed: 1 },
    );
    expect(sevenDigitsOf("00000000-0000-0000-0000-00000000002a")).toBe("0000042");
    expect(sevenDigitsOf("00000000-0000-0000-0000-00000000002b")).toBe("0000043");
  });
});
