import { createTransport } from "../delivery/transport.js";
import { hmacHex } from "../kernel/hmac.js";
import type { RealTime } from "../kernel/runtime.js";
import type { Attempt } from "./deliveries.js";
import { type Secrets, trialsOf } from "./signatures.js";

/** How long a receiver may take for each trial. */
const PATIENCE_MS = 5_000;

/**
 * Sends a webhook that a receiver refused once more, signed as each usual mistake would want it. Returns what the receiver does
 * wrong; null where its answers prove nothing, such as when it accepts any signature.
 */
export async function provenMistake(attempt: Attempt, secrets: Secrets, real: RealTime): Promise<string | null> {
  const transport = createTransport({ real, insecureTls: false, timeoutMs: PATIENCE_MS });
  const t = String(Math.floor(real.epoch() / 1_000));
  const { url, body } = attempt.request;
  try {
    for (const { mistake, headers } of trialsOf(attempt, secrets, t, hmacHex)) {
      const { statusCode } = await transport.post(url, headers, body);
      const isAccepted = statusCode !== null && statusCode >= 200 && statusCode < 300;
      if (statusCode === null || (isAccepted && mistake === null)) return null;
      if (isAccepted) return mistake;
    }
    return null;
  } finally {
    transport.abort();
  }
}
