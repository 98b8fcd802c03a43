import { isJsonObject } from "../../kernel/json.js";

/** How texts are compared: parts of them, without regard to case and accents. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text of ASCII has nothing to decompose
const ASCII = /^[\x00-\x7f]*$/;

export function fold(text: string): string {
  return (ASCII.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
}

/** Whether all words are in the text. The words are folded already. */
export function hasWords(text: string | null, words: readonly string[]): boolean {
  if (text === null || text === "") return false;
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

/** The keys and values of metadata, each value with the path to it. */
function* membersOf(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* membersOf(item, path);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* membersOf(member, path === "" ? key : `${path}.${key}`);
  } else {
    yield [path, String(value)];
  }
}

const SHOWN = 60;

/** The member of metadata that has all words in its name or its value, as `order: 42`; null when none has. */
export function memberWithWords(json: string, words: readonly string[]): string | null {
  // Most metadata does not match, and parsing is slow. A word with a quote or a backslash is escaped in JSON.
  const folded = fold(json);
  const maybe = words.every((word) => folded.includes(word) || folded.includes(JSON.stringify(word).slice(1, -1)));
  if (!maybe) return null;
  for (const [path, text] of membersOf(JSON.parse(json), "")) {
    if (!hasWords(text, words) && !hasWords(path, words)) continue;
    const shown = text.length <= SHOWN ? text : `${text.slice(0, SHOWN - 1).toWellFormed()}…`;
    return `${path}: ${shown}`;
  }
  return null;
}
