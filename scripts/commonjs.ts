import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { EsbuildPlugin } from "./evaluate-module.js";

type PluginBuild = Parameters<EsbuildPlugin["setup"]>[0];
type Result = Parameters<Parameters<PluginBuild["onEnd"]>[0]>[0];
type Outputs = NonNullable<Result["metafile"]>["outputs"];

/**
 * What starts load together: all commands, most of which send a request and show its answer, and the library with `serve`. What
 * commands for charges and payments do besides is small and used the most. A file that is loaded costs a command more than a
 * millisecond, and code that it does not use hardly anything.
 */
const GROUPS: Readonly<Record<string, RegExp>> = {
  program:
    /^src\/cli\/(main|tree\/program|operation\/(run-operation|rows)|terminal\/output|commands\/(charges|payments)\/(create|get))\.ts$/,
  library: /^src\/index\.ts$/,
};

/** Where commands begin. */
const COMMAND = /^src\/cli\//;
/** A module that is loaded with all of the service, and hardly without it: the schemas. */
const SCHEMAS = "node_modules/zod/v4/core/core.js";

/** What other packages import stays an ES module: Vitest cannot be required. */
const ENTRIES = new Set(["index.js", "vitest.js"]);

/** A function, because most starts need no URL, and the first one takes Node most of a millisecond. */
const MODULE_URL = 'const moduleUrl = () => require("node:url").pathToFileURL(__filename).href;\n';
/** Settings of esbuild for both ways to make CommonJS. */
const FORM = {
  format: "cjs",
  platform: "node",
  target: "node20",
  legalComments: "inline",
  define: { "import.meta.url": "moduleUrl" },
} as const;
/** Keeps the lines in which esbuild names the source of what follows: it drops comments that are not marked. */
const withNames = (text: string) => text.replace(/^\/\/ (?=[\w@-]+[:/]\S+$)/gm, "//! ");
const withoutMarks = (text: string) => text.replace(/^( *)\/\/! (?=[\w@-]+[:/]\S+$)/gm, "$1// ");
const REQUIRE = 'const require = process.getBuiltinModule("node:module").createRequire(import.meta.url);\n';

const partName = (name: string) => name.replace(/\.js$/, "").replaceAll("-", "_");
const commonJsName = (name: string) => name.replace(/\.js$/, ".cjs");

/** The names of the files that load together with the entries whose source matches. */
function loadedWith(outputs: Outputs, isEntry: (source: string) => boolean): Set<string> {
  const found = new Set<string>();
  const add = (path: string) => {
    const output = outputs[path];
    if (output === undefined || found.has(basename(path))) return;
    found.add(basename(path));
    for (const { path: imported, kind } of output.imports) if (kind === "import-statement") add(imported);
  };
  for (const [path, { entryPoint = "" }] of Object.entries(outputs)) if (isEntry(entryPoint)) add(path);
  return found;
}

/** The names of the files that commands load which need no schemas. */
function commandFiles(outputs: Outputs): Set<string> {
  const schemas = Object.keys(outputs).find((path) => SCHEMAS in (outputs[path]?.inputs ?? {}));
  if (schemas === undefined) throw new Error(`no file of the program holds ${SCHEMAS}`);
  const all = Object.values(outputs).flatMap(({ entryPoint = "" }) => (COMMAND.test(entryPoint) ? [entryPoint] : []));
  const each = all.map((entryPoint) => loadedWith(outputs, (one) => one === entryPoint));
  return new Set(each.filter((files) => !files.has(basename(schemas))).flatMap((files) => [...files]));
}

/**
 * The gathered file of each file that is gathered: `shared` for what the program and the library load. What the library has in
 * common with some commands is in `command-library`, so that none of them loads the whole library for it.
 */
function gatheredFiles(outputs: Outputs): Map<string, string> {
  const groups = Object.entries(GROUPS).map(([name, entries]) => ({
    name,
    files: loadedWith(outputs, (source) => entries.test(source)),
  }));
  const names = Object.keys(outputs).map((path) => basename(path));
  const commands = commandFiles(outputs);
  const of = (file: string) => {
    const loading = groups.filter(({ files }) => files.has(file)).map(({ name }) => name);
    const isOfLibrary = loading.includes("library");
    if (isOfLibrary && loading.length > 1) return "shared";
    if (isOfLibrary) return commands.has(file) ? "command-library" : "library";
    return loading[0] ?? "";
  };
  const found = names.filter((name) => !ENTRIES.has(name)).map((name) => [name, of(name)] as const);
  return new Map(found.filter(([, gathered]) => gathered !== ""));
}

/** How a CommonJS file takes another one: a part of a gathered file, or a whole file. */
function required(name: string, gathered: ReadonlyMap<string, string>): string {
  const file = gathered.get(name);
  return file === undefined ? `require("./${commonJsName(name)}")` : `require("./${file}.cjs").${partName(name)}`;
}

/** Code of ASCII alone, which Node reads faster and keeps in half of the memory. */
function inAscii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins with them
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Code of a CommonJS file, in which nothing starts the loader of ES modules. */
function finished(code: string, gathered: ReadonlyMap<string, string>): string {
  const text = inAscii(withoutMarks(code))
    .replace(/^\/\/ gathered:.*\n/gm, "")
    // A file of ours is used as it is: a copy of its names with a function for each would be in the way of every call.
    .replace(/\b__toESM\((require_chunk_\w+\(\))\)/g, "$1")
    .replace(/\bimport\(("node:[\w/]+")\)/g, "Promise.resolve().then(() => require($1))")
    .replace(/\bimport\("\.\/([\w.-]+\.js)"\)/g, 'Promise.resolve().then(() => require("./$1"))')
    .replace(/\brequire\("\.\/([\w.-]+\.js)"\)/g, (_call, name: string) => required(name, gathered));
  const left = /(?:\bimport|\brequire)\("\.\/[^"]*\.js"\)/.exec(text);
  if (left !== null) throw new Error(`a file of the program is loaded by another name: ${left[0]}`);
  const whole = text.includes("moduleUrl") ? MODULE_URL + text.replace(/\bmoduleUrl\b/g, "moduleUrl()") : text;
  // By this line a later start knows what was compiled of the file (src/platform/compiled-code.ts).
  return `// ${createHash("sha256").update(whole).digest("hex").slice(0, 32)}\n${whole}`;
}

/** An entry of the package. It takes what is CommonJS by `require`, because `import` would read it twice. */
function entry(text: string, gathered: ReadonlyMap<string, string>): string {
  const code = text
    .replace(/^import "\.\/[\w.-]+\.js";\n/gm, "")
    .replace(/^import \{([^}]*)\} from "\.\/([\w.-]+\.js)";$/gm, (_line, names: string, name: string) => {
      return `const {${names.replaceAll(" as ", ": ")}} = ${required(name, gathered)};`;
    });
  return REQUIRE + code;
}

/** One CommonJS file of several files. It exports each of them by its name. */
async function gather(
  esbuild: PluginBuild["esbuild"],
  texts: ReadonlyMap<string, string>,
  gathered: ReadonlyMap<string, string>,
): Promise<string> {
  const contents = [...texts.keys()].map((name) => `export * as ${partName(name)} from "./${name}";`).join("\n");
  const files: EsbuildPlugin = {
    name: "gathered-files",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path, kind }) => {
        const isStatic = kind === "import-statement" || texts.has(basename(path));
        return isStatic ? { path: basename(path), namespace: "gathered" } : { path, external: true };
      });
      build.onLoad({ filter: /./, namespace: "gathered" }, ({ path }) => ({
        contents: texts.get(path) ?? `module.exports = ${required(path, gathered)};`,
      }));
    },
  };
  const made = await esbuild.build({ ...FORM, stdin: { contents }, bundle: true, write: false, plugins: [files] });
  return finished(made.outputFiles[0]?.text ?? "", gathered);
}

/**
 * Writes the program as CommonJS, in few files. Node starts it sooner than ES modules: their loader is asynchronous, takes
 * about a millisecond for each file, and reads all exports of each built-in module. Every module is in one file alone, so
 * that it exists once in a process, however it is loaded.
 */
export function asCommonJs(): EsbuildPlugin {
  return {
    name: "commonjs",
    setup({ esbuild, onEnd }) {
      onEnd(async ({ outputFiles = [], metafile: { outputs } = { outputs: {} } }) => {
        const scripts = outputFiles.filter(({ path }) => path.endsWith(".js"));
        const gathered = gatheredFiles(outputs);
        for (const file of new Set(gathered.values())) {
          const own = scripts.filter(({ path }) => gathered.get(basename(path)) === file);
          const texts = new Map(own.map(({ path, text }) => [basename(path), withNames(text)]));
          const text = await gather(esbuild, texts, gathered);
          const path = join(dirname(own[0]?.path ?? ""), `${file}.cjs`);
          outputFiles.push({ path, text, contents: Buffer.from(text), hash: "" });
        }
        for (const file of scripts) {
          const name = basename(file.path);
          if (ENTRIES.has(name)) {
            file.contents = Buffer.from(entry(file.text, gathered));
          } else if (gathered.has(name)) {
            outputFiles.splice(outputFiles.indexOf(file), 1);
          } else {
            const { code } = await esbuild.transform(withNames(file.text), FORM);
            file.contents = Buffer.from(finished(code, gathered));
            file.path = join(dirname(file.path), commonJsName(name));
          }
        }
      });
    },
  };
}
