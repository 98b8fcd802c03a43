export function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Quotes a word for a POSIX shell, when it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word);
}
