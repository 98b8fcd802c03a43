/** `qa-pay/webhooks`: what a receiver of webhooks and its tests need, and nothing of the emulator. */
export type { CanonicalEvent, LegacyEvent, WebhookEvent } from "./events.js";
export { type SampleOptions, sampleEvent } from "./sample.js";
export { type SignedHeaders, type SignedWebhook, type SignWebhookInput, signWebhook } from "./sign.js";
export {
  type VerifyWebhookInput,
  verifyWebhook,
  type WebhookFailure,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify.js";
