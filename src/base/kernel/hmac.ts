import { createHmac } from "node:crypto";

/** HMAC-SHA256 of a text, or of its bytes, in lower-case hexadecimal digits. A key that is text counts by its bytes in UTF-8. */
export function hmacHex(key: string | Uint8Array, text: string | Uint8Array): string {
  return createHmac("sha256", key).update(text).digest("hex");
}
