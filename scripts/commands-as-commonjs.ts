import { basename, dirname, join } from "node:path";
import type { EsbuildPlugin } from "./evaluate-module.js";

type PluginBuild = Parameters<EsbuildPlugin["setup"]>[0];
type Result = Parameters<Parameters<PluginBuild["onEnd"]>[0]>[0];
type Outputs = NonNullable<Result["metafile"]>["outputs"];

/** What every command loads: they are gathered in one file. */
const FIRST = /^src\/cli\/(main|tree\/program)\.ts$/;
/** What commands that send a request load as well. */
const MORE = /^src\/cli\/(operation\/[\w-]+|terminal\/output)\.ts$/;
/** The entries of the library, which must not load the program. */
const LIBRARY = /^src\/(index|vitest)\.ts$/;

const MODULE_URL = 'const moduleUrl = require("node:url").pathToFileURL(__filename).href;\n';
/** Settings of esbuild for both ways to make CommonJS. */
const FORM = { format: "cjs", platform: "node", target: "node20", define: { "import.meta.url": "moduleUrl" } } as const;

/** The file of `main`. */
const PROGRAM = "cli.js";

const partName = (name: string) => name.replace(/\.js$/, "").replaceAll("-", "_");
const commonJsName = (name: string) => name.replace(/\.js$/, ".cjs");

/** The names of the files that load together with the entries whose source matches. */
function loadedWith(outputs: Outputs, entries: RegExp): Set<string> {
  const found = new Set<string>();
  const add = (path: string) => {
    const output = outputs[path];
    if (output === undefined || found.has(basename(path))) return;
    found.add(basename(path));
    for (const { path: imported, kind } of output.imports) if (kind === "import-statement") add(imported);
  };
  for (const [path, { entryPoint = "" }] of Object.entries(outputs)) if (entries.test(entryPoint)) add(path);
  return found;
}

/** Code of a CommonJS file: built-in modules are required, because a first `import()` starts the loader of ES modules. */
function finished(code: string): string {
  const text = code.replace(/\bimport\(("node:[\w/]+")\)/g, "Promise.resolve().then(() => require($1))");
  return text.includes("moduleUrl") ? MODULE_URL + text : text;
}

/** One CommonJS file of several files. It exports each of them by its name, and `main`. */
async function gather(esbuild: PluginBuild["esbuild"], texts: ReadonlyMap<string, string>): Promise<string> {
  const parts = [...texts.keys()].map((name) => `export * as ${partName(name)} from "./${name}";`);
  const contents = [...parts, `export { main } from "./${PROGRAM}";`].join("\n");
  const files: EsbuildPlugin = {
    name: "gathered-files",
    setup(build) {
      build.onResolve({ filter: /^\.\// }, ({ path }) =>
        texts.has(basename(path)) ? { path: basename(path), namespace: "gathered" } : { path, external: true },
      );
      build.onLoad({ filter: /./, namespace: "gathered" }, ({ path }) => ({ contents: texts.get(path) ?? "" }));
    },
  };
  const { outputFiles } = await esbuild.build({
    ...FORM,
    stdin: { contents },
    bundle: true,
    write: false,
    plugins: [files],
  });
  return finished(outputFiles[0]?.text ?? "");
}

/** A file that gives a part of the gathered file to ES modules. Node finds the names of its exports in the last line. */
function partOf(name: string, exported: readonly string[]): string {
  return `module.exports = require("./${PROGRAM}").${partName(name)};\n0 && (module.exports = { ${exported.join(", ")} });\n`;
}

/**
 * Writes as CommonJS what commands that send a request load, and in one file what all commands load. Node starts it sooner
 * than ES modules, whose loader is asynchronous and reads all exports of each built-in module: about a fifth of the time of a
 * short command. Other files import from these as from ES modules, so that a module exists once in a process.
 */
export function commandsAsCommonJs(): EsbuildPlugin {
  return {
    name: "commands-as-commonjs",
    setup({ esbuild, onEnd }) {
      onEnd(async ({ outputFiles = [], metafile: { outputs } = { outputs: {} } }) => {
        const first = loadedWith(outputs, FIRST);
        const library = loadedWith(outputs, LIBRARY);
        const gathered = new Set([...first].filter((name) => !library.has(name)));
        const commonJs = new Set([...first, ...loadedWith(outputs, MORE)]);
        const renamed = (text: string) =>
          text.replace(/"\.\/([\w-]+\.js)"/g, (told, name) =>
            commonJs.has(name) ? `"./${commonJsName(name)}"` : told,
          );

        const scripts = outputFiles.filter(({ path }) => path.endsWith(".js"));
        const texts = scripts.map(({ path, text }) => [basename(path), text] as const);
        const program = await gather(esbuild, new Map(texts.filter(([name]) => gathered.has(name))));
        const exported = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output.exports]));
        const textOf = async (name: string, text: string) => {
          if (name === PROGRAM) return program;
          if (gathered.has(name)) return partOf(name, exported.get(name) ?? []);
          return commonJs.has(name) ? finished((await esbuild.transform(text, FORM)).code) : text;
        };
        for (const file of scripts) {
          const name = basename(file.path);
          file.contents = Buffer.from(renamed(await textOf(name, file.text)));
          if (commonJs.has(name)) file.path = join(dirname(file.path), commonJsName(name));
        }
      });
    },
  };
}
