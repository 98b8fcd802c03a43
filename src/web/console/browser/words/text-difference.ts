/** Where two texts begin to differ. Pure. */

export interface Difference {
  /** The number of the first byte that differs, from 1. */
  readonly byte: number;
  /** The end of what is the same before it. */
  readonly before: string;
  /** The rest of each text from there on, cut. */
  readonly one: string;
  readonly other: string;
}

const BEFORE = 24;
const AFTER = 80;

const cut = (text: string) => (text.length > AFTER ? `${text.slice(0, AFTER)}…` : text);

/** Null for equal texts. */
export function differenceOf(one: string, other: string): Difference | null {
  if (one === other) return null;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  // Half of a character is none.
  if (/[\udc00-\udfff]/.test(one[at] ?? other[at] ?? "")) at -= 1;
  const shared = one.slice(0, at);
  return {
    byte: new TextEncoder().encode(shared).length + 1,
    before: shared.length > BEFORE ? `…${shared.slice(-BEFORE)}` : shared,
    one: cut(one.slice(at)),
    other: cut(other.slice(at)),
  };
}
