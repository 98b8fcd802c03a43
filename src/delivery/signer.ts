import { createHmac } from "node:crypto";
import { type EventName, familyOf } from "../features/webhooks/catalogue.js";

/**
 * The X-QA-Signature header (docs/service/webhooks.md#signatures): HMAC-SHA256 with the endpoint's secret, used as
 * text, as the key. For a canonical event `<t>.<body>` is signed, with `t` in seconds. Each attempt has a new `t`, so
 * that no receiver refuses a retry as too old. For a legacy event the body alone is signed.
 */
export function signature(type: EventName, secret: string, body: string, atMs: number): string {
  if (familyOf(type) === "legacy") return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const t = Math.floor(atMs / 1_000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}
