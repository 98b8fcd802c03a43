/** The Levenshtein distance: how many letters must be added, removed or replaced to turn one word into the other. */
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

function plain(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The known name that is most similar to a misspelt one, if at most every third letter differs. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plain(name.slice(0, 100));
  let [best, least]: [string | undefined, number] = [undefined, Math.floor(wanted.length / 3) + 1];
  for (const candidate of candidates) {
    const steps = distance(wanted, plain(candidate));
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** A question for the user who misspelt a name; undefined when no known name is similar. */
export function didYouMean(name: string, candidates: readonly string[]): string | undefined {
  const meant = nearest(name, candidates);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}
