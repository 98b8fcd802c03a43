import { afterEach } from "vitest";
import type { TestEmulator } from "./emulator.js";
import type { Receiver } from "./receiver.js";
import { sharedEmulator, sharedReceiver } from "./shared.js";
import { settle } from "./webhooks.js";

interface Delivering {
  /** Its clock stands still. */
  readonly emulator: TestEmulator;
  readonly receiver: Receiver;
}

/**
 * The emulator and the webhook receiver of a test file. After each test the emulator sends its due deliveries, and both are
 * reset.
 */
export function startDelivering(): Delivering {
  const receiver = sharedReceiver();
  const emulator = sharedEmulator({ frozen: true });
  afterEach(async () => {
    receiver.replies.length = 0;
    receiver.respond = null;
    await settle(emulator);
    receiver.received.length = 0;
    await emulator.sandbox("/reset");
  });
  return { emulator, receiver };
}
