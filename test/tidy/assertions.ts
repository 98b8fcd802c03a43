import ts from "typescript";
import { lineOf, nodesOf, sources, type Tree, type Violation } from "./tree.js";

const maxOfFile = 5;
/** How many lines of the whole program there are for each assertion, at least. */
const linesForEach = 500;

const isUnknown = (type: ts.TypeNode | undefined) => /^(Promise<)?unknown>?$/.test(type?.getText() ?? "");

/**
 * True if the value of a `JSON.parse` gets a type that nobody checks. As an argument it is left to the function that is called.
 */
function isBelieved(node: ts.Node, file: ts.SourceFile): boolean {
  if (!ts.isCallExpression(node) || node.expression.getText(file) !== "JSON.parse") return false;
  const { parent } = node;
  if (ts.isVariableDeclaration(parent)) return !isUnknown(parent.type);
  if (ts.isReturnStatement(parent)) return !isUnknown(ts.findAncestor(parent, ts.isFunctionLike)?.type);
  if (ts.isArrowFunction(parent)) return !isUnknown(parent.type);
  if (!ts.isBinaryExpression(parent))
    return ts.isPropertyAccessExpression(parent) || ts.isElementAccessExpression(parent);
  const name = parent.left.getText(file);
  return !nodesOf(file).some(
    (one) => ts.isVariableDeclaration(one) && one.name.getText(file) === name && isUnknown(one.type),
  );
}

/** `as X`, `<X>y` and a believed `JSON.parse`: types that the compiler does not check. `as const` claims nothing. */
function assertionsOf(file: ts.SourceFile): ts.Node[] {
  return nodesOf(file).filter(
    (node) =>
      ts.isTypeAssertionExpression(node) ||
      (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) ||
      isBelieved(node, file),
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
