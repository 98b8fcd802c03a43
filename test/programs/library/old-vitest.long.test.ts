import { afterEach, beforeEach, expect, it, vi } from "vitest";

// Files that run in the same process import the same module, with the Vitest that is installed.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.doUnmock("vitest");
  vi.resetModules();
});

it("qa-pay/vitest refuses a Vitest older than 4.1, whose tests would not get the options of the emulator", async () => {
  vi.doMock("vitest", () => ({ test: { extend: () => ({}) } }));
  await expect(import("../../../src/vitest.js")).rejects.toThrow("qa-pay/vitest needs Vitest 4.1 or newer");
});
