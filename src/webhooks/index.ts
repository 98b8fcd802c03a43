/** `qa-pay/webhooks`: what a receiver of webhooks needs, and nothing of the emulator. */
export type { CanonicalEvent, LegacyEvent, WebhookEvent } from "./events.js";
export {
  type VerifyWebhookInput,
  verifyWebhook,
  type WebhookFailure,
  type WebhookHeaders,
  WebhookVerificationError,
} from "./verify.js";
