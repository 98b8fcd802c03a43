import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * The event of a canonical webhook (`charge.*`), or null when it is not genuine. `body` is the text as it came: parsed and
 * printed again it would be another text, and its signature would not fit.
 */
export function readWebhook(body, signature = "", secret, now = Date.now()) {
  const { t = "", v1 = "" } = Object.fromEntries(signature.split(",").map((part) => part.split("=", 2)));
  const expected = createHmac("sha256", secret).update(`${t}.${body}`).digest();
  const given = Buffer.from(v1, "hex");
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  // Five minutes: an old webhook that somebody recorded is not taken again.
  const isRecent = Math.abs(now / 1_000 - Number(t)) <= 300;
  return isSigned && isRecent ? JSON.parse(body) : null;
}
