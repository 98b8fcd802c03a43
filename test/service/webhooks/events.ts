import { DeliveryMaker } from "../../../src/emulator/receiver-check/deliveries.js";
import type { EventName } from "../../../src/service/features/webhooks/catalogue.js";
import { signature } from "../../../src/service/features/webhooks/envelope.js";
import {
  type VerifyWebhookInput,
  verifyWebhook,
  WebhookVerificationError,
} from "../../../src/service/webhooks/index.js";

/** Deliveries as the service makes them, for tests of their verification. */

export const SECRET = "0123456789abcdef".repeat(4);
export const OLD_SECRET = "fedcba9876543210".repeat(4);
export const NOW = Date.parse("2026-11-22T12:00:00Z");

let ids = 0;
const uuid = () => `019f1e31-ad80-7033-9590-${String(++ids).padStart(12, "0")}`;
const url = "https://shop.example/webhooks";

const maker = new DeliveryMaker({
  url,
  now: NOW,
  uuid,
  secret: SECRET,
  oldSecret: OLD_SECRET,
});

/** A body and its headers, signed by the service's own signer. */
export function signed(type: EventName, body: string, secret = SECRET, at = NOW) {
  return { body, headers: { "x-qa-signature": signature(type, secret, body, at) } };
}

/** A charge.paid with its headers. */
export function paid() {
  const delivery = maker.deliver(maker.event("charge.paid", maker.charge("paid")));
  return { body: delivery.body, headers: { ...delivery.headers } };
}

/** A payment.completed with its headers. */
export function completed() {
  const delivery = maker.deliver(maker.event("payment.completed", maker.payment()));
  return { body: delivery.body, headers: { ...delivery.headers } };
}

/** The outcome of a verification: the event, or the reason why it was refused. Any other error fails the test. */
export function outcomeOf(input: Partial<VerifyWebhookInput> & Pick<VerifyWebhookInput, "body" | "headers">): unknown {
  try {
    return verifyWebhook({ secret: SECRET, now: NOW, ...input });
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
}
