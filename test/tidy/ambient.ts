import ts from "typescript";
import { importsOf } from "./imports.js";
import { lineOf, nodesOf, sources, type Tree, type Violation } from "./tree.js";

/** The files that use real time and process state. Everything else gets a Runtime or an Io. */
const allowedIn = [
  "src/base/platform/real-runtime.ts",
  "src/base/platform/shown-time.ts",
  "src/programs/cli/terminal/io.ts",
  "src/programs/cli/terminal/standard-output.ts",
];
/** Scripts of pages: time and network are those of a browser there. */
const inBrowser = /^src\/web\/[^/]+\/browser\//;

/**
 * The real time and chance of src/base/platform/real-runtime.ts, and who may take it there: what puts a service, a command or
 * an object of the library together and passes it on. The time limit of a request is real time whatever a caller passes.
 */
const realParts = new Set(["realTime", "realWaiting", "createRuntime"]);
const REAL_RUNTIME = "src/base/platform/real-runtime.ts";
const roots = [
  ...["src/programs/cli/terminal/io.ts", "src/web/docs/site-server.ts", "src/service/webhooks/input.ts"],
  ...["src/api/client/send.ts", "src/api/client/fetching.ts"],
];
const rootFolders = /^src\/(base\/platform|programs\/start|programs\/library)\//;

const random = ["randomUUID", "randomBytes", "randomInt", "randomFill", "randomFillSync", "getRandomValues"];
const banned = new Set(["fetch", "console", "performance", "setTimeout", "setInterval", "scheduler", ...random]);
const bannedMembers = new Map([
  ["Date", ["now"]],
  ["Math", ["random"]],
  ["AbortSignal", ["timeout"]],
]);
const watched = new Set([...banned, ...bannedMembers.keys(), "process"]);
/**
 * Texts of files in which this rule can find something: the name itself, also where an import gives it
 * another one, or a character that is written by its number. Other files are not given to the compiler.
 */
const suspicious = new RegExp(String.raw`\b(?:${[...watched].join("|")})\b|\\u`);
/** Members of `process` that never change while it runs are allowed. All others are hidden inputs. */
const fixedFacts = ["arch", "execPath", "pid", "platform", "release", "version", "versions"];

/** Finds uses of real time, chance, network, environment and terminal, by what a name refers to, not its spelling. */
export function ambientUses(tree: Tree): Violation[] {
  const paths = sources(tree).filter((path) => !allowedIn.includes(path) && !inBrowser.test(path));
  const suspects = paths.filter((path) => suspicious.test(tree.text(path)));
  const program = programOf(tree, suspects);
  const checker = program.getTypeChecker();
  return [
    ...paths.flatMap((path) => processImports(tree, path)),
    ...paths.flatMap((path) => takenParts(tree, path)),
    ...suspects.flatMap(usesIn),
  ];

  function usesIn(path: string): Violation[] {
    const file = tree.parse(path);
    const imported = importedNames(file);
    const identifiers = nodesOf(file)
      .filter(ts.isIdentifier)
      // Asking what a name refers to takes long. A name that no import gives keeps the name of what it refers to.
      .filter(({ text }) => watched.has(text) || imported.has(text))
      .filter((node) => !isDeclarationOrType(node));
    return identifiers.flatMap((node) => {
      const name = platformName(checker, program, node);
      const problem = name && problemWith(name, node);
      return problem ? [{ path, line: lineOf(file, node), problem }] : [];
    });
  }
}

/** The names that imports of a file give. */
function importedNames(file: ts.SourceFile): ReadonlySet<string> {
  const names = nodesOf(file).flatMap((node) => {
    const isImport = ts.isImportSpecifier(node) || ts.isImportClause(node) || ts.isNamespaceImport(node);
    return (isImport || ts.isImportEqualsDeclaration(node)) && node.name !== undefined ? [node.name.text] : [];
  });
  return new Set(names);
}

/** An import can give members of this module other names, so importing the module is refused. */
function processImports(tree: Tree, path: string): Violation[] {
  return importsOf(tree, path)
    .filter(({ specifier, kind }) => /^(node:)?process$/.test(specifier) && kind !== "type")
    .map(({ line, specifier }) => ({ path, line, problem: `imports ${specifier}` }));
}

/** The real parts that a file takes itself, where they should be passed to it. */
function takenParts(tree: Tree, path: string): Violation[] {
  if (roots.includes(path) || rootFolders.test(path)) return [];
  const taken = importsOf(tree, path).filter(({ target, kind }) => target === REAL_RUNTIME && kind !== "type");
  if (taken.length === 0) return [];
  const names = new Set(
    nodesOf(tree.parse(path))
      .filter(ts.isIdentifier)
      .map(({ text }) => text),
  );
  const real = [...realParts].filter((name) => names.has(name));
  return real.map((name) => ({ path, line: taken[0]?.line ?? 1, problem: `takes ${name}` }));
}

function problemWith(name: string, node: ts.Identifier): string | undefined {
  if (banned.has(name)) return `uses ${name}`;
  const member = memberOf(node);
  if (name === "process")
    return fixedFacts.includes(member ?? "") ? undefined : `uses process${member ? `.${member}` : ""}`;
  if (member && bannedMembers.get(name)?.includes(member)) return `uses ${name}.${member}`;
  return name === "Date" && readsClock(node.parent, node) ? "reads the real clock with Date" : undefined;
}

/** `new Date()` and `Date()`; with arguments, the first is plain arithmetic. */
function readsClock(parent: ts.Node, node: ts.Identifier): boolean {
  if (ts.isNewExpression(parent)) return parent.expression === node && (parent.arguments?.length ?? 0) === 0;
  return ts.isCallExpression(parent) && parent.expression === node;
}

function memberOf({ parent }: ts.Identifier): string | undefined {
  if (ts.isPropertyAccessExpression(parent)) return parent.name.text;
  const key = ts.isElementAccessExpression(parent) ? parent.argumentExpression : undefined;
  return key && ts.isStringLiteralLike(key) ? key.text : undefined;
}

/** The name under which the language or Node declares what an identifier stands for; undefined when it is ours. */
function platformName(checker: ts.TypeChecker, program: ts.Program, node: ts.Identifier): string | undefined {
  const symbol = ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  if (symbol === undefined) return undefined;
  const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  // A socket's setTimeout is an option of that socket, no timer of ours.
  if (meant.name === "setTimeout" && meant.flags & ts.SymbolFlags.Method) return undefined;
  const declaredIn = meant.declarations?.map((declaration) => declaration.getSourceFile()) ?? [];
  const isPlatform = (file: ts.SourceFile) =>
    program.isSourceFileDefaultLibrary(file) || file.fileName.includes("/node_modules/@types/node/");
  return declaredIn.length > 0 && declaredIn.every(isPlatform) ? meant.name : undefined;
}

function isDeclarationOrType(node: ts.Identifier): boolean {
  let outer: ts.Node = node.parent;
  while (ts.isQualifiedName(outer)) outer = outer.parent;
  return ts.isTypeQueryNode(outer) || ts.isImportSpecifier(outer) || ts.isImportClause(outer) || ts.isTypeNode(outer);
}

/** Our files and the platform's types alone: packages are left unresolved, which keeps this rule fast. */
function programOf(tree: Tree, paths: readonly string[]): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
    noEmit: true,
  };
  const ours = new Set(paths);
  const host = ts.createCompilerHost(options, true);
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => ours.has(name) || fileExists(name);
  host.getSourceFile = (name, ...rest) => (ours.has(name) ? tree.parse(name) : getSourceFile(name, ...rest));
  host.resolveModuleNameLiterals = (literals) => literals.map(() => ({ resolvedModule: undefined }));
  return ts.createProgram({ rootNames: paths, options, host });
}
