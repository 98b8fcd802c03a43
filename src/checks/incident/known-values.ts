import { escapeHtml } from "../../base/kernel/html.js";
import { maskTaxId, normalizeTaxId } from "../../base/kernel/tax-id.js";
import { merchantCity, merchantName } from "../../base/pix/br-code.js";
import { pixKeyType } from "../../base/pix/keys.js";
import { createPseudonyms, digitsOf, type Pseudonyms, phoneKey, plainName } from "./pseudonyms.js";

/** The values of persons that a story names in a place of their own, and how each is found in texts. */

/** What a value of a person is. */
export const KINDS = ["name", "document", "email", "phone", "key", "merchant", "city", "token", "file"] as const;
export type Kind = (typeof KINDS)[number];

/** How a value is found in a text, as the source of a pattern without groups, and what stands there then. */
export interface Finding {
  readonly pattern: string;
  readonly replaced: (found: string) => string;
  /** Only in texts that people write: a part of a name may be a word of the service. */
  readonly inFreeTextOnly?: true;
}

const SHORTEST = 3;
const SHORTEST_DOCUMENT = 5;
/** Words of names that say nothing about whose it is. */
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

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const alone = (pattern: string) => `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`;
/** Between the words of a name: as people, addresses and forms write them. */
const GAP = "(?:\\s|%20|[+_.-]){1,3}";

const wordsOf = (text: string) => text.split(/[^\p{L}\p{N}'&]+/u).filter((word) => word !== "");

/** The ways in which a text is written: as it is, without accents, in HTML, in an address. */
function spellings(text: string): string[] {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "");
  return [...new Set([text, text.normalize("NFD"), plain, escapeHtml(text), encodeURIComponent(text)])];
}

export class KnownValues {
  readonly #values = new Map<string, { readonly kind: Kind; readonly text: string }>();
  readonly #taken = new Set<string>();
  /** Merchants and cities by what a BR Code has room for. */
  readonly #inCodes = new Map<string, string>();
  readonly make: Pseudonyms;

  constructor(secret: string) {
    this.make = createPseudonyms(secret, (value) =>
      [value, ...wordsOf(value)].some((one) => this.#taken.has(plainName(one))),
    );
  }

  add(kind: Kind, text: string): void {
    if (text.trim() === "") return;
    this.#values.set(`${kind} ${text}`, { kind, text });
    if (kind === "merchant") this.#inCodes.set(merchantName(text), text);
    if (kind === "city") this.#inCodes.set(merchantCity(text), text);
    const words = kind === "name" ? wordsOf(text) : [];
    for (const one of [text, normalizeTaxId(text), phoneKey(text), ...words]) this.#taken.add(plainName(one));
  }

  /** What stands in place of a whole value. */
  replaced(kind: Kind, text: string): string {
    if (text.trim() === "") return text;
    if (kind !== "key") return this.make[kind](text);
    const type = pixKeyType(text);
    if (type === "EMAIL") return this.make.email(text);
    if (type === "PHONE") return this.make.phone(text);
    return type === "RANDOM" ? this.make.uuid(text) : this.make.document(text);
  }

  /** What stands in a BR Code in place of its merchant or its city: what the replay writes there by itself. */
  inCode(kind: "merchant" | "city", value: string): string {
    const made = this.make[kind](this.#inCodes.get(value) ?? value);
    return kind === "merchant" ? merchantName(made) : merchantCity(made);
  }

  /** How all of them are found, the longest first: a short one may be a part of a longer one. */
  findings(): Finding[] {
    const all = [...this.#values.values()].filter(({ text }) => text.trim().length >= SHORTEST);
    all.sort((one, other) => other.text.length - one.text.length);
    return [
      ...all.flatMap((one) => this.#whole(one.kind, one.text)),
      ...all.flatMap((one) => this.#parts(one.kind, one.text)),
    ];
  }

  #whole(kind: Kind, text: string): Finding[] {
    const replaced = () => this.replaced(kind, text);
    const type = kind === "key" ? pixKeyType(text) : null;
    if (kind === "document" || type === "CPF" || type === "CNPJ") return this.#document(text);
    if (kind === "phone" || type === "PHONE") return this.#phone(text);
    if (kind !== "name" && kind !== "merchant" && kind !== "city") {
      return spellings(text).map((one) => ({ pattern: alone(escaped(one)), replaced }));
    }
    const isOneWord = wordsOf(text).length < 2;
    return spellings(text).map((one) => ({
      pattern: alone(
        one
          .split(/\s+|%20/)
          .map(escaped)
          .join(GAP),
      ),
      replaced,
      ...(isOneWord ? { inFreeTextOnly: true as const } : {}),
    }));
  }

  #document(text: string): Finding[] {
    const bare = normalizeTaxId(text);
    if (bare.length < SHORTEST_DOCUMENT) return [];
    const maskedId = maskTaxId(text);
    const whole = { pattern: alone(bare.split("").map(escaped).join("[./\\-\\s]?")), replaced: this.make.document };
    if (!maskedId.includes("*") || maskedId === "***") return [whole];
    return [whole, { pattern: escaped(maskedId), replaced: () => maskTaxId(this.make.document(text)) }];
  }

  #phone(text: string): Finding[] {
    const key = phoneKey(text);
    if (digitsOf(key).length < 8) return [];
    const own = key.split("").join("[\\s().-]{0,3}");
    return [{ pattern: `(?<![0-9A-Za-z])(?:\\+?55[\\s.-]?)?\\(?${own}(?![0-9A-Za-z])`, replaced: this.make.phone }];
  }

  /** Each word of a person's name, replaced by a word of the made-up name. */
  #parts(kind: Kind, text: string): Finding[] {
    if (kind !== "name") return [];
    const made = wordsOf(this.make.name(text));
    return wordsOf(text).flatMap((word, at): Finding[] => {
      if (word.length < SHORTEST || COMMON.has(plainName(word))) return [];
      const replaced = () => made[Math.min(at, made.length - 1)] ?? "";
      return spellings(word).map((one) => ({ pattern: alone(escaped(one)), replaced, inFreeTextOnly: true }));
    });
  }
}
