import { afterAll, afterEach, beforeAll } from "vitest";
import { startEmulator, type TestEmulator } from "./emulator.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { settle } from "./webhooks.js";

interface Delivering {
  /** Its clock stands still. */
  readonly emulator: TestEmulator;
  readonly receiver: Receiver;
}

/**
 * Starts an emulator and a webhook receiver for all tests of a file, and hands them to `use`. After each test the
 * emulator sends its due deliveries, and both are reset.
 */
export function delivering(use: (started: Delivering) => void): void {
  let started: Delivering;
  beforeAll(async () => {
    started = { emulator: await startEmulator({ frozen: true }), receiver: await startReceiver() };
    use(started);
  });
  afterEach(async () => {
    const { emulator, receiver } = started;
    receiver.replies.length = 0;
    receiver.respond = null;
    await settle(emulator);
    receiver.received.length = 0;
    await emulator.sandbox("/reset");
  });
  afterAll(async () => {
    await started.emulator.close();
    await started.receiver.close();
  });
}
