import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Options } from "tsup";
import { rawText } from "./raw-text.js";

export type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];
export type EsbuildApi = Parameters<EsbuildPlugin["setup"]>[0]["esbuild"];

/** Modules that export nothing but plain values, which follow from the registry. */
const EVALUATED =
  /[\\/]src[\\/](programs[\\/]cli[\\/]tree[\\/](command-tree|help-texts|route-table)|web[\\/]console[\\/]browser[\\/]facts[\\/](routes|commands))\.ts$/;

/** Bundles a module without its packages, and imports the bundle, because Node cannot import TypeScript. */
async function evaluate(
  esbuild: EsbuildApi,
  path: string,
): Promise<{ values: Readonly<Record<string, object>>; inputs: string[] }> {
  const bundle = await esbuild.build({
    entryPoints: [path],
    bundle: true,
    write: false,
    metafile: true,
    logLevel: "silent",
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    plugins: [rawText()],
  });
  const code = bundle.outputFiles[0]?.contents ?? "";

  // The file is inside node_modules, so that it can import the packages. Its name is its own: builds run at the same time, in one
  // process or in several, and Node imports a name only once.
  const folder = join("node_modules", ".cache", "qa-pay");
  const file = join(folder, `${basename(path, ".ts")}-${randomUUID()}.mjs`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, code);
  try {
    return { values: await import(pathToFileURL(file).href), inputs: Object.keys(bundle.metafile.inputs) };
  } finally {
    await rm(file, { force: true });
  }
}

/** Writes a value as JSON. Throws when JSON would lose a part of it: the build must equal the source that is tested. */
function toLiteral(value: object): string {
  return JSON.stringify(value, (key, value: unknown) => {
    if (isPlainData(value)) return value;
    throw new Error(`"${key}" is not plain data (${typeof value}), so the build cannot write it`);
  });
}

function isPlainData(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return ["string", "boolean", "undefined"].includes(typeof value);
  return value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/**
 * Replaces modules by their values. In the source these follow from the registry, so they load all operations with their
 * schemas. A page cannot load them, and a command such as `charges get` would take twice as long.
 */
export function evaluateModules(): EsbuildPlugin {
  return {
    name: "evaluated-modules",
    setup(build) {
      build.onLoad({ filter: EVALUATED }, async ({ path }) => {
        const { values, inputs } = await evaluate(build.esbuild, path);
        // A text for JSON.parse loads faster than code.
        const lines = Object.entries(values).map(
          ([name, value]) => `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(toLiteral(value))});`,
        );
        return { contents: lines.join("\n"), loader: "js", watchFiles: inputs };
      });
    },
  };
}
