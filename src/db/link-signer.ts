import { createHmac, timingSafeEqual } from "node:crypto";
import type { Random } from "../kernel/runtime.js";
import type { Db } from "./driver.js";
import { keptText } from "./kept.js";

/** Signs addresses that are their own credential, with a key that is made once for each database. */
export function createLinkSigner(db: Db, random: Random) {
  const key = keptText(db, "link_key", () => random.hex(32));
  const sign = (text: string) => createHmac("sha256", key()).update(text).digest("hex");
  return {
    sign,
    forget: key.forget,
    isSignature(text: string, signature: string): boolean {
      const expected = Buffer.from(sign(text));
      const given = Buffer.from(signature);
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
