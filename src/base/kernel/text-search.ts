import { isJsonObject } from "./json.js";

/** How texts are compared: parts of them, without regard to case and accents. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: a text of ASCII has nothing to decompose
const ASCII = /^[\x00-\x7f]*$/;

export function fold(text: string): string {
  return (ASCII.test(text) ? text : text.normalize("NFKD").replace(/\p{M}/gu, "")).toLowerCase();
}

/** True if all words are in the text. The words are folded already. */
export function hasWords(text: string | null, words: readonly string[]): boolean {
  if (text === null || text === "") return false;
  const folded = fold(text);
  return words.every((word) => folded.includes(word));
}

function* membersOf(value: unknown, path: string): Generator<readonly [path: string, text: string]> {
  if (Array.isArray(value)) {
    for (const item of value) yield* membersOf(item, path);
  } else if (isJsonObject(value)) {
    for (const [key, member] of Object.entries(value)) yield* membersOf(member, path === "" ? key : `${path}.${key}`);
  } else {
    yield [path, String(value)];
  }
}

const SHOWN = 100;
/** The number of characters on either side of a found word in a longer text. */
const AROUND = 20;

/** A text folded, and for each character of it the place in the text where it came from. */
function foldWithPlaces(text: string): { readonly folded: string; readonly places: readonly number[] } {
  let folded = "";
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    const part = fold(character);
    folded += part;
    for (let at = 0; at < part.length; at++) places.push(place);
    place += character.length;
  }
  return { folded, places: [...places, place] };
}

/** A text as it is shown: whole when short, else its beginning, or the parts around each of the folded words. */
export function excerpt(text: string, words: readonly string[] = []): string {
  if (text.length <= SHOWN) return text;
  const { folded, places } = foldWithPlaces(text);
  const found = words
    .map((word) => [folded.indexOf(word), word.length] as const)
    .filter(([start]) => start >= 0)
    .map(
      ([start, length]) => [(places[start] ?? 0) - AROUND, (places[start + length] ?? text.length) + AROUND] as const,
    )
    .toSorted(([a], [b]) => a - b);
  const spans: [from: number, to: number][] = [];
  for (const [from, to] of found.length === 0 ? [[0, SHOWN - 1] as const] : found) {
    const last = spans.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else spans.push([Math.max(0, from), to]);
  }
  const parts = spans.map(([from, to]) => text.slice(from, to).toWellFormed().replaceAll("\ufffd", ""));
  const isCut = { before: (spans[0]?.[0] ?? 0) > 0, after: (spans.at(-1)?.[1] ?? 0) < text.length };
  return `${isCut.before ? "…" : ""}${parts.join("…")}${isCut.after ? "…" : ""}`;
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The first member of metadata that has all words in its name or its value, as `order: 42`; null when none has. */
export function memberWithWords(metadata: unknown, words: readonly string[]): string | null {
  // Short numbers are in most instants, and mean none.
  const areNumbers = words.every((word) => /^\d{1,3}$/.test(word));
  for (const [path, text] of membersOf(metadata, "")) {
    if (areNumbers && INSTANT.test(text)) continue;
    if (!hasWords(text, words) && !hasWords(path, words)) continue;
    return `${path}: ${excerpt(text, words)}`;
  }
  return null;
}

/** The first member of metadata whose text holds a folded name by itself, and not within a longer word or number. */
export function memberNaming(metadata: unknown, [name = ""]: readonly string[]): string | null {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const alone = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "u");
  for (const [path, text] of membersOf(metadata, "")) {
    if (alone.test(fold(text))) return `${path}: ${excerpt(text, [name])}`;
  }
  return null;
}

/** `memberWithWords` for metadata as JSON. Most of it does not match, and parsing is slow. */
export function memberInJson(json: string, words: readonly string[], find = memberWithWords): string | null {
  // A word with a quote or a backslash is escaped in JSON.
  const folded = fold(json);
  const maybe = words.every((word) => folded.includes(word) || folded.includes(JSON.stringify(word).slice(1, -1)));
  return maybe ? find(JSON.parse(json), words) : null;
}
