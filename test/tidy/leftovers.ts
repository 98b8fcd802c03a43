import { reach } from "./imports.js";
import type { Tree, Violation } from "./tree.js";

const entries = [
  "src/cli/main.ts",
  "src/index.ts",
  "src/vitest.ts",
  "src/cli/show-help.ts",
  "src/webhooks/index.ts",
  "src/console/browser/main.tsx",
  "src/docs-site/browser/site.ts",
];
/** People read the first of these files, the build and the compiler the others. */
const readByOthers = /^src\/(?:README\.md|console\/browser\/(?:public\/.*|tsconfig\.json))$/;
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

/** Files under src that no entry reaches: neither the command line, the package, the console nor the documentation. */
export function deadFiles(tree: Tree): Violation[] {
  const reached = reach(tree, entries);
  const dead = tree.paths.filter(
    (path) => path.startsWith("src/") && !path.endsWith(".d.ts") && !readByOthers.test(path) && !reached.has(path),
  );
  return dead.map((path) => ({ path, line: 1, problem: `is reached from none of ${entries.join(", ")}` }));
}
