import { isJsonObject, type Json, type JsonObject } from "./json.js";

/**
 * JSON.parse turns a number that JavaScript does not have into one beside it, without a word: 12345678901234567890
 * becomes 12345678901234567000. Where a number is only kept and given back, that must not happen.
 */

/** What every JSON text with an inexact number has: sixteen digits (or fifteen and a dot), or an exponent of three. */
const MAY_BE_INEXACT = /\d[\d.]{15}|[eE][+-]?\d{3}/;
/** A string, or a number: in a text that is JSON nothing else holds digits. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[-+.\deE]*/g;

/** A JSON number without its sign as digits and a power of ten, so that two spellings of one number are equal. */
function spelledOut(literal: string): string {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  let first = 0;
  while (digits[first] === "0") first += 1;
  let end = digits.length;
  while (end > first && digits[end - 1] === "0") end -= 1;
  if (first === end) return "0";
  return `${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** Whether a JSON number is written out again as the same number, perhaps in another spelling. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && spelledOut(String(value)) === spelledOut(literal);
}

/** The first number in a JSON text that JavaScript has no equal of; null when there is none. */
export function inexactNumber(text: string): string | null {
  if (!MAY_BE_INEXACT.test(text)) return null;
  const tokens = text.match(STRING_OR_NUMBER) ?? [];
  return tokens.find((token) => !token.startsWith('"') && !isExact(token)) ?? null;
}

/** A JSON text with something else in the place of each inexact number. */
function withoutInexact(text: string, replace: (literal: string) => string): string {
  return text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || isExact(token) ? token : replace(token)));
}

/**
 * `value`, which `text` was parsed to, with each inexact number spelled out, so that two that JavaScript would take for
 * one differ. No string of a body can be equal to one, as it holds no NUL.
 */
export function withExactNumbers(text: string, value: JsonObject): JsonObject {
  if (inexactNumber(text) === null) return value;
  const sign = (literal: string) => (literal.startsWith("-") ? "-" : "");
  const written = withoutInexact(text, (literal) => `"\\u0000${sign(literal)}${spelledOut(literal)}"`);
  // As `value` is without it.
  return JSON.parse(written, (key, member: Json) => (key === "__proto__" ? undefined : member)) as JsonObject;
}

/** `value` with NaN for each number that stands in `written`, which is the same value otherwise, as a text. */
function withNaN(value: Json, written: Json | undefined): Json {
  if (typeof value === "number") return typeof written === "string" ? Number.NaN : value;
  if (Array.isArray(value))
    return value.map((item, index) => withNaN(item, Array.isArray(written) ? written[index] : undefined));
  if (!isJsonObject(value) || !isJsonObject(written)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNaN(member, written[key])]));
}

/**
 * `body`, which `text` was parsed to, with NaN in its metadata for each number that is inexact: JSON has no NaN, and the
 * schema of metadata refuses it where it stands. Other fields say themselves which numbers they take.
 */
export function markInexactNumbers(text: string, body: JsonObject): JsonObject {
  const { metadata } = body;
  if (!isJsonObject(metadata) || inexactNumber(text) === null) return body;
  const written = JSON.parse(withoutInexact(text, (literal) => `"${literal}"`)) as JsonObject;
  return { ...body, metadata: withNaN(metadata, written.metadata) };
}

/** Where in a body's member marked numbers stand, the first `most` of them. */
export function inexactPaths(member: unknown, most: number): (readonly (string | number)[])[] {
  const found: (readonly (string | number)[])[] = [];
  function look(value: unknown, path: readonly (string | number)[]): void {
    if (typeof value === "number" && !Number.isFinite(value)) found.push(path);
    if (typeof value !== "object" || value === null) return;
    const members = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, item] of members) {
      if (found.length >= most) return;
      look(item, [...path, key]);
    }
  }
  look(member, []);
  return found;
}
