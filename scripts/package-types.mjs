// @ts-check
// Usage: node scripts/package-types.mjs [folder]
// Writes the types of the package to dist/types, or to the folder, after a build. The types of the client follow from schemas; here they
// are written out as plain object types. So they do not need the types of a schema library, editors show them as they
// are, and they compile quickly. The words of the OpenAPI document stand beside them, for editors. Both folders have the same content: `esm` is for `import`, `cjs` is for `require`.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";
import { comment, inputSchema, withWords, wordsOf } from "./types-with-words.mjs";

const ENTRIES = ["src/index.ts", "src/vitest.ts", "src/service/webhooks/index.ts"];
const OUT = resolve(process.argv[2] ?? "dist/types");
const SRC = resolve("src");

const OPENAPI = ["bin/qa-pay.js", "openapi", "--sandbox", "--preview", "charge-list"];
/** @type {import("./types-with-words.mjs").Part} */
const document = JSON.parse(execFileSync(process.execPath, OPENAPI, { encoding: "utf8", maxBuffer: 2 ** 26 }));

/** The types that are written out, by their file: generic in an operation id, or in an event name. */
const PRINTED = `
import type { OperationAnswer, OperationId, OperationInput } from "./api/client/types.js";
import type { Preview, UserRole } from "./base/kernel/contract.js";
import type { ServiceOptions } from "./service/features/service-settings.js";
import type { CanonicalName, CanonicalObject, LegacyData, LegacyName } from "./service/openapi/webhooks.js";
export type Options = { [Name in keyof ServiceOptions]-?: Plain<NonNullable<ServiceOptions[Name]>> };
export type Names = { Preview: Preview; UserRole: UserRole };
type Plain<T> = T extends (infer Item)[] ? Plain<Item>[] : T extends object ? { [Key in keyof T]: Plain<T[Key]> } : T;
export type Inputs = { [Id in OperationId]: Plain<OperationInput<Id>> };
export type Answers = { [Id in OperationId]: Plain<OperationAnswer<Id>> };
export type CanonicalObjects = { [Name in CanonicalName]: Plain<CanonicalObject<Name>> };
export type LegacyDatas = { [Name in LegacyName]: Plain<LegacyData<Name>> };
`;

const config = ts.getParsedCommandLineOfConfigFile("tsconfig.json", {}, /** @type {any} */ (ts.sys));
assert(config);
const printed = join(SRC, "package-types.ts");
const plain = ts.createCompilerHost(config.options);
/** @type {ts.CompilerHost} */
const host = {
  ...plain,
  fileExists: (file) => file === printed || plain.fileExists(file),
  getSourceFile: (file, version, ...more) =>
    file === printed ? ts.createSourceFile(file, PRINTED, version, true) : plain.getSourceFile(file, version, ...more),
};
const options = { ...config.options, noEmit: false, declaration: true, emitDeclarationOnly: true, noCheck: true };
const roots = [printed, ...ENTRIES.map((entry) => resolve(entry))];
const program = ts.createProgram(roots, options, host);
const checker = program.getTypeChecker();

/**
 * The members of one of the types above, each as `name: type;`, with the words of their schemas.
 * @param {string} name
 * @param {(member: string) => import("./types-with-words.mjs").Part | undefined} [schemaOf]
 * @param {(member: string) => string} [about]
 */
function members(name, schemaOf = () => undefined, about = () => "") {
  const source = program.getSourceFile(printed);
  const declaration = source?.statements.find((node) => ts.isTypeAliasDeclaration(node) && node.name.text === name);
  assert(declaration && ts.isTypeAliasDeclaration(declaration));
  const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.InTypeAlias;
  const lines = checker.getPropertiesOfType(checker.getTypeAtLocation(declaration)).map((property) => {
    const text = checker.typeToString(checker.getTypeOfSymbol(property), undefined, flags);
    assert(!/\bPlain<|\bimport\(|\bany\b/.test(text), `${property.name} is not written out: ${text.slice(0, 300)}`);
    const worded = withWords(text, schemaOf(property.name), document);
    return `  ${about(property.name)}${JSON.stringify(property.name)}: ${worded};`;
  });
  assert(lines.length > 0, `${name} is empty`);
  return lines.join("\n");
}

const SETTINGS = join(SRC, "service/features/service-settings.ts");

/**
 * Returns the description of an option, from the row of its setting: `setting(kind, flag, default, { about })`.
 * @param {ts.CallExpression} row
 */
function settingWords(row) {
  const [kind, flag, usual, details] = row.arguments;
  assert(kind && flag && usual && details && ts.isObjectLiteralExpression(details));
  const member = (/** @type {string} */ name) => details.properties.find((one) => one.name?.getText() === name);
  const about = member("about");
  assert(
    about && ts.isPropertyAssignment(about) && ts.isStringLiteral(about.initializer),
    "about must be a plain text",
  );
  // Programs have options in the place of flags.
  const text = about.initializer.text.replace(/--[a-z-]+/g, (name) =>
    name.slice(2).replace(/-\w/g, (letter) => letter.charAt(1).toUpperCase()),
  );
  const isOff = flag.getText().startsWith('"--no-');
  const words = isOff ? `False: ${text}.` : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  const unit = kind.getText() === "kind.duration" ? " Milliseconds, or a text such as 500ms, 10s, 5m, 1h or 1d." : "";
  const isSaid = /^["\dtf]/.test(usual.getText()) && member("defaultBy") === undefined;
  return words + unit + (isSaid ? ` Default: ${usual.getText().replaceAll("_", "")}.` : "");
}

/** The options of a service, with their words. */
function optionsText() {
  /** @type {Map<string, string>} */
  const words = new Map();
  /** @type {(node: ts.Node) => void} */
  const visit = (node) => {
    const row = ts.isPropertyAssignment(node) ? node.initializer : undefined;
    const isSetting = row !== undefined && ts.isCallExpression(row) && row.expression.getText() === "setting";
    if (isSetting && ts.isPropertyAssignment(node)) words.set(node.name.getText(), settingWords(row));
    ts.forEachChild(node, visit);
  };
  const source = program.getSourceFile(SETTINGS);
  assert(source);
  visit(source);
  const lines = members("Options", undefined, (name) =>
    comment(words.get(name) ?? assert.fail(`no words for ${name}`)),
  );
  return lines.replace(/"(\w+)": (.*);$/gm, "readonly $1?: $2 | undefined;");
}

/** Replaces declarations that would need the schemas. */
const REPLACED = new Map([
  [
    join(SRC, "api/client/types.ts"),
    (/** @type {string} */ text) => {
      // The part that needs no schema begins with CallOptions and its comment.
      const start = text.lastIndexOf("/**", text.indexOf("export interface CallOptions"));
      assert(start > 0, "src/api/client/types.ts has changed: say where its own part begins");
      const own = text.slice(start);
      // With `keyof` written out, a method has the comment of the member of Answers with its name.
      const rest = own.replace("[Id in OperationId]: Call<Id>", "[Id in keyof Answers]: Call<Id>");
      assert.notEqual(rest, own, "src/api/client/types.ts has changed: say where the methods of Client are");
      return [
        'import type { Signal } from "./platform.js";',
        `interface Inputs {\n${members("Inputs", (id) => inputSchema(id, document))}\n}`,
        `interface Answers {\n${members("Answers", undefined, (id) => comment(wordsOf(id, document)))}\n}`,
        "/** The ids of the operations that speak JSON. */",
        "export type OperationId = keyof Answers;",
        "/** The input of an operation: `params`, `query`, `body`, and `idempotencyKey` when it is required. */",
        "export type OperationInput<Id extends OperationId> = Inputs[Id];",
        "/** The answer of an operation; undefined when the answer has no content. */",
        "export type OperationAnswer<Id extends OperationId> = Answers[Id];",
        rest,
      ].join("\n");
    },
  ],
  [SETTINGS, () => `export interface ServiceOptions {\n${optionsText()}\n}`],
  [join(SRC, "base/kernel/contract.ts"), () => members("Names").replace(/^ *"(\w+)":/gm, "export type $1 =")],
  [
    join(SRC, "service/openapi/webhooks.ts"),
    () =>
      [
        `interface CanonicalObjects {\n${members("CanonicalObjects")}\n}`,
        `interface LegacyDatas {\n${members("LegacyDatas")}\n}`,
        "/** The names of canonical events, and what each is about. */",
        "export type CanonicalName = keyof CanonicalObjects;",
        "export type CanonicalObject<Name extends CanonicalName> = CanonicalObjects[Name];",
        "/** The names of legacy events, and the data of each. */",
        "export type LegacyName = keyof LegacyDatas;",
        "export type LegacyData<Name extends LegacyName> = LegacyDatas[Name];",
      ].join("\n"),
  ],
]);

/**
 * @param {string} file
 * @returns {string} the declarations of a source file
 */
function declarationsOf(file) {
  let text = "";
  const source = program.getSourceFile(file);
  assert(source, `${file} is not in the program`);
  program.emit(source, (_name, emitted) => (text = emitted), undefined, true);
  return REPLACED.get(file)?.(text) ?? text;
}

/** @type {Map<string, string>} */
const written = new Map();
const waiting = ENTRIES.map((entry) => resolve(entry));
for (const file of waiting) {
  if (written.has(file)) continue;
  const text = declarationsOf(file);
  written.set(file, text);
  for (const { fileName } of ts.preProcessFile(text).importedFiles) {
    if (fileName.startsWith(".")) waiting.push(resolve(dirname(file), fileName.replace(/\.js$/, ".ts")));
    else
      assert.equal(fileName, "vitest", `${file}: the types need ${fileName}, which users of the package may not have`);
  }
}

rmSync(OUT, { recursive: true, force: true });
for (const [folder, type] of [
  ["esm", "module"],
  ["cjs", "commonjs"],
]) {
  for (const [file, text] of written) {
    const path = join(OUT, folder ?? "", relative(SRC, file)).replace(/\.ts$/, ".d.ts");
    mkdirSync(dirname(path), { recursive: true });
    // Symbol.asyncDispose is in a library of its own, which projects may not have named.
    const lib = text.includes("Symbol.asyncDispose") ? '/// <reference lib="esnext.disposable" />\n' : "";
    writeFileSync(path, lib + text);
  }
  writeFileSync(join(OUT, folder ?? "", "package.json"), `${JSON.stringify({ type })}\n`);
}
