import type { Random } from "../kernel/runtime.js";

/**
 * Identifiers that banks give to a payment.
 *
 * Source: BCB, API Pix (OpenAPI document, `EndToEndId`, `RtrId`).
 */

/** The ISPB (bank code) of this emulator: from examples of the Central Bank, assigned to no institution. */
export const EMULATED_ISPB = "99999010";

// The bank code admits letters because it is the root of a CNPJ, which does.
const END_TO_END_ID =
  /^[ED][\dA-Z]{8}\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[\dA-Za-z]{11}$/;

/**
 * The 32-character id that follows a Pix from bank to bank: `kind`, bank code, the minute in UTC, eleven characters of
 * chance.
 *
 * @param kind `E` for a payment, `D` for the return of one.
 * @param ispb Eight characters `[0-9A-Z]`: the bank where the payment starts.
 * @param at Milliseconds since the epoch, in the years 0 to 9999.
 * @param random11 Eleven characters `[0-9A-Za-z]`, unlike all others of that bank in that minute.
 * @throws RangeError when a part is not of its form.
 */
export function endToEndId(kind: "E" | "D", ispb: string, at: number, random11: string): string {
  const minute = new Date(at).toISOString().replace(/\D/g, "").slice(0, 12);
  const id = `${kind}${ispb}${minute}${random11}`;
  if (!isEndToEndId(id, kind)) throw new RangeError(`Not the parts of an end-to-end id: ${id}`);
  return id;
}

/** True if `text` has the form of a payment's id or, with `kind` `D`, of a return's id. The case of letters counts. */
export function isEndToEndId(text: string, kind: "E" | "D" = "E"): boolean {
  return text.startsWith(kind) && END_TO_END_ID.test(text);
}

/** A new id of a Pix that starts at the emulator's own bank. */
export function newEndToEndId(
  kind: "E" | "D",
  { now, random }: { readonly now: number; readonly random: Random },
): string {
  return endToEndId(kind, EMULATED_ISPB, now, random.alphanumeric(11));
}

/** The minute in an end-to-end id, as ISO 8601 in UTC. */
export function endToEndMinute(id: string): string {
  const [, year, month, day, hour, minute] = /^.{9}(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)/.exec(id) ?? [];
  return `${year}-${month}-${day}T${hour}:${minute}:00Z`;
}
