import { describe, expect, it } from "vitest";
import { nearest } from "../../../src/base/kernel/nearest.js";

const known = ["db", "list", "frozen", "forwardTo", "refundDelay", "retryBase", "charge.paid", "payment.paid"];

describe("the nearest name", () => {
  it.each([
    ["froozen", "frozen"],
    ["forzen", "frozen"],
    ["FROZEN", "frozen"],
    ["forward-to", "forwardTo"],
    ["forward_to", "forwardTo"],
    ["refund-delay", "refundDelay"],
    ["refundDelayMs", "refundDelay"],
    ["charge.payd", "charge.paid"],
    ["DB", "db"],
    ["lsit", "list"],
  ])("of %s is %s", (name, near) => {
    expect(nearest(name, known)).toBe(near);
  });

  it.each(["", "x", "d", "colour", "seed", "forwardEvents", "…", "x".repeat(10_000)])(
    "of %s is none: too much would differ",
    (name) => {
      expect(nearest(name, known)).toBeUndefined();
    },
  );

  it("is the first one of several that are equally near", () => {
    expect(nearest("abd", ["abc", "abe"])).toBe("abc");
  });
});
