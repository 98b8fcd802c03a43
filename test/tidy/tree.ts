import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

/** The project's text files: paths from the project's root, with forward slashes. */
export interface Tree {
  readonly paths: readonly string[];
  has(path: string): boolean;
  text(path: string): string;
  parse(path: string): ts.SourceFile;
}

export interface Violation {
  path: string;
  line: number;
  problem: string;
}

/** No rule reads comments as trees. */
const HOW: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.ES2022,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
};

export function treeOf(files: Readonly<Record<string, string>>): Tree {
  const parsed = new Map<string, ts.SourceFile>();
  const text = (path: string): string => {
    const content = files[path];
    if (content === undefined) throw new Error(`no file ${path}`);
    return content;
  };
  const parse = (path: string): ts.SourceFile => {
    const file = parsed.get(path) ?? ts.createSourceFile(path, text(path), HOW, true);
    parsed.set(path, file);
    return file;
  };
  const paths = Object.keys(files).sort();
  const there = new Set(paths);
  return { paths, has: (path) => there.has(path), text, parse };
}

const folders = ["src", "test", "bench", "scripts", "bin", "fixtures", "docs", "examples"];
const isText = /\.(tsx?|js|mjs|cjs|sql|md|json|html|css|svg|txt)$/;

export function projectTree(): Tree {
  const rootFiles = readdirSync(".").filter((name) => name.endsWith(".md"));
  const paths = [...rootFiles, ...folders.flatMap(listFiles)];
  // A file that is no text has a place in the tree (a document may name it) and no content.
  return treeOf(Object.fromEntries(paths.map((path) => [path, isText.test(path) ? readFileSync(path, "utf8") : ""])));
}

function listFiles(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name).replaceAll("\\", "/"))
    .filter((path) => statSync(path).isFile());
}

export function isCode(path: string): boolean {
  return /\.(tsx?|mjs|js)$/.test(path) && !path.endsWith(".d.ts");
}

/** The TypeScript files under src, declarations left out. */
export function sources(tree: Tree): string[] {
  return tree.paths.filter((path) => path.startsWith("src/") && isCode(path));
}

/** The line, counted from 1, on which a node or an offset stands. */
export function lineOf(file: ts.SourceFile, at: ts.Node | number): number {
  const offset = typeof at === "number" ? at : at.getStart(file);
  return file.getLineAndCharacterOfPosition(offset).line + 1;
}

const nodes = new WeakMap<ts.SourceFile, readonly ts.Node[]>();

/** Every node of a file, parents before children. They are looked up once, because most rules need them. */
export function nodesOf(file: ts.SourceFile): readonly ts.Node[] {
  const known = nodes.get(file);
  if (known !== undefined) return known;
  const found: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  nodes.set(file, found);
  return found;
}

/** One line per violation, as `path:line problem`, under the way to mend them; empty when there is none. */
export function report(violations: readonly Violation[], howToFix: string): string {
  if (violations.length === 0) return "";
  const lines = violations.map(({ path, line, problem }) => `  ${path}:${line} ${problem}`);
  return [howToFix, ...lines].join("\n");
}
