import { posix } from "node:path";
import ts from "typescript";
import { isCode, lineOf, nodesOf, type Tree } from "./tree.js";

export interface Import {
  from: string;
  line: number;
  /** As written in the source. */
  specifier: string;
  /** The file of the tree that it names; undefined for a package or a built-in module. */
  target: string | undefined;
  /** `type` vanishes when compiled; `dynamic` loads when it is reached, `static` always. */
  kind: "static" | "type" | "dynamic";
}

/** Earlier results, because several rules follow the same imports. */
const known = new WeakMap<Tree, Map<string, readonly Import[]>>();

export function importsOf(tree: Tree, path: string): readonly Import[] {
  const inTree = known.get(tree) ?? new Map<string, readonly Import[]>();
  known.set(tree, inTree);
  const found = inTree.get(path) ?? findImports(tree, path);
  inTree.set(path, found);
  return found;
}

function findImports(tree: Tree, path: string): readonly Import[] {
  if (!isCode(path)) return [];
  const file = tree.parse(path);
  return nodesOf(file).flatMap((node) => {
    const found = specifierOf(node);
    if (found === undefined) return [];
    const target = resolve(tree, path, found.specifier);
    return [{ from: path, line: lineOf(file, node), target, ...found }];
  });
}

function specifierOf(node: ts.Node): Pick<Import, "specifier" | "kind"> | undefined {
  if (ts.isImportDeclaration(node)) return literal(node.moduleSpecifier, node.importClause?.isTypeOnly);
  if (ts.isExportDeclaration(node)) return literal(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return literal(node.argument.literal, true);
  if (!ts.isCallExpression(node)) return undefined;
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const isRequire = ts.isIdentifier(node.expression) && node.expression.text === "require";
  const found = isImport || isRequire ? literal(node.arguments[0]) : undefined;
  return found && { ...found, kind: "dynamic" };
}

function literal(node: ts.Node | undefined, typeOnly = false): Pick<Import, "specifier" | "kind"> | undefined {
  if (node === undefined || !ts.isStringLiteralLike(node)) return undefined;
  return { specifier: node.text, kind: typeOnly ? "type" : "static" };
}

function resolve(tree: Tree, from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const written = posix.join(posix.dirname(from), specifier.replace(/\?raw$/, ""));
  return [written, written.replace(/\.js$/, ".ts"), written.replace(/\.js$/, ".tsx")].find((path) => tree.has(path));
}

/**
 * The files that the given ones reach, each with the import that led there first (undefined for the given ones).
 * `follows` decides which imports count.
 */
export function reach(
  tree: Tree,
  entries: readonly string[],
  follows: (link: Import) => boolean = () => true,
): Map<string, Import | undefined> {
  const reached = new Map<string, Import | undefined>(entries.map((path) => [path, undefined]));
  for (const path of reached.keys()) {
    for (const link of importsOf(tree, path)) {
      if (link.target !== undefined && !reached.has(link.target) && follows(link)) reached.set(link.target, link);
    }
  }
  return reached;
}

/** The way from an entry to a file, as `a.ts → b.ts → c.ts`. */
export function chain(reached: ReadonlyMap<string, Import | undefined>, path: string): string {
  const before = reached.get(path)?.from;
  return before === undefined ? path : `${chain(reached, before)} → ${path}`;
}
