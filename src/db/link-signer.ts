import { createHmac, timingSafeEqual } from "node:crypto";
import type { StoredSecret } from "./stored-secret.js";

/** Signs addresses, such as that of an evidence file: whoever has the signed address needs no API key for it. */
export function createLinkSigner(key: StoredSecret) {
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
