import { jsonIn } from "./json.js";
import { printAgain } from "./json-printers.js";
import { trimPasted } from "./pasted-text.js";
import { pick } from "./pick.js";

/**
 * The usual mistakes with signatures, each as a signed text and a key. `why` proves them on a receiver, `webhooks verify` and
 * the console find them in a signature. Pure functions, for browsers too.
 */

export type MistakeCode =
  | "hex_secret"
  | "hex_of_secret"
  | "base64_secret"
  | "base64_of_secret"
  | "blank_around_secret"
  | "no_secret"
  | "swapped"
  | "no_timestamp"
  | "body_first"
  | "no_dot"
  | "joined_otherwise"
  | "milliseconds_signed"
  | "signed_printed_again"
  | "signed_part"
  | "signed_no_body"
  | "signed_object"
  | "signed_line_end"
  | "signed_encoding";

interface Mistake {
  readonly code: MistakeCode;
  readonly key: Uint8Array;
  readonly signed: Uint8Array;
}

/** The signed text before the body: an instant, or nothing in the form without one. */
interface SignedBody {
  readonly family: "canonical" | "legacy";
  readonly t: string;
  readonly body: string;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const bytesOf = (text: string, code: (at: number) => number) =>
  Uint8Array.from({ length: text.length }, (_, at) => code(text.charCodeAt(at)));

function fromHex(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function fromBase64(text: string): Uint8Array | null {
  try {
    return bytesOf(atob(text), (at) => at);
  } catch {
    return null;
  }
}

const toBase64 = (text: string) => btoa(String.fromCharCode(...utf8(text)));
const toHex = (text: string) => [...utf8(text)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Keys that are used in place of the secret, and why. */
function wrongKeys(secret: string): (readonly [MistakeCode, Uint8Array | null])[] {
  // Files, shells and editors leave these around a secret.
  const around = ["\r", "\n", "\r\n", " "].map((end) => secret + end);
  around.push(` ${secret}`, `\ufeff${secret}`, `"${secret}"`, `'${secret}'`);
  return [
    ...around.map((text) => ["blank_around_secret", utf8(text)] as const),
    ["hex_secret", fromHex(secret)],
    ["base64_secret", fromBase64(secret)],
    ["hex_of_secret", utf8(toHex(secret))],
    // `echo` adds a line end.
    ...[secret, `${secret}\n`].map((text) => ["base64_of_secret", utf8(toBase64(text))] as const),
    // The text that languages print for a variable that is not set.
    ...["", "undefined", "null", "None"].map((text) => ["no_secret", utf8(text)] as const),
  ];
}

/** A text in the bytes of other encodings than UTF-8, and a text that was read in a wrong encoding. */
function inOtherEncodings(text: string): Uint8Array[] {
  const latin1 = bytesOf(text, (unit) => (unit < 256 ? unit : 63));
  const ascii = bytesOf(text, (unit) => (unit < 128 ? unit : 63));
  const readAsLatin1 = utf8(Array.from(utf8(text), (byte) => String.fromCharCode(byte)).join(""));
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const utf16 = Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]));
  return [latin1, ascii, readAsLatin1, utf16];
}

type Text = readonly [MistakeCode, string];

/** The texts that are signed in place of the body. */
function wrongBodies(body: string): Text[] {
  const value = jsonIn(body);
  const parts = ["data", "data.object"].flatMap((path) => {
    const part = pick(value, path);
    return part === undefined ? [] : [JSON.stringify(part)];
  });
  return [
    ...[...printAgain(body), JSON.stringify(body)].map((text): Text => ["signed_printed_again", text]),
    ...["", "undefined", "null", "{}"].map((text): Text => ["signed_no_body", text]),
    ...["[object Object]", "Array"].map((text): Text => ["signed_object", text]),
    ...["\n", "\r\n"].map((end): Text => ["signed_line_end", body + end]),
    ...parts.map((text): Text => ["signed_part", text]),
  ];
}

/** The signed texts when an instant and a body are not joined by a dot. */
function wrongJoints(t: string, body: string): Text[] {
  return [
    ["no_timestamp", body],
    ["body_first", `${body}.${t}`],
    ["no_dot", t + body],
    ["milliseconds_signed", `${t}000.${body}`],
    ...[`${t}:${body}`, `${t}\n${body}`, `t=${t}.${body}`].map((text): Text => ["joined_otherwise", text]),
  ];
}

/** Yields every usual mistake as a signed text and a key. None of them is the right signature. */
export function signingMistakes({ family, t, body }: SignedBody, secret: string): Mistake[] {
  const before = family === "legacy" ? "" : `${t}.`;
  const [key, right] = [utf8(secret), before + body];
  const texts = [
    ...(family === "legacy" ? [] : wrongJoints(t, body)),
    ...wrongBodies(body).map(([code, text]): Text => [code, before + text]),
  ];
  const all: (readonly [MistakeCode, Uint8Array | null, Uint8Array])[] = [
    ...wrongKeys(secret).map(([code, wrong]) => [code, wrong, utf8(right)] as const),
    ...texts.map(([code, text]) => [code, key, utf8(text)] as const),
    ...inOtherEncodings(right).map((bytes) => ["signed_encoding", key, bytes] as const),
    ["swapped", utf8(right), key],
  ];
  const sameAs = (one: Uint8Array, other: Uint8Array) =>
    one.length === other.length && one.every((byte, at) => byte === other[at]);
  const rightBytes = utf8(right);
  return all.flatMap(([code, wrong, signed]) =>
    wrong === null || (sameAs(wrong, key) && sameAs(signed, rightBytes)) ? [] : [{ code, key: wrong, signed }],
  );
}

/** The possible originals of a body or a secret that was pasted or saved. */
interface Former {
  readonly code:
    | "secret_spaces"
    | "secret_wrapped"
    | "line_end"
    | "printed_again"
    | "byte_order_mark"
    | "utf16"
    | "not_utf8";
  readonly text: string;
}

/** The secret without the characters that a file, a shell or an editor has put around it; none for a clean one. */
export function formerSecrets(secret: string): Former[] {
  const trimmed = secret.trim();
  const bare = trimPasted(trimPasted(secret).replace(/^["'`=<]+|["'`;,>]+$/g, ""));
  const all: Former[] = [
    { code: "secret_spaces", text: trimmed },
    { code: "secret_wrapped", text: bare },
  ];
  return all.filter(({ text }) => text !== secret && text !== "");
}

function decodeBytes(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The bytes of a text that was read as windows-1252; null when it has characters outside of it. */
function misread(text: string): string | null {
  const table = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const bytes = Array.from(text, (character) => table.indexOf(character));
  return bytes.includes(-1) ? null : decodeBytes(Uint8Array.from(bytes), "utf-8");
}

/** The text in bytes that were saved in another encoding than UTF-8, or read in one on the way. */
function inOtherEncoding(body: Uint8Array): Former | null {
  const text = decodeBytes(body, "utf-8");
  const [first, second] = body;
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isMarked || body.subarray(0, 64).includes(0)) {
    const isLittle = first === 0xff || (first !== 0xfe && second === 0);
    return { code: "utf16", text: decodeBytes(body, isLittle ? "utf-16le" : "utf-16be") ?? "" };
  }
  if (text === null) return { code: "not_utf8", text: new TextDecoder("windows-1252").decode(body) };
  if (text.startsWith("\ufeff")) return { code: "byte_order_mark", text: text.slice(1) };
  const before = misread(text);
  return before === null || before === text ? null : { code: "not_utf8", text: before };
}

/** The possible originals of a body: in UTF-8, without a mark or a line end, and in one line as the service prints it. */
export function formerBodies(body: Uint8Array): Former[] {
  const other = inOtherEncoding(body);
  const code = other?.code;
  const text = trimPasted(other?.text ?? decodeBytes(body, "utf-8") ?? "");
  const value = jsonIn(text);
  return [
    ...(other === null ? [] : [other]),
    { code: code ?? "line_end", text },
    ...(value === undefined ? [] : [{ code: code ?? ("printed_again" as const), text: JSON.stringify(value) }]),
  ];
}
