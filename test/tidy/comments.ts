import ts from "typescript";
import { lineOf, sources, type Tree, type Violation } from "./tree.js";

/** From this many lines on, a reader of a call should not have to read the function. */
const minLines = 20;

/** A part of the console's page. The comment at the head of its file says what it shows. */
const isComponent = (path: string, name: string) => path.endsWith(".tsx") && /^[A-Z]/.test(name);

/** Exported functions that are long and have no comment above them. */
export function silentFunctions(tree: Tree): Violation[] {
  return sources(tree).flatMap((path) => {
    const file = tree.parse(path);
    return file.statements.filter(ts.isFunctionDeclaration).flatMap((node) => {
      const isExported = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
      const line = lineOf(file, node);
      const lines = lineOf(file, node.end) - line + 1;
      const above = file.text.slice(node.pos, node.getStart(file));
      const name = node.name?.text ?? "default";
      if (!isExported || node.body === undefined || lines < minLines || /\/[*/]/.test(above)) return [];
      if (isComponent(path, name)) return [];
      return [{ path, line, problem: `exports function ${name} of ${lines} lines without a comment` }];
    });
  });
}
