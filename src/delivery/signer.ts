import { createHmac } from "node:crypto";
import { type EventName, familyOf } from "../features/webhooks/catalogue.js";

/**
 * The X-QA-Signature header (contract, section 6.5): HMAC-SHA256 keyed with the endpoint's secret as text. Canonical
 * events sign `<t>.<body>` with `t` in seconds, taken anew at every attempt so that no retry is refused as stale;
 * legacy events sign the body alone.
 */
export function signature(type: EventName, secret: string, body: string, atMs: number): string {
  if (familyOf(type) === "legacy") return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const t = Math.floor(atMs / 1_000);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`;
}
