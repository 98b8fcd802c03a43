import { test as base } from "vitest";
import { createEmulator, type Emulator, type EmulatorOptions } from "./index.js";

/** `qa-pay/vitest`: Vitest's `test` with an emulator (docs/guides/test-kit.md). */

// No version range of the package says so: npm would stop an install for it (docs/decisions/053-types-and-require.md).
if (!("override" in base)) {
  throw new Error(
    "qa-pay/vitest needs Vitest 4.1 or newer. With an older one, start an emulator with createEmulator of qa-pay.",
  );
}

export { survive } from "./index.js";

export interface EmulatorFixtures {
  /** The options of the emulator; none by default. Replace it with `test.extend`, in the scope `worker`. */
  emulatorOptions: EmulatorOptions;
  /** The emulator of this worker. Tests that run at the same time in one file must not share it: `createEmulator`. */
  emulator: Emulator;
}

interface WorkerFixtures {
  /** The emulator before and after its resets. Tests take `emulator`. */
  workerEmulator: Emulator;
}

/**
 * Vitest's `test` with a fixture `emulator`. A worker starts its emulator for the first test that takes it, and resets it
 * after each such test, so that every test begins with an empty one.
 */
export const test = base.extend<EmulatorFixtures & WorkerFixtures>({
  emulatorOptions: [{}, { scope: "worker" }],
  workerEmulator: [
    async ({ emulatorOptions }, use) => {
      const emulator = await createEmulator(emulatorOptions);
      await use(emulator);
      await emulator.close();
    },
    { scope: "worker" },
  ],
  emulator: async ({ workerEmulator }, use) => {
    await use(workerEmulator);
    await workerEmulator.reset();
  },
});
