import { createHmac } from "node:crypto";
import { isSameText } from "../kernel/same-text.js";
import type { StoredSecret } from "./stored-secret.js";

/** Signs addresses, such as that of an evidence file: whoever has the signed address needs no API key for it. */
export function createLinkSigner(key: StoredSecret) {
  const sign = (text: string) => createHmac("sha256", key()).update(text).digest("hex");
  return {
    sign,
    isSignature: (text: string, signature: string) => isSameText(signature, sign(text)),
  };
}
