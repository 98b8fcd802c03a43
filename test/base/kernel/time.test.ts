import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDuration } from "../../../src/base/kernel/duration.js";
import { iso, isoOrNull, MAX_INSTANT, parseInstant } from "../../../src/base/kernel/time.js";

describe("an instant", () => {
  it.each([
    ["2026-11-21T12:00:00Z", "2026-11-21T12:00:00.000Z"],
    ["2026-11-21T12:00:00.123Z", "2026-11-21T12:00:00.123Z"],
    ["2026-11-21T12:00:00.123456789Z", "2026-11-21T12:00:00.123Z"],
    ["2026-11-21T09:00:00-03:00", "2026-11-21T12:00:00.000Z"],
    ["2026-11-21T12:00Z", "2026-11-21T12:00:00.000Z"],
    ["2026-11-21", "2026-11-21T00:00:00.000Z"],
    ["2028-02-29", "2028-02-29T00:00:00.000Z"],
  ])("%s is %s", (text, expected) => {
    expect(isoOrNull(parseInstant(text))).toBe(expected);
  });

  it.each([
    "",
    "now",
    "21/11/2026",
    "2026-11-21T12:00:00",
    "2026-11-21 12:00:00Z",
    "2026-02-30",
    "2026-02-29T00:00:00Z",
    "2026-13-01",
    "2026-11-00",
    "2026-11-21T25:00:00Z",
    "2026-11-21T12:61:00Z",
    "1790000000",
    "+010000-01-01T00:00:00Z",
    " 2026-11-21",
  ])("%o is none", (text) => {
    expect(parseInstant(text)).toBeNull();
  });

  it("is shown in UTC with milliseconds, and the last one is the end of the year 9999", () => {
    expect([iso(0), iso(MAX_INSTANT)]).toEqual(["1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]);
    expect(iso(MAX_INSTANT + 86_400_000)).toBe("9999-12-31T23:59:59.999Z");
    expect(isoOrNull(null)).toBeNull();
  });

  it("has the text that Date returns, whatever instant was shown before", () => {
    const now = 1_795_348_800_000;
    const instants = fc.oneof(
      fc.integer({ min: now - 90_000_000, max: now + 90_000_000 }),
      fc.integer({ min: -8.64e15, max: MAX_INSTANT }),
      fc.double({ min: -1e14, max: 1e14, noNaN: true }),
      fc.constantFrom(-8.64e15, MAX_INSTANT, -1, 0, 86_399_999, 86_400_000, now - 1, now),
    );
    const list = fc.array(instants, { maxLength: 5 });
    fc.assert(
      fc.property(list, (some) => {
        expect(some.map(iso)).toEqual(some.map((at) => new Date(at).toISOString()));
      }),
    );
    for (const none of [Number.NaN, 8.64e15 + 1, -8.64e15 - 1]) expect(() => iso(none)).toThrow(RangeError);
  });
});

describe("a duration", () => {
  it.each([
    ["500ms", 500],
    ["10s", 10_000],
    ["5m", 300_000],
    ["1h", 3_600_000],
    ["1d", 86_400_000],
    ["1.5s", 1_500],
    ["0s", 0],
  ])("%s is %d ms", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "10", "s", "-1s", "1w", "1 s", "1S", "1s2m", "1e3s", "999999999999999999d"])("%o is none", (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});
