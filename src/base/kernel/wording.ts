import { fill, type Params } from "./message.js";
import { reasonOf } from "./reason.js";

/**
 * Sentences for people that stand in the code in English, and are translated where they are shown. Whoever does not translate them,
 * such as an answer in JSON, has them in English.
 */

/** The sentences of a language, by the English ones. */
export type Sentences = Readonly<Record<string, string>>;

/** A sentence: its English template, which is also its name in the files of other languages, and its values. */
export class Wording {
  constructor(
    readonly template: string,
    readonly params: Params = {},
  ) {}

  /** The sentence as text. A value that is a sentence too is translated with it. */
  in(sentences: Sentences | null): string {
    const values = Object.entries(this.params).map(([name, value]) => [
      name,
      value instanceof Wording ? value.in(sentences) : value,
    ]);
    return fill(sentences?.[this.template] ?? this.template, Object.fromEntries(values));
  }

  /** In English. */
  toString(): string {
    return this.in(null);
  }

  toJSON(): string {
    return String(this);
  }
}

/** A sentence of this program, or a text from elsewhere that has one language. */
export type Words = string | Wording;

/** The template of a tagged text: its values are `{1}`, `{2}` and so on. */
export function templateOf(words: readonly string[]): string {
  return words.reduce((whole, word, index) => `${whole}{${index}}${word}`);
}

/** The values of a tagged text, by their names in its template. */
export function valuesOf(values: readonly unknown[]): Params {
  return Object.fromEntries(values.map((value, index) => [index + 1, value]));
}

/** Template tag. Makes a sentence that each language has in its file: t`${count} of them`. */
export function t(words: TemplateStringsArray, ...values: readonly (Words | number)[]): Wording {
  return new Wording(templateOf(words), valuesOf(values));
}

/** Sentences one after the other, with a text such as a space between them. */
export function joinWords(parts: readonly Words[], separator: Words): Wording {
  const all = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return new Wording(all.map((_part, index) => `{${index + 1}}`).join(""), valuesOf(all));
}

/** A number with its noun, as `formatCount` has it: `1 payment`, `2 payments`. */
export function counted(count: number, noun: string): Wording {
  return new Wording(`{1} ${noun}${count === 1 ? "" : "s"}`, { 1: count });
}

/** An error whose message is a sentence. */
export class WordedError extends Error {
  constructor(
    readonly said: Words,
    options?: ErrorOptions,
  ) {
    super(String(said), options);
  }
}

/** Why something failed, in the words of the thrown error. */
export function saidBy(thrown: unknown): Words {
  return thrown instanceof WordedError ? thrown.said : reasonOf(thrown);
}
