import { createHmac, timingSafeEqual } from "node:crypto";

// body: the bytes as they came, before parsing
export function isGenuine(body, header, secret) {
  const expected = createHmac("sha256", secret).update(body).digest();
  const given = Buffer.from(header.replace("sha256=", ""), "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
