/** How many letters have to be put in, left out or replaced to make one word of the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** A name without what is easily taken for something else: capitals, and the signs between words. */
function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The known name that a misspelt one most probably stands for: at most every third letter differs. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = plain(name.slice(0, 100));
  let [best, least]: [string | undefined, number] = [undefined, Math.floor(wanted.length / 3) + 1];
  for (const candidate of known) {
    const steps = distance(wanted, plain(candidate));
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}
