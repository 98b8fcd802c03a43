import ts from "typescript";
import { ID_PREFIX } from "../../src/base/kernel/ids.js";
import { lineOf, nodesOf, sources, type Tree, type Violation } from "./tree.js";

/**
 * `qa-pay/webhooks` is published alone and imports nothing. `conform` knows the prefixes on its own, so that it finds a wrong
 * one. All other files take them from the first.
 */
const OWN_PREFIXES = /^src\/(?:base\/kernel\/ids\.ts$|service\/webhooks\/|checks\/conformance\/)/;
const PREFIXES: ReadonlySet<string> = new Set(Object.values(ID_PREFIX));

/** The text that is one of the prefixes, or the last word of a text that goes on with a value: `delivery wd_${id}`. */
function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node)) return /[a-z]+_$/.exec(node.text)?.[0];
  return undefined;
}

/** Prefixes of ids that are written once more. */
export function writtenPrefixes(tree: Tree): Violation[] {
  const files = sources(tree).filter((path) => !OWN_PREFIXES.test(path));
  return files.flatMap((path) => {
    const file = tree.parse(path);
    return nodesOf(file).flatMap((node) => {
      const text = textOf(node);
      return text !== undefined && PREFIXES.has(text)
        ? [{ path, line: lineOf(file, node), problem: `writes ${text}` }]
        : [];
    });
  });
}
