export function quoteWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word for a POSIX shell, when it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoteWord(word);
}

const WORD_PARTS = /\s+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)|/gsy;

/** The words of a line, with the quotes and backslashes of a POSIX shell and nothing else of it. Null when a quote is not closed. */
export function wordsIn(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let read = 0;
  for (const [part, single, double, escaped, plain] of line.matchAll(WORD_PARTS)) {
    if (part === "") break;
    read += part.length;
    const text = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (text !== undefined) word = (word ?? "") + text;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (read < line.length) return null;
  return word === null ? words : [...words, word];
}
