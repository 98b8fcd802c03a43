import ts from "typescript";
import { lineOf, nodesOf, sources, type Tree, type Violation } from "./tree.js";

const maxFileLines = 400;
const maxFunctionLines = 60;

export function longFiles(tree: Tree): Violation[] {
  const others = tree.paths.filter((path) => /^(test|bench|scripts|examples)\/.*\.(ts|mjs|js)$/.test(path));
  return [...sources(tree), ...others].flatMap((path) => {
    const lines = tree.text(path).trimEnd().split("\n").length;
    return lines > maxFileLines
      ? [{ path, line: lines, problem: `has ${lines} lines, more than ${maxFileLines}` }]
      : [];
  });
}

export function longFunctions(tree: Tree): Violation[] {
  return sources(tree).flatMap((path) => {
    const file = tree.parse(path);
    return nodesOf(file)
      .filter(hasBody)
      .flatMap((node) => {
        const line = lineOf(file, node);
        const lines = lineOf(file, node.end) - line + 1;
        if (lines <= maxFunctionLines) return [];
        return [{ path, line, problem: `${nameOf(node, file)} has ${lines} lines, more than ${maxFunctionLines}` }];
      });
  });
}

function hasBody(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function nameOf(node: ts.FunctionLikeDeclaration, file: ts.SourceFile): string {
  if (ts.isConstructorDeclaration(node)) return "the constructor";
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  return named ? `function ${named.getText(file)}` : "a function";
}
