import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";

/**
 * Puts the texts of the console into files for each language, so that a page loads only those of the language that it
 * shows. In the source, `texts(en, pt)` and `perLanguage(en, pt)` have both side by side, and the compiler compares them.
 */

export const BROWSER = resolve("src/console/browser");
export const LANGUAGES = ["en", "pt-BR"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A module that has texts. */
export interface TextModule {
  readonly path: string;
  readonly source: string;
  readonly pairs: readonly Pair[];
}

/** A call whose two arguments go to the files. */
interface Pair {
  readonly name: string;
  readonly call: ts.CallExpression;
  readonly texts: Readonly<Record<Language, string>>;
}

/** The names that a text takes from elsewhere: it would not find them in its file. */
function namesFromElsewhere(text: ts.Expression): string[] {
  const own = new Set<string>();
  const used: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    if ((ts.isParameter(node) || ts.isBindingElement(node)) && ts.isIdentifier(node.name)) own.add(node.name.text);
    const { parent } = node;
    const isMember = (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) && parent.name === node;
    if (ts.isIdentifier(node) && !isMember) used.push(node.text);
    node.forEachChild(visit);
  };
  visit(text);
  return used.filter((name) => !own.has(name) && !Object.hasOwn(globalThis, name));
}

function checked(path: string, text: ts.Expression): string {
  const names = namesFromElsewhere(text);
  if (names.length === 0) return text.getText();
  throw new Error(`${path}: a text names what stands outside of it, which the build cannot move: ${names.join(", ")}`);
}

const CALLEES = ["texts", "perLanguage"];

export function textModule(path: string, source: string): TextModule {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const pairs: Pair[] = [];
  const visit = (node: ts.Node): void => {
    node.forEachChild(visit);
    if (!ts.isCallExpression(node) || !CALLEES.includes(node.expression.getText())) return;
    const [en, pt] = node.arguments;
    if (en === undefined || pt === undefined) return;
    const name = `${path.slice(BROWSER.length + 1)} ${pairs.length}`;
    pairs.push({ name, call: node, texts: { en: checked(path, en), "pt-BR": checked(path, pt) } });
  };
  visit(file);
  return { path, source, pairs };
}

/** All modules of the console that have texts, but for the one that defines what a text is. */
export function textModules(): TextModule[] {
  return readdirSync(BROWSER, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && name !== join("state", "language.ts"))
    .sort()
    .map((name) => textModule(join(BROWSER, name), readFileSync(join(BROWSER, name), "utf8")))
    .filter(({ pairs }) => pairs.length > 0);
}

const imported = (names: string, ...path: string[]) =>
  `import { ${names} } from ${JSON.stringify(join(BROWSER, ...path))};`;

/** The module without its texts: it takes them from the files of its part. */
export function withoutTexts({ source, pairs }: TextModule, part: string): string {
  const bare = pairs.toReversed().reduce((text, { name, call }) => {
    const texts = `textsIn(${JSON.stringify(name)})`;
    const inPlace = call.expression.getText() === "texts" ? `inLanguageOfPage(${texts})` : texts;
    return text.slice(0, call.getStart()) + inPlace + text.slice(call.end);
  }, source);
  return [
    `import ${JSON.stringify(`text-files:${part}`)};`,
    imported("inLanguageOfPage", "state", "language.ts"),
    imported("textsIn", "words", "per-language.ts"),
    bare,
  ].join("\n");
}

/** The module that loads the files of a part, before any module runs that imports it. */
export function loaderOf(part: string): string {
  const loaders = LANGUAGES.map((language) => `${JSON.stringify(language)}: () => import("texts:${language}-${part}")`);
  return [
    // It says in which language the page begins.
    `import ${JSON.stringify(join(BROWSER, "state", "language.ts"))};`,
    imported("addTextFiles", "words", "per-language.ts"),
    `await addTextFiles({ ${loaders.join(", ")} });`,
  ].join("\n");
}

/** The file with the texts of these modules in one language. */
export function textsOf(modules: readonly TextModule[], language: Language): string {
  const members = modules.flatMap(({ pairs }) =>
    pairs.map(({ name, texts }) => `${JSON.stringify(name)}: ${texts[language]}`),
  );
  return `export const texts = { ${members.join(",\n")} };`;
}
