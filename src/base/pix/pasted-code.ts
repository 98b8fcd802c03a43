/** Pix codes as mails and chats show them: with blanks, line breaks and quote marks in them. Pure functions. */

/** Returns a code of letters and digits alone, to compare it with another one in the same form. */
export function bareCode(text: string): string {
  return text.replace(/[^0-9A-Za-z]/g, "");
}

/**
 * The UUID in the address of a Pix code's payload: in the code, in the address, or its 32 digits alone. Returns null for a text
 * without one. In a code, the text behind the digits follows without a mark, and may be digits too.
 */
export function payloadId(text: string): string | null {
  const bare = text.replace(/[^0-9A-Za-z/]/g, "");
  const digits = /\/qr\/v2\/([0-9a-f]{32})/i.exec(bare)?.[1] ?? /^[0-9a-f]{32}$/i.exec(bare)?.[0];
  return digits?.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5") ?? null;
}
