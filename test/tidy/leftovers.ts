import type { Tree, Violation } from "./tree.js";

const laterMark = /(\b(?:T[O]DO|FIX[M]E)\b|\.to[d]o\()/; // in brackets, so that this line is none

/** Marks of unfinished work: the work must be finished, or written down where others look. */
export function laterMarks(tree: Tree): Violation[] {
  const paths = tree.paths.filter((path) => /^(src|test|bench|scripts|bin)\//.test(path));
  return paths.flatMap((path) =>
    tree
      .text(path)
      .split("\n")
      .flatMap((text, index) => {
        const mark = laterMark.exec(text)?.[1];
        return mark ? [{ path, line: index + 1, problem: `says ${mark}` }] : [];
      }),
  );
}
