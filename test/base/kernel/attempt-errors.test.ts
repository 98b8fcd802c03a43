import { describe, expect, it } from "vitest";
import { attemptErrorOf, readError, timeOver, toStoredError } from "../../../src/base/kernel/attempt-errors.js";

describe("why an attempt failed", () => {
  it("is stored with its code where the service says it", () => {
    for (const error of [timeOver(30_000), timeOver(1_000), { code: "answered", params: { status: 500 } } as const]) {
      expect(readError(toStoredError(error))).toEqual(error);
    }
    expect(attemptErrorOf(readError(toStoredError(timeOver(30_000))))).toEqual({
      error: "no answer within 30 seconds",
      error_code: "late",
      error_params: { seconds: 30 },
    });
  });

  it.each([
    "connection refused (ECONNREFUSED)",
    // As an older version stored it.
    "no answer within 30 seconds",
    '{"code":"of a newer version","params":{}}',
    '{"code":"late"}',
    '{"code": and what a network says behind it',
  ])("is shown as it is, without a code, where it is other text: %s", (text) => {
    expect(toStoredError(text)).toBe(text);
    expect(attemptErrorOf(readError(text))).toEqual({ error: text, error_code: null, error_params: null });
  });

  it("is nothing for an attempt that arrived", () => {
    expect([toStoredError(null), readError(null), attemptErrorOf(null).error]).toEqual([null, null, null]);
  });
});
