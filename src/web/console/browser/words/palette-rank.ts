/** The quality of a palette entry's match to a query. Pure functions. */

export type PaletteGroup = "page" | "actions" | "objects" | "commands" | "settings";

/** A text without case and accents. */
function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The words of a text; a number and its unit are two, so that `1h` finds `1 h`. */
const wordsOf = (text: string) =>
  folded(text)
    .replace(/(\d)(?=\p{L})/gu, "$1 ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");

/** True if the letters of the query are in the text in this order. */
function hasLetters(text: string, query: string): boolean {
  let at = 0;
  for (const letter of folded(text)) if (letter === query[at]) at += 1;
  return at >= query.length;
}

interface Ranked {
  readonly group: PaletteGroup;
  readonly text: string;
  readonly about: string;
  /** For a page: other words for what it has. */
  readonly also?: readonly string[];
  /** For an object: true if people rarely look for it, such as an e-mail. */
  readonly isMinor?: boolean;
}

/** True if the query is a name, in the singular or the plural of English and Portuguese. */
const isName = (name: string, query: string) =>
  name === query || name === `${query}s` || `${name}s` === query || name === `${query}es`;

/**
 * The rank of an entry for a query, the lower the better; null when it does not match. Actions of the shown page that
 * have this name come first, then the page of this name, then texts with the words themselves, then words that begin so. Results
 * of the server always match.
 */
export function rankOf({ group, text, about, also = [], isMinor = false }: Ranked, query: string): number | null {
  if (group === "objects") return isMinor ? 8 : 6;
  const asked = folded(query);
  const wanted = wordsOf(query);
  const words = wordsOf(group === "commands" ? `${text} ${about.replace("qa-pay ", "")}` : text);
  const hasAll = (fits: (word: string, one: string) => boolean) =>
    wanted.every((one) => words.some((word) => fits(word, one)));
  if (folded(text) === asked) return 0;
  const isWhole = hasAll((word, one) => word === one);
  const isBegin = hasAll((word, one) => word.startsWith(one));
  if (group === "page" && [folded(text), ...words].some((name) => isName(name, asked))) return 0.5;
  if (group === "actions" && isWhole) return 1;
  if (group === "actions") return isBegin ? 2 : null;
  if (group === "page" && also.some((name) => isName(folded(name), asked))) return 1.5;
  if (group === "commands" && isWhole) return folded(text).startsWith(`${asked} `) ? 2 : 3;
  if (group === "commands") return isBegin ? 5 : null;
  if (isBegin) return 4;
  if (group !== "page") return null;
  if (also.some((name) => folded(name).startsWith(asked))) return 4.5;
  return hasLetters(text, asked) ? 7 : null;
}
