import ts from "typescript";
import { lineOf, nodesOf, type Tree, type Violation } from "./tree.js";

/** The text of a locator at this moment. A page draws a moment after what changes it. */
const READS = new Set([
  "allInnerTexts",
  "allTextContents",
  "count",
  "getAttribute",
  "innerHTML",
  "innerText",
  "inputValue",
  "isChecked",
  "isDisabled",
  "isEnabled",
  "isHidden",
  "isVisible",
  "textContent",
]);

/** The name of the reading in `expect(await locator.innerText())`, or null. */
function readingIn(node: ts.Node): string | null {
  if (!ts.isCallExpression(node) || node.expression.getText() !== "expect") return null;
  const [given] = node.arguments;
  if (given === undefined || !ts.isAwaitExpression(given) || !ts.isCallExpression(given.expression)) return null;
  const { expression } = given.expression;
  return ts.isPropertyAccessExpression(expression) && READS.has(expression.name.text) ? expression.name.text : null;
}

/** Expectations of tests in a browser that read the page once and do not wait. */
export function impatientReadings(tree: Tree): Violation[] {
  const paths = tree.paths.filter((path) => /^test\/browser\/.*\.ts$/.test(path));
  const suspects = paths.filter((path) => /\bexpect\(\s*await\b/.test(tree.text(path)));
  return suspects.flatMap((path) => {
    const file = tree.parse(path);
    return nodesOf(file).flatMap((node) => {
      const name = readingIn(node);
      return name === null ? [] : [{ path, line: lineOf(file, node), problem: `expects ${name}() at once` }];
    });
  });
}

/** Waits with the limit of Vitest, one second, which a busy machine takes for what is right. */
export function shortWaits(tree: Tree): Violation[] {
  // Hardly any file has one, and to read all tests as a compiler does takes seconds.
  const paths = tree.paths.filter((path) => /^test\/.*\.ts$/.test(path) && tree.text(path).includes("vi.waitFor"));
  return paths.flatMap((path) => {
    const file = tree.parse(path);
    const isShort = (node: ts.Node) =>
      ts.isCallExpression(node) && node.expression.getText() === "vi.waitFor" && node.arguments.length < 2;
    return nodesOf(file)
      .filter(isShort)
      .map((node) => ({ path, line: lineOf(file, node), problem: "waits for one second at most" }));
  });
}
