import { describe, expect, it } from "vitest";
import { type AttemptResult, retryAfter, retryDelay, verdict } from "../../../src/service/delivery/schedule.js";

const NOW = Date.parse("2026-11-21T12:00:00Z");

describe("the delay before a retry", () => {
  it("grows from another base to the same limit", () => {
    expect([1, 2, 3].map((attempt) => retryDelay(attempt, 500))).toEqual([500, 1_000, 2_000]);
    expect(retryDelay(1, 86_400_000)).toBe(21_600_000);
  });

  it("stays at the limit however many attempts are allowed", () => {
    expect(retryDelay(1_000, 10_000)).toBe(21_600_000);
    expect(retryDelay(5_000, 10_000)).toBe(21_600_000);
  });
});

describe("Retry-After", () => {
  it.each([
    ["1", 1_000],
    [" 120 ", 120_000],
    ["21600", 21_600_000],
    ["86400", 21_600_000],
    ["1234567890123", 21_600_000],
    ["9".repeat(400), 21_600_000],
    ["Sat, 21 Nov 2026 12:01:30 GMT", 90_000],
    ["Saturday, 21-Nov-26 12:00:05 GMT", 5_000],
    ["Sat, 21 Nov 2026 18:00:01 GMT", 21_600_000],
    ["Fri, 31 Dec 9999 23:59:59 GMT", 21_600_000],
    ["Sat Nov 21 12:00:07 2026", 7_000],
    ["2026-11-21T12:00:09Z", 9_000],
  ])("%s", (header, delay) => expect(retryAfter(header, NOW)).toBe(delay));

  it.each([
    "0",
    "000",
    "Sat, 21 Nov 2026 12:00:00 GMT",
    "2026-11-21T12:00:00.999Z",
    "",
    "soon",
    "-5",
    "1.5",
    "1e3",
    "10s",
    "+5",
    "٣",
    "2026-13-45",
    "+275760-09-13T00:00:00.000Z",
  ])("%s is ignored", (header) => {
    expect(retryAfter(header, NOW)).toBeNull();
  });

  it("in the past is ignored", () => {
    expect(retryAfter("Sat, 21 Nov 2026 11:59:59 GMT", NOW)).toBeNull();
    expect(retryAfter("Thu, 01 Jan 1970 00:00:00 GMT", NOW)).toBeNull();
  });

  it("may be missing", () => expect(retryAfter(undefined, NOW)).toBeNull());
});

describe("what an attempt means", () => {
  const result = (change: Partial<AttemptResult>): AttemptResult => ({
    statusCode: null,
    error: null,
    responseBody: null,
    responseHeaders: {},
    retryAfterMs: null,
    timedOut: false,
    durationMs: 1,
    ...change,
  });
  const decide = (change: Partial<AttemptResult>, attempt = 1) =>
    verdict(result(change), { attempt, maxAttempts: 15, baseMs: 10_000, endedAt: NOW, isAbandoned: () => false });

  it.each([200, 201, 202, 204, 299])("%i delivers", (statusCode) => {
    expect(decide({ statusCode })).toEqual({ status: "DELIVERED", nextAttemptAt: null });
    expect(decide({ statusCode }, 15).status).toBe("DELIVERED");
  });

  it.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 410, 422, 429, 500, 503, null])(
    "%s is tried again",
    (statusCode) => {
      expect(decide({ statusCode })).toEqual({ status: "PENDING", nextAttemptAt: NOW + 10_000 });
      expect(decide({ statusCode }, 3)).toEqual({ status: "PENDING", nextAttemptAt: NOW + 40_000 });
      expect(decide({ statusCode }, 15)).toEqual({ status: "FAILED", nextAttemptAt: null });
    },
  );

  it("stops after as many attempts as the delivery has", () => {
    expect(
      verdict(result({}), { attempt: 1, maxAttempts: 1, baseMs: 10_000, endedAt: NOW, isAbandoned: () => false })
        .status,
    ).toBe("FAILED");
    expect(
      verdict(result({}), { attempt: 1, maxAttempts: 2, baseMs: 10_000, endedAt: NOW, isAbandoned: () => false })
        .status,
    ).toBe("PENDING");
    expect(
      verdict(result({}), { attempt: 3, maxAttempts: 2, baseMs: 10_000, endedAt: NOW, isAbandoned: () => false })
        .status,
    ).toBe("FAILED");
    expect(decide({ statusCode: 429, retryAfterMs: 5_000 }, 15)).toEqual({ status: "FAILED", nextAttemptAt: null });
  });

  it("that failed is cancelled where its endpoint is gone, and another answer counts as ever", () => {
    const position = { attempt: 1, maxAttempts: 2, baseMs: 10_000, endedAt: NOW, isAbandoned: () => true };
    expect(verdict(result({}), position)).toEqual({ status: "CANCELLED", nextAttemptAt: null });
    expect(verdict(result({ statusCode: 200 }), position).status).toBe("DELIVERED");
    expect(verdict(result({}), { ...position, attempt: 2 }).status).toBe("FAILED");
  });
});
