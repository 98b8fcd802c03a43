import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatBrl, MAX_AMOUNT, splitFees } from "../../../src/base/kernel/money.js";

/** The fee of this many basis points on an amount. */
function share(amount: number, bps: number): number {
  return splitFees(amount, { fixed: 0, bps }, { fixed: 0, bps: 0 }).providerFee;
}

describe("a share in basis points", () => {
  it.each([
    [10_000, 99, 99],
    [50, 100, 1],
    [49, 100, 0],
    [150, 100, 2],
    [1, 10_000, 1],
    [0, 10_000, 0],
    [MAX_AMOUNT, 10_000, MAX_AMOUNT],
    [MAX_AMOUNT, 1, 100_000_000],
  ])("of %d at %d is %d, half rounded up", (amount, bps, expected) => {
    expect(share(amount, bps)).toBe(expected);
  });

  it("is never further than half a unit from the exact value", () => {
    const amount = fc.integer({ min: 1, max: MAX_AMOUNT });
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (of, bps) => {
        const error = BigInt(share(of, bps)) * 10_000n - BigInt(of) * BigInt(bps);
        expect(error > -5_000n && error <= 5_000n).toBe(true);
      }),
      { seed: 1 },
    );
  });
});

it("both fees and the net amount add up to the amount, and none of them is negative", () => {
  const fee = fc.record({ fixed: fc.nat({ max: 1_000 }), bps: fc.integer({ min: 0, max: 10_000 }) });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_AMOUNT }), fee, fee, (amount, provider, platform) => {
      const { providerFee, platformFee, netAmount } = splitFees(amount, provider, platform);
      expect(providerFee + platformFee + netAmount).toBe(amount);
      expect(Math.min(providerFee, platformFee, netAmount)).toBeGreaterThanOrEqual(0);
    }),
    { seed: 1 },
  );
});

it.each([
  [1, "R$ 0,01"],
  [123_456, "R$ 1.234,56"],
  [100, "R$ 1,00"],
  [MAX_AMOUNT, "R$ 9.999.999.999,99"],
])("reais %d centavos are %s", (centavos, text) => {
  expect(formatBrl(centavos)).toBe(text);
});
