import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The event of a webhook of either family, or null when it is not genuine. `body` is the text as it came: parsed and printed
 * again it would be another text, and its signature would not fit.
 */
export function readWebhook(body, signature = "", secret, now = Date.now()) {
  const { t, v1, sha256 = v1 } = Object.fromEntries(signature.split(",").map((part) => part.split("=", 2)));
  const signed = t === undefined ? body : `${t}.${body}`; // payment.* and withdrawal.* sign no time
  const expected = createHmac("sha256", secret).update(signed).digest();
  const given = Buffer.from(sha256 ?? "", "hex");
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  // Five minutes: an old webhook that somebody recorded is not taken again.
  const isRecent = t === undefined || Math.abs(now / 1_000 - Number(t)) <= 300;
  return isSigned && isRecent ? JSON.parse(body) : null;
}
