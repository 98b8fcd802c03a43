import { hmacHex } from "../../base/kernel/hmac.js";
import { prepareSignature } from "../../base/kernel/webhook-signature.js";
import { type EventName, familyOf } from "../features/webhooks/catalogue.js";

/**
 * The X-QA-Signature header (docs/service/webhooks.md#signatures): HMAC-SHA256 with the endpoint's secret, used as
 * text, as the key. Each attempt has a new `t`, so that no receiver refuses a retry as too old.
 */
export function signature(type: EventName, secret: string, body: string, atMs: number): string {
  const { signed, header } = prepareSignature(familyOf(type), body, atMs);
  return header(hmacHex(secret, signed));
}
