import { isJsonObject, type Json, type JsonObject, parseObject } from "./json.js";

/**
 * JSON.parse silently rounds a number that JavaScript cannot represent: 12345678901234567890 becomes
 * 12345678901234567000, and 1989.99999999999999999999 becomes 1990. No number that somebody wrote may become another one.
 */

/** Every JSON text with an inexact number matches: it has 16 digits (or 15 and a dot), or an exponent of three digits. */
const MAY_BE_INEXACT = /\d[\d.]{15}|[eE][+-]?\d{3}/;
/** The same for a number that is written otherwise by JavaScript, which writes exponents its own way. */
const MAY_READ_OTHERWISE = /\d[\d.]{15}|\d[eE][+-]?\d|0\.0{6}/;
/** Matches a string or a number. Nothing else in a JSON text holds digits. */
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[-+.\deE]*/g;

/** A JSON number, without its sign, as digits and a power of ten. Two spellings of one number give the same. */
function spellOut(literal: string): string {
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

/** True if JavaScript keeps a JSON number exactly; its spelling may change. */
function isExact(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && spellOut(String(value)) === spellOut(literal);
}

/** True if a text of many lines of JSON may hold an inexact number. It is fast, and finds more than there are. */
export const mayBeInexact = (text: string): boolean => MAY_BE_INEXACT.test(text);

/** The first number of a JSON text that JavaScript cannot represent, or null. */
export function inexactNumber(text: string): string | null {
  if (!mayBeInexact(text)) return null;
  const tokens = text.match(STRING_OR_NUMBER) ?? [];
  return tokens.find((token) => !token.startsWith('"') && !isExact(token)) ?? null;
}

function withoutInexact(text: string, replace: (literal: string) => string): string {
  return text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || isExact(token) ? token : replace(token)));
}

/**
 * The value of a JSON text, with each inexact number as a string of its digits behind a NUL: two numbers that JavaScript
 * would round to the same one stay different. No string of a body equals such a string: a body has no NUL.
 */
export function withExactNumbers(text: string, value: JsonObject): JsonObject {
  if (inexactNumber(text) === null) return value;
  const sign = (literal: string) => (literal.startsWith("-") ? "-" : "");
  const written = withoutInexact(text, (literal) => `"\\u0000${sign(literal)}${spellOut(literal)}"`);
  // `value` was parsed without members of this name, too.
  return JSON.parse(written, (key, member: Json) => (key === "__proto__" ? undefined : member)) as JsonObject;
}

/** `value` with NaN in place of each number that is a string in `written`, which is the same value otherwise. */
function withNaN(value: Json, written: Json | undefined): Json {
  if (typeof value === "number") return typeof written === "string" ? Number.NaN : value;
  if (Array.isArray(value))
    return value.map((item, index) => withNaN(item, Array.isArray(written) ? written[index] : undefined));
  if (!isJsonObject(value) || !isJsonObject(written)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withNaN(member, written[key])]));
}

/** The body of a request with NaN in place of each inexact number. Every schema refuses NaN, which JSON itself does not have. */
export function markInexactNumbers(text: string, body: JsonObject): JsonObject {
  if (inexactNumber(text) === null) return body;
  const written = parseObject(withoutInexact(text, (literal) => `"${literal}"`));
  return Object.fromEntries(Object.entries(body).map(([key, member]) => [key, withNaN(member, written[key])]));
}

/** True if a number reads as it was written, but for zeros behind its dot: `1e23` and `9007199254740993` do not. */
function readsAlike(literal: string): boolean {
  const value = Number(literal);
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER && isExact(literal) && !String(value).includes("e");
}

/**
 * The value of a JSON text for a reader who compares names and sums as texts. A number that would read otherwise than it was written
 * is a string of what was written. Throws SyntaxError.
 */
export function parseWritten(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_READ_OTHERWISE.test(text)) return value;
  return JSON.parse(
    text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') || readsAlike(token) ? token : `"${token}"`)),
  );
}

/** In front of an inexact number that is carried as a string. */
const CARRIED = "\0";

/**
 * The value of a JSON text with each inexact number as a string, which `withCarried` writes as that number again. Throws
 * SyntaxError.
 */
export function parseCarried(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (inexactNumber(text) === null) return value;
  return JSON.parse(withoutInexact(text, (literal) => JSON.stringify(CARRIED + literal)));
}

/** A JSON text in which numbers are written again as they were before `parseCarried`. */
export function withCarried(text: string): string {
  return text.replace(/"\\u0000(-?\d[-+.\deE]*)"/g, (_match, literal: string) => literal);
}

/** The path of the first number that is carried as a string; null without one. */
export function carriedPath(value: unknown, path: readonly string[] = []): readonly string[] | null {
  if (typeof value === "string") return value.startsWith(CARRIED) ? path : null;
  if (typeof value !== "object" || value === null) return null;
  for (const [key, member] of Object.entries(value)) {
    const found = carriedPath(member, [...path, key]);
    if (found !== null) return found;
  }
  return null;
}

/** The paths of the first `most` marked numbers in a member of a body. */
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
