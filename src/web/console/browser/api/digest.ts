/** HMAC-SHA256 by the browser's cryptography, which exists only at trusted addresses, such as 127.0.0.1. */

export const canSign = crypto.subtle !== undefined;

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The SHA-256 of a text in lower-case hexadecimal digits. */
export async function sha256Hex(text: string): Promise<string> {
  return hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}

/** The digest of a text in lower-case hexadecimal digits. */
export async function hmacHex(key: Uint8Array, text: string | Uint8Array): Promise<string> {
  // The browser refuses an empty key; one zero byte is the same key, because keys are padded with zeros.
  const bytes = key.length === 0 ? new Uint8Array(1) : new Uint8Array(key);
  const signed = typeof text === "string" ? new TextEncoder().encode(text) : new Uint8Array(text);
  const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(await crypto.subtle.sign("HMAC", imported, signed));
}
