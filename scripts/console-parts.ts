import { basename, dirname, resolve } from "node:path";
import type { BuildOptions, EsbuildApi } from "./evaluate-module.js";

/**
 * The parts of the console's page. The shell is loaded at once; what several rooms need comes with the first of them; a room of
 * pages is loaded when one of its pages is opened. esbuild by itself makes a chunk for each set of modules that the same
 * `import()`s reach: some hundred small ones, which compress badly.
 */
interface Parts {
  /** The room that a module is loaded with; null for the shell and for what several rooms need. */
  readonly roomOf: (path: string) => string | null;
  /**
   * By the module that an `import()` names: the modules that are there before it, or come with it. When each of them
   * imports all of these modules, the same ones reach each of these, and they are in one chunk.
   */
  readonly loadedBefore: ReadonlyMap<string, readonly string[]>;
}

export const SHELL = "shell";
const SEVERAL = "several";

interface Inputs {
  readonly [path: string]: {
    readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  };
}

/** The module with all modules that load together with it. */
function withImports(inputs: Inputs, path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const one of inputs[path]?.imports ?? []) {
    if (one.kind === "import-statement" && one.external !== true) withImports(inputs, one.path, known);
  }
  return known;
}

/** Builds the console once without writing it, to see which modules are used and by whom. */
export async function partsOf(esbuild: EsbuildApi, options: BuildOptions): Promise<Parts> {
  const { metafile } = await esbuild.build({ ...options, write: false, metafile: true, logLevel: "silent" });
  const { inputs, outputs } = metafile;
  const entries = Object.values(outputs).map(({ entryPoint = "" }) => entryPoint);
  const main = entries.find((path) => path.endsWith("/main.tsx")) ?? "";
  const shell = withImports(inputs, main);
  const later = [...shell]
    .flatMap((path) => inputs[path]?.imports ?? [])
    .flatMap(({ kind, path }) => (kind === "dynamic-import" ? path : []));

  const partOf = new Map([...shell].map((path) => [path, SHELL]));
  for (const entry of later) {
    for (const path of withImports(inputs, entry)) {
      if (!shell.has(path)) partOf.set(path, partOf.has(path) ? SEVERAL : entry);
    }
  }
  // The first module brings the styles, which are needed once.
  const isOurs = (path: string) => /\.tsx?$/.test(path) && path !== main;
  const inPart = (part: string) => [...partOf.keys()].filter((path) => partOf.get(path) === part && isOurs(path));
  const gathered = [...inPart(SHELL), ...inPart(SEVERAL)].map((path) => resolve(path));
  const byPath = new Map([...partOf].map(([path, part]) => [resolve(path), part]));
  return {
    roomOf: (path) => {
      const part = byPath.get(path) ?? SHELL;
      return basename(dirname(part)) === "rooms" ? basename(part, ".ts") : null;
    },
    loadedBefore: new Map(later.map((entry) => [resolve(entry), gathered])),
  };
}
