import { posix } from "node:path";
import type { Tree, Violation } from "./tree.js";

/** A page of rules or decisions, named from anywhere: `docs/service/charges.md#expiry`. */
const named = /\bdocs\/(?:service|decisions)\/[\w-]+\.md(?:#[\w-]+)?/g;
const linked = /\]\((?!\w+:)([^)\s#]*)(#[^)\s]*)?\)/g;

/** A rule named by the number of a section, which no page here has, or by a decision without its page. */
const vague = /\bcontract(?:'s|,)? (?:sections? )?\d|\bdecisions? on [a-z]|[("'`]\d\.\d{1,2}(?:,| and| to)? [a-z]/i;

/** Comments and titles of tests that point to a rule which a reader of this repository cannot find. */
export function vagueReferences(tree: Tree): Violation[] {
  const paths = tree.paths.filter((path) => /^(?:src|test|bench|scripts)\/(?!tidy\/).*\.(?:ts|mjs|sql)$/.test(path));
  return paths.flatMap((path) =>
    tree
      .text(path)
      .split("\n")
      .flatMap((text, index) => {
        const found = vague.exec(text)?.[0];
        return found === undefined ? [] : [{ path, line: index + 1, problem: `says ${found}` }];
      }),
  );
}

/**
 * References in comments and links in documents that lead to no file, or to no heading of it. The tests of these rules
 * name pages that they make up.
 */
export function deadReferences(tree: Tree): Violation[] {
  const paths = tree.paths.filter((path) => !path.startsWith("test/tidy/"));
  return paths.flatMap((path) => {
    const isDocument = path.endsWith(".md");
    return tree
      .text(path)
      .split("\n")
      .flatMap((text, index) => {
        const targets = isDocument ? links(path, text) : [...text.matchAll(named)].map(([target]) => target);
        const dead = targets.filter((target) => !leadsSomewhere(tree, target));
        return dead.map((target) => ({ path, line: index + 1, problem: `points to ${target}, which does not exist` }));
      });
  });
}

function links(path: string, text: string): string[] {
  return [...text.matchAll(linked)].map(([, file = "", heading = ""]) => {
    return (file === "" ? path : posix.join(posix.dirname(path), file).replace(/\/$/, "")) + heading;
  });
}

function leadsSomewhere(tree: Tree, target: string): boolean {
  const [path = "", heading] = target.split("#");
  // Files outside the folders that a tree holds are of no interest here.
  if (!/^(?:docs|src|test|bench|scripts|examples)\b/.test(path)) return true;
  if (tree.paths.includes(path)) return heading === undefined || headingsOf(tree.text(path)).includes(heading);
  return tree.paths.some((known) => known.startsWith(`${path}/`));
}

/** The headings of a page as links name them. */
function headingsOf(text: string): string[] {
  const titles = [...text.replace(/```[\s\S]*?```/g, "").matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) => title);
  return titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
