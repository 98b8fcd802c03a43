import { describe, expect, it } from "vitest";
import { type Past, pastCounts, pastOf, pastTone } from "../../../src/web/console/browser/words/past.js";
import { marksOf } from "../../../src/web/console/browser/words/time-scale.js";

const NOW = Date.parse("2026-11-25T12:00:00Z");
const ago = (seconds: number) => new Date(NOW - seconds * 1_000).toISOString();

describe("the past part of the time bar", () => {
  it("counts what people look for, the worst first, and leaves out other moves", () => {
    const past = pastOf([
      { at: ago(1), kind: "transaction.create", count: 3 },
      { at: ago(2), kind: "transaction.settle", count: 2 },
      { at: ago(3), kind: "transaction.approve", count: 1 },
      { at: ago(4), kind: "transaction.finalise", count: 9 },
      { at: ago(5), kind: "delivery.give_up", count: 4 },
    ]);
    expect(pastCounts(past)).toEqual([
      { kind: "failed", count: 4 },
      { kind: "pay", count: 3 },
      { kind: "create", count: 3 },
    ]);
    expect([pastTone(past), pastTone(past.slice(0, 3)), pastTone([])]).toEqual(["bad", "good", "plain"]);
  });

  it("has one mark for what happened at one place, the latest first", () => {
    const past = [ago(5_000), ago(5_010), ago(3), ago(40 * 86_400)].map((at): Past => ({ kind: "pay", at, count: 1 }));
    const marks = marksOf(past, NOW, 200, "past");
    expect(marks.map(({ entries, until }) => [entries.length, NOW - until])).toEqual([
      [1, 3_000],
      [2, 5_010_000],
    ]);
    expect(marks[0]?.share).toBeLessThan(marks[1]?.share ?? 0);
  });
});
