import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import type { Options } from "tsup";
import { isComputed } from "./precompute-command-tree.js";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];

const SOURCE = resolve("src");
const CLI = join(SOURCE, "cli");
/** The modules of the package and of the commands that send: almost every command loads what they import. */
const PROGRAM = join(CLI, "tree", "program.ts");
const SENDER = join(CLI, "operation", "run-operation.ts");
const LIBRARY = join(SOURCE, "index.ts");

/** The modules that a text names by a pattern, whose first group is the path. */
function named(file: string, pattern: RegExp, text = readFileSync(file, "utf8")): string[] {
  return [...text.matchAll(pattern)].map(([, path = ""]) => resolve(dirname(file), path.replace(/\.js$/, ".ts")));
}

/** The modules that are loaded by `import()`. */
function loadedOnDemand(): Set<string> {
  const names = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Set(names.flatMap((name) => named(join(SOURCE, name), /\bimport\("(\.[^"]+)"\)/g)));
}

function importedBy(file: string): string[] {
  if (isComputed(file)) return [];
  const text = readFileSync(file, "utf8").replace(/^import type [^;]*;$/gm, "");
  return named(file, /^(?:import|export|\}).* from "(\.[^"]+\.js)";$/gm, text);
}

/** The modules that load together with a module. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const one of importedBy(file)) withImports(one, known);
  return known;
}

/**
 * Gathers in a few chunks what most commands load, because Node takes about a millisecond for each file. esbuild makes
 * a chunk for each set of modules that the same entries reach, and every `import()` is an entry: modules that other
 * entries also reach would be in many small chunks. So all entries import all of these modules here.
 */
export function gatherChunks(): EsbuildPlugin {
  return {
    name: "gather-chunks",
    setup(build) {
      const onDemand = loadedOnDemand();
      const isOfCli = (file: string) => file.startsWith(CLI + sep);
      const common = [...withImports(PROGRAM, withImports(SENDER))].filter((file) => !isOfCli(file));
      const gathered = (file: string) => {
        if (!isOfCli(file)) return common;
        return [...common, ...importedBy(PROGRAM), ...(file === PROGRAM ? [] : importedBy(SENDER))];
      };
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        if (!onDemand.has(path) && path !== LIBRARY) return undefined;
        const imports = gathered(path).map((file) => `import ${JSON.stringify(file)};`);
        return { contents: [await readFile(path, "utf8"), ...imports].join("\n"), loader: "ts" };
      });
    },
  };
}
