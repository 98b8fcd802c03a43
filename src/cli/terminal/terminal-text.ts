/**
 * The only way to the terminal. `Io` writes nothing but `TerminalText`, and only this module makes it, so no text of a
 * server, a file or an argument can move the cursor, change colours, begin a line of its own or turn the direction of
 * reading: its control characters are shown as escapes. A command that leaves this out does not compile.
 */
export class TerminalText {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }

  /** Text that this program has put together from its own words and from `TerminalText`, such as a table. */
  static ofProgram(text: string): TerminalText {
    return new TerminalText(text);
  }
}

/** Text from anywhere, a number, or text that is ready for the terminal. */
export type Showable = TerminalText | string | number;

/** Control characters, the two line breaks of Unicode, and what turns the direction of reading. */
const STEERING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const STEERING_BUT_LINES = /(?![\n\t])[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** As JSON writes it. */
function escaped(character: string): string {
  return SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Text from anywhere with its control characters as escapes, on one line. */
export function visible(value: Showable): TerminalText {
  if (value instanceof TerminalText) return value;
  return TerminalText.ofProgram(String(value).replace(STEERING, escaped));
}

/** Text from anywhere whose line breaks and tabs are kept, and whose other control characters are shown as escapes. */
export function visibleLines(text: string): TerminalText {
  return TerminalText.ofProgram(text.replace(STEERING_BUT_LINES, escaped));
}

/** Tag of a template: its own words are kept as they are, each value is made visible on one line. */
export function say(words: TemplateStringsArray, ...values: readonly Showable[]): TerminalText {
  return TerminalText.ofProgram(
    words.reduce((whole, word, index) => `${whole}${visible(values[index - 1] ?? "")}${word}`),
  );
}

export function joined(parts: readonly Showable[], separator: string): TerminalText {
  return TerminalText.ofProgram(parts.map((part) => String(visible(part))).join(separator));
}

/** A value as JSON on one line, or indented. Escapes change no value. */
export function jsonText(value: unknown, indent?: number): TerminalText {
  return visibleLines(`${JSON.stringify(value, null, indent)}\n`);
}

/** A body as it came. A person who looks at it sees its control characters as escapes, which JSON reads as the same. */
export function bodyText(io: { readonly isScreen: boolean }, content: string): TerminalText {
  return io.isScreen ? visibleLines(content) : TerminalText.ofProgram(content);
}
