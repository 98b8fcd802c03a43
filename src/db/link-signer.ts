import { createHmac, timingSafeEqual } from "node:crypto";
import type { KeptText } from "./kept.js";

/** Signs addresses that work without an API key: the signature is a part of the address. */
export function createLinkSigner(key: KeptText) {
  const sign = (text: string) => createHmac("sha256", key()).update(text).digest("hex");
  return {
    sign,
    isSignature(text: string, signature: string): boolean {
      const expected = Buffer.from(sign(text));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
