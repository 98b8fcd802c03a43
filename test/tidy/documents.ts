import type { Tree, Violation } from "./tree.js";

const overview = "src/README.md";
const documents = ["docs/ARCHITECTURE.md", "CONTRIBUTING.md", overview];
const mention = /`((?:src|test|docs|bench|scripts|bin|fixtures|examples)\/[^`\s]*)`/g;

/**
 * Paths in backticks that lead nowhere. `*` and `<name>` stand for one part of a name, `**` for any folders, `{a,b}` for
 * either; a path may end in a line (`:12`) or a heading (`#title`).
 */
export function stalePaths(tree: Tree): Violation[] {
  return documents.flatMap((path) => {
    if (!tree.paths.includes(path)) return [{ path, line: 1, problem: "is missing" }];
    return tree
      .text(path)
      .split("\n")
      .flatMap((text, index) =>
        [...text.matchAll(mention)]
          .map((match) => match[1] ?? "")
          .filter((named) => !exists(tree, named))
          .map((named) => ({ path, line: index + 1, problem: `names ${named}, which does not exist` })),
      );
  });
}

/** Folders of src that its overview does not name, and groups of the overview that are no heading of the page with the details. */
export function unnamedFolders(tree: Tree): Violation[] {
  const text = tree.has(overview) ? tree.text(overview) : "";
  const folders = new Set(tree.paths.flatMap((path) => /^src\/[^/]+\/([^/]+)\//.exec(path)?.[1] ?? []));
  const groups = [...text.matchAll(/^\| `([a-z]+)` \| `/gm)].map(([, group = ""]) => group);
  const details = "docs/ARCHITECTURE.md";
  const headings = tree.has(details) ? tree.text(details).split("\n") : [];
  return [
    ...[...folders]
      .filter((folder) => !text.includes(`\`${folder}\``))
      .map((folder) => ({ path: overview, line: 1, problem: `does not name the folder ${folder} of src` })),
    ...groups
      .filter((group) => !headings.includes(`### \`src/${group}\``))
      .map((group) => ({ path: details, line: 1, problem: `has no heading "${group}", a group of ${overview}` })),
  ];
}

function exists(tree: Tree, named: string): boolean {
  const pattern = patternOf(named.replace(/(:\d+|#.*)$/, "").replace(/\/$/, ""));
  return tree.paths.some((path) => pattern.test(path));
}

/** Matches the path itself, and every file inside where it is a folder. */
function patternOf(named: string): RegExp {
  const pieces = named.split(/(\*\*\/?|\*|<[^>]*>|\{[^}]*\})/).map((piece) => {
    if (piece.startsWith("**")) return "(?:.*/)?";
    if (piece === "*" || piece.startsWith("<")) return "[^/]+";
    if (piece.startsWith("{")) return `(?:${piece.slice(1, -1).split(",").map(escaped).join("|")})`;
    return escaped(piece);
  });
  return new RegExp(`^${pieces.join("")}(?:/.*)?$`);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
