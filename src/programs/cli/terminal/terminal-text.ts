import { fill } from "../../../base/kernel/message.js";
import { templateOf, valuesOf, Wording, type Words } from "../../../base/kernel/wording.js";
import { translated, translation } from "./language.js";

/**
 * Text that is safe to print on a terminal. Text from a server, a file or an argument could contain control characters
 * that move the cursor, change colours, start a new line or reverse the reading direction. This module shows them as
 * escapes. `Io` accepts only `TerminalText`, so code that prints unsafe text does not compile.
 */
export class TerminalText {
  readonly #text: string;
  /** Data that a program or a clipboard takes, such as JSON. Its lines are never broken, and nothing in it is worded anew. */
  readonly isData: boolean;

  private constructor(text: string, isData: boolean) {
    this.#text = text;
    this.isData = isData;
  }

  toString(): string {
    return this.#text;
  }

  /**
   * Wraps text that is safe already: it consists of this program's own words and of `TerminalText`, such as a table.
   */
  static ofProgram(text: string, isData = false): TerminalText {
    return new TerminalText(text, isData);
  }
}

/** Any text or number, a sentence, or text that is already safe for the terminal. */
export type Showable = TerminalText | Wording | string | number;

/** Control characters, the two Unicode line separators, and the characters that change the reading direction. */
const STEERING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const STEERING_BUT_LINES = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Finds whatever is not printable ASCII, a line break or a tab. It is much faster than the others, and finds more. */
const UNUSUAL = /[^\n\t -~]/;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes a character in the way of JSON, for example `\n` or `\u001b`. */
function escapeCharacter(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The text in the language of the person, not yet safe. */
export function textOf(value: Showable): string {
  return value instanceof Wording ? value.in(translation()?.sentences ?? null) : String(value);
}

/** Makes any text safe, on one line: every control character is shown as an escape, line breaks too. */
export function visible(value: Showable): TerminalText {
  if (value instanceof TerminalText) return value;
  return TerminalText.ofProgram(textOf(value).replace(STEERING, escapeCharacter));
}

/** Makes any text safe and keeps its line breaks and tabs. Other control characters are shown as escapes. */
export function visibleLines(words: Words): TerminalText {
  const text = textOf(words);
  return TerminalText.ofProgram(UNUSUAL.test(text) ? text.replace(STEERING_BUT_LINES, escapeCharacter) : text);
}

const isData = (value: Showable) => value instanceof TerminalText && value.isData;

/** The same for data, such as JSON or a script. */
export function dataLines(text: string): TerminalText {
  return TerminalText.ofProgram(String(visibleLines(text)), true);
}

/** Template tag. Keeps the words of the template as they are, and makes each inserted value safe, on one line. */
export function say(words: TemplateStringsArray, ...values: readonly Showable[]): TerminalText {
  return TerminalText.ofProgram(
    words.reduce((whole, word, index) => `${whole}${visible(values[index - 1] ?? "")}${word}`),
    values.some(isData),
  );
}

/**
 * Template tag. The same in the language of the person: the words of the template, without the space around them, are a sentence
 * that each language has in its file.
 */
export function localized(words: TemplateStringsArray, ...values: readonly Showable[]): TerminalText {
  const [, before = "", template = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(templateOf(words)) ?? [];
  const text = fill(translated(template), valuesOf(values.map(visible)));
  return TerminalText.ofProgram(before + text + after, values.some(isData));
}

export function joinTexts(parts: readonly Showable[], separator: string): TerminalText {
  return TerminalText.ofProgram(parts.map((part) => String(visible(part))).join(separator), parts.some(isData));
}

/** A value as JSON with a line break at the end. A JSON reader gets the same value, although characters are escaped. */
export function jsonText(value: unknown, indent?: number): TerminalText {
  return dataLines(`${JSON.stringify(value, null, indent)}\n`);
}

/**
 * The body of an answer. On a screen its control characters are shown as escapes; a file or a pipe gets it unchanged.
 */
export function bodyText(io: { readonly isScreen: boolean }, content: string): TerminalText {
  return io.isScreen ? dataLines(content) : TerminalText.ofProgram(content, true);
}
