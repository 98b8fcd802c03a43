import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Options } from "tsup";

type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];
type EsbuildApi = Parameters<EsbuildPlugin["setup"]>[0]["esbuild"];

const modulePath = "src/cli/command-tree.ts";
const moduleFilter = /[\\/]src[\\/]cli[\\/]command-tree\.ts$/;

/**
 * Replaces `src/cli/command-tree.ts` in the build by its own values, computed once here.
 *
 * From source, that module derives the command tree from the registry, and so loads every operation with its zod
 * schemas. A client command such as `qa-pay charges get` needs only the outcome: names, flags and help texts. With the
 * values inlined, client commands load neither zod nor a native module, and start in half the time.
 */
export function precomputeCommandTree(): EsbuildPlugin {
  return {
    name: "precompute-command-tree",
    setup(build) {
      build.onLoad({ filter: moduleFilter }, async () => {
        const { commandNouns, commandsOf, bodyRoutes, inputs } = await evaluateCommandTree(build.esbuild);
        // Texts for JSON.parse are read faster than the same values written as code, and each only when asked for.
        const texts = Object.fromEntries(commandNouns.map(({ noun }) => [noun, toLiteral(commandsOf(noun))]));
        const contents = [
          `const texts = ${JSON.stringify(texts)};`,
          `export const commandNouns = ${toLiteral(commandNouns)};`,
          `export const commandsOf = (noun) => JSON.parse(Object.hasOwn(texts, noun) ? texts[noun] : "[]");`,
          `export const bodyRoutes = () => JSON.parse(${JSON.stringify(toLiteral(bodyRoutes()))});`,
        ].join("\n");
        return { contents, loader: "js", watchFiles: inputs };
      });
    },
  };
}

type CommandTree = Pick<typeof import("../src/cli/command-tree.js"), "commandNouns" | "commandsOf" | "bodyRoutes">;

/** Bundles the module with its sources, packages left out, and imports the result: TypeScript and .sql need no loader. */
async function evaluateCommandTree(esbuild: EsbuildApi): Promise<CommandTree & { inputs: string[] }> {
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
    const { commandNouns, commandsOf, bodyRoutes }: CommandTree = await import(pathToFileURL(file).href);
    return { commandNouns, commandsOf, bodyRoutes, inputs: Object.keys(bundle.metafile.inputs) };
  } finally {
    await rm(file, { force: true });
  }
}

/** JSON, refusing what JSON would lose without a word: the built command tree must equal the one the tests see. */
function toLiteral(value: object): string {
  return JSON.stringify(value, (key, value: unknown) => {
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
