// Compiled, not run: the types of the fixture.
import type { Emulator, survive } from "qa-pay";
import { test, survive as theSame } from "qa-pay/vitest";

const frozen = test.extend({ emulatorOptions: [{ frozen: true }, { scope: "worker" }] });

frozen("a test", async ({ emulator }) => {
  const same: Emulator = emulator;
  await same.settled();
});

export const surviving: typeof survive = theSame;
