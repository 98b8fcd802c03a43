import ts from "typescript";
import { LANGUAGES } from "../../src/base/kernel/language.js";
import { isCode, lineOf, nodesOf, type Tree, type Violation } from "./tree.js";

/** The list of the languages, and the modules that `npm run docs` writes from it. */
const THE_LIST = /^src\/(?:base\/kernel\/language|.*\/texts\/languages)\.ts$/;
/** `pt-BR`, and `pt`. */
const NAMES: ReadonlySet<string> = new Set(LANGUAGES.flatMap((language) => [language, language.replace(/-.*/, "")]));

/** True if the place of a name makes the code know this language: a comparison, a key, an element of a list. */
function decides({ parent }: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) return parent.operatorToken.getText().endsWith("==");
  return ts.isCaseClause(parent) || ts.isPropertyAssignment(parent) || ts.isArrayLiteralExpression(parent);
}

function nameOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node))
    return ts.isPropertyAssignment(node.parent) && node.parent.name !== node ? undefined : node.text;
  return ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) && node.parent.name === node
    ? node.text
    : undefined;
}

/** Comparisons, tables and lists with a language by its name, outside the list of languages. */
export function namedLanguages(tree: Tree): Violation[] {
  const files = tree.paths.filter(
    (path) => /^(?:src|scripts\/docs-site)\//.test(path) && isCode(path) && !THE_LIST.test(path),
  );
  return files.flatMap((path) => {
    const file = tree.parse(path);
    return nodesOf(file).flatMap((node) => {
      const name = nameOf(node);
      return name !== undefined && NAMES.has(name) && decides(node)
        ? [{ path, line: lineOf(file, node), problem: `knows the language ${name}` }]
        : [];
    });
  });
}
