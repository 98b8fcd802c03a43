import { expect, it } from "vitest";
import { toneOf } from "../../../src/web/console/browser/pages/med/outcome.js";

it.each([
  ["open", null, "warn"],
  ["appealed", null, "wait"],
  ["accepted", "lost", "bad"],
  ["rejected", "lost", "bad"],
  ["closed", "refunded_to_merchant", "good"],
  ["closed", "closed_without_refund", "bad"],
] as const)(
  "a case that is %s with the money %s is shown as %s: who won, not how it ended",
  (status, outcome, tone) => {
    expect(toneOf({ status, money_outcome: outcome })).toBe(tone);
  },
);
