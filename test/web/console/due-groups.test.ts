import { describe, expect, it } from "vitest";
import {
  type Due,
  deadlinesOf,
  groupsOf,
  isRetry,
  toneOf,
  type Upcoming,
} from "../../../src/web/console/browser/words/due-groups.js";
import { span } from "../../../src/web/console/browser/words/time.js";
import { distanceAt, HORIZON_MS, marksOf, shareOf, TICKS } from "../../../src/web/console/browser/words/time-scale.js";

const START = Date.parse("2026-12-04T02:00:00Z");
const MINUTE = 60_000;

const at = (ms: number) => new Date(START + ms).toISOString();

const expiry = (ms: number): Due => ({
  at: at(ms),
  kind: "transaction.expire",
  subject: `ch_${ms}`,
  text: "",
  code: "charge_expires",
  params: {},
});

const attempt = (ms: number, url: string, number = 2): Due => ({
  at: at(ms),
  kind: "delivery.attempt",
  subject: `ch_${ms}`,
  text: "",
  code: "delivery_attempted",
  params: { url, number, type: "charge.paid" },
});

const sizes = (entries: readonly Due[]) => groupsOf(entries).map(({ entries: own, place }) => [own.length, place]);

describe("due work in groups", () => {
  it("is one group as long as each entry comes within a minute of the one before", () => {
    const entries = Array.from({ length: 22 }, (_none, index) => expiry(41 * MINUTE + index * 30_000));
    expect(groupsOf(entries)).toMatchObject([{ from: START + 41 * MINUTE, to: START + 51.5 * MINUTE, place: "" }]);
    expect(sizes([...entries, expiry(60 * MINUTE)])).toEqual([
      [22, ""],
      [1, ""],
    ]);
  });

  it("has a group for each endpoint, and one for first attempts, although they come in turns", () => {
    const entries = [
      attempt(1_000, "http://one.test/a"),
      expiry(2_000),
      attempt(3_000, "https://two.test/b"),
      attempt(4_000, "http://one.test/a"),
      attempt(5_000, "http://one.test/a", 1),
    ];
    expect(sizes(entries)).toEqual([
      [2, "one.test/a"],
      [1, ""],
      [1, "two.test/b"],
      [1, "one.test/a"],
    ]);
    expect(entries.filter(isRetry)).toHaveLength(3);
  });

  it("has one tone for one kind of work, and none for several", () => {
    const waits = attempt(1_000, "http://one.test/a");
    expect(toneOf([waits, waits])).toBe("wait");
    expect(toneOf([waits, expiry(1_000)])).toBe("plain");
    expect(toneOf(deadlinesOf([{ response_deadline: at(0) }, { response_deadline: null }]))).toBe("warn");
  });
});

describe("two durations", () => {
  it.each([
    [41 * MINUTE, 52 * MINUTE, "41", "52 min"],
    [58_000, 125_000, "58 s", "2 min 05 s"],
    [3_000, 9_000, "3", "9 s"],
    [90 * MINUTE, 26 * 60 * MINUTE, "1 h 30 min", "1 d 02 h"],
  ])("of %d and %d ms are %s to %s", (from, to, first, last) => {
    expect(span(from, to)).toEqual({ from: first, to: last });
  });
});

describe("the scale of the time bar", () => {
  it("leads from now to thirty days, the nearer the wider", () => {
    expect(shareOf(0)).toBe(0);
    expect(shareOf(HORIZON_MS)).toBe(1);
    expect(shareOf(2 * HORIZON_MS)).toBe(1);
    const shares = TICKS.map(({ ms }) => shareOf(ms));
    expect(shares).toEqual(shares.toSorted((one, other) => one - other));
    expect(shareOf(MINUTE)).toBeGreaterThan(0.05);
  });

  it("has a round distance at every place, near the place", () => {
    for (let share = 0.02; share <= 1; share += 0.01) {
      const distance = distanceAt(share);
      expect(Math.abs(shareOf(distance) - share)).toBeLessThan(0.02);
      expect(distance % 1_000).toBe(0);
    }
    expect(distanceAt(-1)).toBe(0);
    expect(distanceAt(2)).toBe(HORIZON_MS);
  });

  it("counts what would stand on one place, and runs up to its last entry", () => {
    const expiries: Upcoming[] = Array.from({ length: 25 }, (_none, index) => expiry(55 * MINUTE + index * 1_000));
    const marks = marksOf([...expiries, expiry(2 * HORIZON_MS), attempt(10_000, "http://one.test/a")], START, 800);
    expect(marks.map(({ entries }) => entries.length)).toEqual([1, 25]);
    expect(marks[1]?.until).toBe(START + 55 * MINUTE + 24_000);
    expect(marksOf([expiry(20 * MINUTE), expiry(55 * MINUTE)], START, 800)).toHaveLength(2);
    expect(marksOf([expiry(20 * MINUTE), expiry(55 * MINUTE)], START, 120)).toHaveLength(1);
  });
});
