/** The quality of a palette entry's match to a query. Pure functions. */

export type PaletteGroup = "page" | "actions" | "objects" | "commands" | "settings";

/** A text without case and accents. */
function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

const wordsOf = (text: string) =>
  folded(text)
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
  /** For an object: true if people rarely look for it, such as an e-mail. */
  readonly isMinor?: boolean;
}

/**
 * The rank of an entry for a query, the lower the better; null when it does not match. Actions of the shown page come
 * first, then texts with the words themselves, then words that begin so. Results of the server always match.
 */
export function rankOf({ group, text, about, isMinor = false }: Ranked, query: string): number | null {
  if (group === "objects") return isMinor ? 8 : 6;
  const wanted = wordsOf(query);
  const words = wordsOf(group === "commands" ? `${text} ${about.replace("qa-pay ", "")}` : text);
  const hasAll = (fits: (word: string, one: string) => boolean) =>
    wanted.every((one) => words.some((word) => fits(word, one)));
  if (folded(text) === folded(query)) return 0;
  const isWhole = hasAll((word, one) => word === one);
  const isBegin = hasAll((word, one) => word.startsWith(one));
  if (group === "actions" && isWhole) return 1;
  if (group === "actions") return isBegin ? 2 : null;
  if (group === "commands" && isWhole) return folded(text).startsWith(`${folded(query)} `) ? 2 : 3;
  if (group === "commands") return isBegin ? 5 : null;
  if (isBegin) return 4;
  return group === "page" && hasLetters(text, folded(query)) ? 7 : null;
}
