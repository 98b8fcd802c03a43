import { MAX_AMOUNT } from "../kernel/money.js";

/**
 * The text behind a Pix QR code, which is also the "copia e cola" text: EMV merchant-presented fields, each written as
 * a two-digit id, a two-digit length and the value.
 *
 * Source: BCB, Manual de Padrões para Iniciação do Pix; EMVCo, QR Code Specification for Payment Systems (MPM).
 */

export interface BrCodeInput {
  /**
   * Where the payer's bank fetches the signed charge, without a scheme (https is implied), 1 to 77 characters. Strict
   * readers also refuse a port and `localhost` here; that is left to the caller.
   */
  readonly payloadUrl: string;
  /** Centavos, 1 to 999_999_999_999. */
  readonly amount: number;
  /** Any text; folded to ASCII and cut to 25 characters. */
  readonly merchantName: string;
  /** Any text; folded to ASCII and cut to 15 characters. */
  readonly merchantCity: string;
}

// The Pix template may hold 99 characters, of which the arrangement's name and the two field heads take 22.
const MAX_URL = 77;
const MAX_NAME = 25;
const MAX_CITY = 15;
const URL_CHARACTERS = /^[\x21-\x7e]+$/;

/**
 * A dynamic BR Code, payable once.
 *
 * The amount is written although banks must take it from the signed payload: people and simple decoders read it. The
 * txid is `***` because a dynamic one (26 characters or more) does not fit its field (25).
 *
 * @throws RangeError when the URL is empty, longer than 77 characters, not printable ASCII or has a scheme, or when the
 * amount is not a whole number of centavos from 1 to 999_999_999_999.
 */
export function brCode({ payloadUrl, amount, merchantName, merchantCity }: BrCodeInput): string {
  if (payloadUrl.length > MAX_URL || !URL_CHARACTERS.test(payloadUrl) || payloadUrl.includes("://")) {
    throw new RangeError(`A payload URL is 1 to ${MAX_URL} ASCII characters without a scheme: ${payloadUrl}`);
  }
  const unsigned =
    "000201" +
    "010212" +
    field("26", `0014br.gov.bcb.pix${field("25", payloadUrl)}`) +
    "52040000" +
    "5303986" +
    field("54", decimalAmount(amount)) +
    "5802BR" +
    field("59", foldText(merchantName, MAX_NAME)) +
    field("60", foldText(merchantCity, MAX_CITY)) +
    "62070503***" +
    // The checksum covers its own id and length.
    "6304";
  return unsigned + crc16(unsigned);
}

/**
 * `123.45` for 12345 centavos: how Pix writes an amount, in the BR Code and in the signed payload alike.
 *
 * @throws RangeError when `centavos` is not a whole number from 1 to 999_999_999_999.
 */
export function decimalAmount(centavos: number): string {
  if (!Number.isInteger(centavos) || centavos < 1 || centavos > MAX_AMOUNT) {
    throw new RangeError(`An amount is a whole number of centavos from 1 to ${MAX_AMOUNT}: ${centavos}`);
  }
  // The cents are taken off first: dividing the whole amount would round the largest ones.
  const cents = centavos % 100;
  return `${(centavos - cents) / 100}.${cents < 10 ? "0" : ""}${cents}`;
}

/**
 * CRC-16 of ASCII text as four upper-case hexadecimal digits (polynomial 0x1021, initial value 0xFFFF, nothing
 * reflected, no final inversion; `123456789` gives `29B1`).
 *
 * @throws RangeError when a character is not ASCII: banks disagree on the bytes it would stand for.
 */
export function crc16(text: string): string {
  let crc = 0xffff;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) throw new RangeError("A checksum is taken of ASCII text only");
    crc = ((crc << 8) & 0xffff) ^ (CRC_TABLE[(crc >>> 8) ^ code] ?? 0);
  }
  return crc.toString(16).toUpperCase().padStart(4, "0");
}

/** The remainder that each possible leading byte leaves: one look-up for each character instead of eight steps. */
const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 8;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder << 1) ^ (remainder & 0x8000 ? 0x1021 : 0);
  return remainder;
});

function field(id: string, value: string): string {
  const { length } = value;
  return `${id}${length < 10 ? "0" : ""}${length}${value}`;
}

/** The new values for fields of a BR Code, by their ids. `26` has fields of its own, named `26-25`. */
type Change = (id: string, value: string) => string;

function changeFields(fields: ReadFields["fields"], change: Change, within: string): string {
  return fields.map(([id, value]) => field(id, change(within + id, value))).join("");
}

/**
 * Replaces values in the BR Code at the beginning of a text. Returns the new code, with new lengths and checksum, and the
 * length of the old one. Null where no BR Code begins, or where a new value does not fit.
 */
export function changeBrCode(text: string, change: Change): { readonly code: string; readonly length: number } | null {
  const [head = ""] = /^000201[\x20-\x7e]*/.exec(text.slice(0, MAX_CODE)) ?? [];
  const { fields } = readFields(head);
  const end = fields.findIndex(([id]) => id === "63");
  if (end === -1) return null;
  const fieldsBeforeCrc = fields.slice(0, end);
  const changeNested = (id: string, value: string) => {
    const inside = readFields(value);
    const isNested = (id === "26" || id === "62") && inside.rest === "";
    return isNested ? changeFields(inside.fields, change, `${id}-`) : change(id, value);
  };
  const made = fieldsBeforeCrc.map(([id, value]) => [id, changeNested(id, value)] as const);
  if (made.some(([, { length }]) => length > MAX_VALUE)) return null;
  const unsigned = `${changeFields(made, (_id, value) => value, "")}6304`;
  const length = fieldsBeforeCrc.reduce((sum, [, value]) => sum + 4 + value.length, 0);
  return { code: unsigned + crc16(unsigned), length: length + "6304XXXX".length };
}

/** As the merchant's name and city stand in a BR Code. */
export const merchantName = (text: string) => foldText(text, MAX_NAME);
export const merchantCity = (text: string) => foldText(text, MAX_CITY);

const MAX_VALUE = 99;
/** More than any code has, whose fields are few. */
const MAX_CODE = 1_000;

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/**
 * `text` in printable ASCII, at most `max` characters and never empty. An accented letter becomes its base letter
 * (compatibility decomposition, so that `nº` becomes `no`); what has no base letter is left out.
 */
function foldText(text: string, max: number): string {
  const ascii = PRINTABLE_ASCII.test(text) ? text : text.normalize("NFKD").replace(/[^\x20-\x7e\s]/g, "");
  return ascii.replace(/\s+/g, " ").trim().slice(0, max).trimEnd() || "NA";
}

export interface ReadFields {
  readonly fields: readonly (readonly [id: string, value: string])[];
  /** The text behind the last whole field; empty for a sound text. */
  readonly rest: string;
}

/** Reads fields as `field` writes them, in their order. */
export function readFields(text: string): ReadFields {
  const fields: [string, string][] = [];
  let at = 0;
  while (at < text.length) {
    const [head, id = "", length = ""] = /^(\d\d)(\d\d)/.exec(text.slice(at, at + 4)) ?? [];
    const end = at + 4 + Number(length);
    if (head === undefined || end > text.length) break;
    fields.push([id, text.slice(at + 4, end)]);
    at = end;
  }
  return { fields, rest: text.slice(at) };
}

/** The fields by their ids; null for a text of another form. */
function fieldsOf(text: string): ReadonlyMap<string, string> | null {
  const { fields, rest } = readFields(text);
  return rest === "" ? new Map(fields) : null;
}

/**
 * Reads the charge of a BR Code: the address of its payload, and its txid where it has one. Null for a text that is no BR Code.
 * The checksum is not checked, because a person may search for a code that a bank would refuse.
 */
export function readBrCode(text: string): { readonly payloadUrl: string | null; readonly txid: string | null } | null {
  if (!text.startsWith("000201")) return null;
  const fields = fieldsOf(text);
  const account = fieldsOf(fields?.get("26") ?? "");
  const txid = fieldsOf(fields?.get("62") ?? "")?.get("05");
  if (fields === null) return null;
  return { payloadUrl: account?.get("25") ?? null, txid: txid === undefined || txid === "***" ? null : txid };
}
