import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];
type EsbuildApi = Parameters<EsbuildPlugin["setup"]>[0]["esbuild"];

const modulePath = "src/cli/command-tree.ts";
const moduleFilter = /[\\/]src[\\/]cli[\\/]command-tree\.ts$/;

/**
 * Replaces `src/cli/command-tree.ts` in the build by its own value, computed once here.
 *
 * From source, that module derives the command tree from the registry, and so loads every operation with its zod
 * schemas. A client command such as `qa-pay charges get` needs only the outcome: names, flags and help texts. With the
 * value inlined, client commands load neither zod nor a native module, and start in half the time.
 */
export function precomputeCommandTree(): EsbuildPlugin {
  return {
    name: "precompute-command-tree",
    setup(build) {
      build.onLoad({ filter: moduleFilter }, async () => {
        const { tree, inputs } = await evaluateCommandTree(build.esbuild);
        // A text for JSON.parse is read faster than the same value written as code.
        const contents = `export const commandTree = JSON.parse(${JSON.stringify(tree)});`;
        return { contents, loader: "js", watchFiles: inputs };
      });
    },
  };
}

/** Bundles the module with its sources, packages left out, and imports the result: TypeScript and .sql need no loader. */
async function evaluateCommandTree(esbuild: EsbuildApi): Promise<{ tree: string; inputs: string[] }> {
  const bundle = await esbuild.build({
    entryPoints: [modulePath],
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    loader: { ".sql": "text" },
  });
  const code = bundle.outputFiles[0]?.contents ?? "";

  // Inside node_modules, so that the packages left out resolve; one file per process, so that builds may overlap.
  const folder = join("node_modules", ".cache", "qa-pay");
  const file = join(folder, `command-tree-${process.pid}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, code);
  try {
    const module: { commandTree?: unknown } = await import(pathToFileURL(file).href);
    return { tree: toLiteral(module.commandTree), inputs: Object.keys(bundle.metafile.inputs) };
  } finally {
    await rm(file, { force: true });
  }
}

/** JSON, refusing what JSON would lose without a word: the built command tree must equal the one the tests see. */
function toLiteral(tree: unknown): string {
  if (tree === undefined) throw new Error(`${modulePath} exports no commandTree`);
  return JSON.stringify(tree, (key, value: unknown) => {
    if (isPlainData(value)) return value;
    throw new Error(
      `${modulePath}: "${key}" is no plain data (${typeof value}), so it cannot be written at build time`,
    );
  });
}

function isPlainData(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return ["string", "boolean", "undefined"].includes(typeof value);
  return value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}
