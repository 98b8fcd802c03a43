import { hmacHex } from "../../base/kernel/hmac.js";
import { isCnpj, isCpf, normalizeTaxId, withCheckDigits } from "../../base/kernel/tax-id.js";

/**
 * Invented values in place of personal data. They follow from a secret of one file, so the same value gets the same replacement
 * throughout the file, and nobody can compute the real value. They keep the form: length, punctuation, check digits.
 */

const FIRST = ["Alba", "Benta", "Ciro", "Davi", "Elza", "Flora", "Guido", "Hilda", "Iara", "Jonas", "Kaua", "Lucio"];
const LAST = [
  "Abrantes",
  "Bastos",
  "Cordeiro",
  "Dutra",
  "Espinosa",
  "Falcao",
  "Galvao",
  "Hollanda",
  "Linhares",
  "Moura",
];
const AREAS = ["11", "21", "31", "41", "51", "61", "71", "81"];

/** A name as it is compared: without accents, in lower case, with single spaces. */
export function foldName(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/\s+/g, " ").trim().toLowerCase();
}

export const digitsOf = (text: string) => text.replace(/\D/g, "");

/** Returns a Brazilian phone number without its country code. Other numbers stay unchanged. */
export function phoneKey(text: string): string {
  const digits = digitsOf(text);
  return /^55\d{10,11}$/.test(digits) ? digits.slice(2) : digits;
}

/** Puts characters in the places of the letters and digits of `form`. */
function inForm(form: string, characters: string): string {
  let at = 0;
  return form.replace(/[0-9A-Za-z]/g, (old) => {
    const next = characters[at++] ?? "0";
    return /[a-z]/.test(old) ? next.toLowerCase() : next;
  });
}

const WAYS = 50;

const digits = (hex: string) => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16) % 10).join("");

function pick(list: readonly string[], hex: string, at: number): string {
  return list[Number.parseInt(hex.slice(at, at + 6), 16) % list.length] ?? "";
}

/** Other letters and digits in the places of letters and digits. */
function scramble(text: string, hex: string): string {
  const draw = (at: number) => Number.parseInt(hex.slice((at * 2) % 62, ((at * 2) % 62) + 2), 16);
  const other = (old: string, at: number) =>
    /\d/.test(old) ? String(draw(at) % 10) : String.fromCharCode(65 + (draw(at) % 26));
  return text.split("").map(other).join("");
}

/** Returns the same value for the same kind and key. `make` builds it from random digits. */
type Memoized = (kind: string, key: string, make: (hex: string) => string) => string;

function onceBy(secret: string, isTaken: (value: string) => boolean): Memoized {
  const pseudonyms = new Map<string, string>();
  return (kind, key, make) => {
    const name = `${kind} ${key}`;
    const found = pseudonyms.get(name);
    if (found !== undefined) return found;
    let value = "";
    for (let way = 0; way < WAYS; way++) {
      value = make(hmacHex(secret, `${way} ${name}`));
      if (!isTaken(value)) break;
    }
    pseudonyms.set(name, value);
    return value;
  };
}

function taxId(once: Memoized, text: string): string {
  const bare = normalizeTaxId(text);
  const isPerson = /^\d{11}$/.test(bare);
  if (!isPerson && !/^[0-9A-Z]{12}\d\d$/.test(bare)) {
    return inForm(
      text,
      once("text", bare, (hex) => scramble(bare.replace(/[^0-9A-Z]/g, ""), hex)),
    );
  }
  const invented = once("tax id", bare, (hex) => {
    const whole = withCheckDigits(isPerson ? digits(hex).slice(0, 9) : scramble(bare.slice(0, 12), hex));
    // One digit repeated is no valid number; `bare` itself is always taken.
    return isCpf(whole) || isCnpj(whole) ? whole : bare;
  });
  return inForm(text, invented);
}

function phone(once: Memoized, text: string): string {
  const key = phoneKey(text);
  const isNational = /^[1-9]{2}\d{8,9}$/.test(key);
  const invented = once("phone", key, (hex) => {
    const drawn = digits(hex).slice(0, key.length);
    if (!isNational) return key.length > 9 ? key.slice(0, 3) + drawn.slice(3) : drawn;
    return pick(AREAS, hex, 40) + (key.length === 11 ? "9" : "3") + drawn.slice(3);
  });
  return inForm(text, (digitsOf(text).length > key.length ? "55" : "") + invented);
}

function uuidOf(hex: string): string {
  const [first, second, third, fourth] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${first}-${second}-4${third}-a${fourth}-${hex.slice(20, 32)}`;
}

export type Pseudonyms = ReturnType<typeof createPseudonyms>;

/** `isTaken` is true for values that must not be invented, because they are to be replaced themselves. */
export function createPseudonyms(secret: string, isTaken: (value: string) => boolean) {
  const once = onceBy(secret, isTaken);
  return {
    document: (text: string) => taxId(once, text),
    phone: (text: string) => phone(once, text),
    name: (text: string) =>
      once("name", foldName(text), (hex) => [pick(FIRST, hex, 0), pick(LAST, hex, 6), pick(LAST, hex, 12)].join(" ")),
    merchant: (text: string) => once("merchant", foldName(text), (hex) => `Loja Exemplo ${hex.slice(0, 4)}`),
    city: (text: string) => once("city", foldName(text), () => "CIDADE EXEMPLO"),
    email: (text: string) => once("email", text.toLowerCase(), (hex) => `cliente-${hex.slice(0, 12)}@example.com`),
    uuid: (text: string) => once("uuid", text.toLowerCase(), uuidOf),
    token: (text: string) => once("token", text, (hex) => hex.slice(0, Math.min(text.length, hex.length))),
    file: (text: string) =>
      once("file", text, (hex) => `documento-${hex.slice(0, 6)}${/\.\w{1,5}$/.exec(text)?.[0] ?? ""}`),
  };
}
