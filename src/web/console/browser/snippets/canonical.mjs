import { createHmac, timingSafeEqual } from "node:crypto";

// body: the bytes as they came, before parsing
export function isGenuine(body, header, secret) {
  const { t, v1 = "" } = Object.fromEntries(header.split(",").map((part) => part.split("=")));
  const expected = createHmac("sha256", secret).update(`${t}.`).update(body).digest();
  const given = Buffer.from(v1, "hex");
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  return isSigned && Math.abs(Date.now() / 1000 - Number(t)) <= 300;
}
