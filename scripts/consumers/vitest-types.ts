// Compiled, not run: the types of the fixture.
import type { Emulator } from "qa-pay";
import { test } from "qa-pay/vitest";

const frozen = test.extend({ emulatorOptions: [{ frozen: true }, { scope: "worker" }] });

frozen("a test", async ({ emulator }) => {
  const same: Emulator = emulator;
  await same.settled();
});
