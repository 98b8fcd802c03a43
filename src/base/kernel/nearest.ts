/**
 * How many letters must be added, removed, replaced or swapped with the next one to turn one word into the other. No letter is
 * changed twice.
 */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  let rowBefore: readonly number[] = [];
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      const isSwapped = letter === to[column - 1] && from[line - 1] === other;
      const swapped = isSwapped ? (rowBefore[column - 1] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [rowBefore, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

function foldName(name: string): string {
  return name.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
}

/** The known name that is most similar to a misspelt one, if at most every third letter differs. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = foldName(name.slice(0, 100));
  let [best, least]: [string | undefined, number] = [undefined, Math.floor(wanted.length / 3) + 1];
  for (const candidate of candidates) {
    const steps = distance(wanted, foldName(candidate));
    if (steps < least) [best, least] = [candidate, steps];
  }
  return best;
}

/** The end of a message about an unknown name: the known one that was probably meant. Empty when none is similar. */
export function alternative(name: string, candidates: readonly string[]): string {
  const meant = nearest(name, candidates);
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** A question for the user who misspelt a name; undefined when no known name is similar. */
export function didYouMean(name: string, candidates: readonly string[]): string | undefined {
  const meant = nearest(name, candidates);
  return meant === undefined ? undefined : `Did you mean ${meant}?`;
}
