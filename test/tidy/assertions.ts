import ts from "typescript";
import { lineOf, nodesOf, sources, type Tree, type Violation } from "./tree.js";

const maxOfFile = 5;
/** How many lines of the whole program there are for each assertion, at least. */
const linesForEach = 500;

/** `as X` and `<X>y`: what the compiler is told to believe. `as const` claims nothing. */
function assertionsOf(file: ts.SourceFile): ts.Node[] {
  return nodesOf(file).filter(
    (node) => ts.isTypeAssertionExpression(node) || (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)),
  );
}

export function typeAssertions(tree: Tree): Violation[] {
  const files = sources(tree).map((path) => ({ path, file: tree.parse(path) }));
  const all = files.map(({ path, file }) => ({ path, file, found: assertionsOf(file) }));
  const total = all.reduce((sum, { found }) => sum + found.length, 0);
  const lines = files.reduce((sum, { file }) => sum + file.getLineStarts().length, 0);
  const most = Math.max(maxOfFile, Math.floor(lines / linesForEach));
  const dense = all.flatMap(({ path, file, found }) => {
    const next = found[maxOfFile];
    if (next === undefined) return [];
    return [{ path, line: lineOf(file, next), problem: `has ${found.length} type assertions, more than ${maxOfFile}` }];
  });
  const whole = {
    path: "src",
    line: 1,
    problem: `has ${total} type assertions, more than one in ${linesForEach} lines`,
  };
  return total > most ? [...dense, whole] : dense;
}
