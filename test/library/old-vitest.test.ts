import { expect, it, vi } from "vitest";

it("qa-pay/vitest refuses a Vitest older than 4.1, whose tests would not get the options of the emulator", async () => {
  vi.doMock("vitest", () => ({ test: { extend: () => ({}) } }));
  await expect(import("../../src/vitest.js")).rejects.toThrow("qa-pay/vitest needs Vitest 4.1 or newer");
});
