import { escapeHtml } from "../../base/kernel/html.js";
import { maskTaxId, normalizeTaxId } from "../../base/kernel/tax-id.js";
import { merchantCity, merchantName } from "../../base/pix/br-code.js";
import { pixKeyType } from "../../base/pix/keys.js";
import { createPseudonyms, digitsOf, foldName, type Pseudonyms, phoneKey } from "./pseudonyms.js";

/** Personal data that a story has in fields of its own, and the patterns that find it in other texts. */

/** The kinds of personal data. */
export const KINDS = ["name", "document", "email", "phone", "key", "merchant", "city", "token", "file"] as const;
export type Kind = (typeof KINDS)[number];

/** The source of a pattern, without groups, that finds a value in a text, and its replacement. */
export interface ValuePattern {
  readonly pattern: string;
  readonly replace: (found: string) => string;
  /** Applied only to texts by people, because a part of a name may be a word of the service. */
  readonly inFreeTextOnly?: true;
}

const SHORTEST = 3;
const SHORTEST_DOCUMENT = 5;
/** Words in names that identify nobody. */
const COMMON = new Set([
  "das",
  "dos",
  "del",
  "von",
  "van",
  "the",
  "and",
  "filho",
  "neto",
  "junior",
  "ltda",
  "eireli",
  "mei",
]);

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const alone = (pattern: string) => `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`;
/** The separators between the words of a name: of people, addresses and forms. */
const GAP = "(?:\\s|%20|[+_.-]){1,3}";

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}'&]+/u).filter((word) => word !== "");

/** The spellings of a text: unchanged, without accents, in HTML, in a URL. */
function spellings(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  return [...new Set([text, text.normalize("NFD"), plain, escapeHtml(text), encodeURIComponent(text)])];
}

export class KnownValues {
  readonly #values = new Map<string, { readonly kind: Kind; readonly text: string }>();
  readonly #taken = new Set<string>();
  /** Merchants and cities, cut to the room in a BR Code. */
  readonly #inCodes = new Map<string, string>();
  readonly make: Pseudonyms;

  constructor(secret: string) {
    this.make = createPseudonyms(secret, (value) =>
      [value, ...wordsOf(value)].some((one) => this.#taken.has(foldName(one))),
    );
  }

  add(kind: Kind, text: string): void {
    if (text.trim() === "") return;
    this.#values.set(`${kind} ${text}`, { kind, text });
    if (kind === "merchant") this.#inCodes.set(merchantName(text), text);
    if (kind === "city") this.#inCodes.set(merchantCity(text), text);
    const words = kind === "name" ? wordsOf(text) : [];
    for (const one of [text, normalizeTaxId(text), phoneKey(text), ...words]) this.#taken.add(foldName(one));
  }

  /** The replacement of a whole value. */
  replacementOf(kind: Kind, text: string): string {
    if (text.trim() === "") return text;
    if (kind !== "key") return this.make[kind](text);
    const type = pixKeyType(text);
    if (type === "EMAIL") return this.make.email(text);
    if (type === "PHONE") return this.make.phone(text);
    return type === "RANDOM" ? this.make.uuid(text) : this.make.document(text);
  }

  /** The merchant and the city in a masked BR Code: the ones that the replay writes itself. */
  inCode(kind: "merchant" | "city", value: string): string {
    const invented = this.make[kind](this.#inCodes.get(value) ?? value);
    return kind === "merchant" ? merchantName(invented) : merchantCity(invented);
  }

  /** The patterns of all values, the longest first, because a short value may be a part of a longer one. */
  findings(): ValuePattern[] {
    const all = [...this.#values.values()].filter(({ text }) => text.trim().length >= SHORTEST);
    all.sort((one, other) => other.text.length - one.text.length);
    return [
      ...all.flatMap((one) => this.#wholePatterns(one.kind, one.text)),
      ...all.flatMap((one) => this.#parts(one.kind, one.text)),
    ];
  }

  #wholePatterns(kind: Kind, text: string): ValuePattern[] {
    const replace = () => this.replacementOf(kind, text);
    const type = kind === "key" ? pixKeyType(text) : null;
    if (kind === "document" || type === "CPF" || type === "CNPJ") return this.#document(text);
    if (kind === "phone" || type === "PHONE") return this.#phone(text);
    if (kind !== "name" && kind !== "merchant" && kind !== "city") {
      return spellings(text).map((one) => ({ pattern: alone(escapePattern(one)), replace }));
    }
    const isOneWord = wordsOf(text).length < 2;
    return spellings(text).map((one) => ({
      pattern: alone(
        one
          .split(/\s+|%20/)
          .map(escapePattern)
          .join(GAP),
      ),
      replace,
      ...(isOneWord ? { inFreeTextOnly: true as const } : {}),
    }));
  }

  #document(text: string): ValuePattern[] {
    const bare = normalizeTaxId(text);
    if (bare.length < SHORTEST_DOCUMENT) return [];
    const maskedId = maskTaxId(text);
    const whole = {
      pattern: alone(bare.split("").map(escapePattern).join("[./\\-\\s]?")),
      replace: this.make.document,
    };
    if (!maskedId.includes("*") || maskedId === "***") return [whole];
    return [whole, { pattern: escapePattern(maskedId), replace: () => maskTaxId(this.make.document(text)) }];
  }

  #phone(text: string): ValuePattern[] {
    const key = phoneKey(text);
    if (digitsOf(key).length < 8) return [];
    const own = key.split("").join("[\\s().-]{0,3}");
    return [{ pattern: `(?<![0-9A-Za-z])(?:\\+?55[\\s.-]?)?\\(?${own}(?![0-9A-Za-z])`, replace: this.make.phone }];
  }

  /** Replaces each word of a person's name by a word of the invented name. */
  #parts(kind: Kind, text: string): ValuePattern[] {
    if (kind !== "name") return [];
    const invented = wordsOf(this.make.name(text));
    return wordsOf(text).flatMap((word, at): ValuePattern[] => {
      if (word.length < SHORTEST || COMMON.has(foldName(word))) return [];
      const replace = () => invented[Math.min(at, invented.length - 1)] ?? "";
      return spellings(word).map((one) => ({ pattern: alone(escapePattern(one)), replace, inFreeTextOnly: true }));
    });
  }
}
