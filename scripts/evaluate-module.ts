import { randomUUID } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Options } from "tsup";
import { rawText } from "./raw-text.js";

/** Evaluates a module of the source during the build, so that the build can replace the module by its values. */

export type EsbuildPlugin = NonNullable<Options["esbuildPlugins"]>[number];
export type EsbuildApi = Parameters<EsbuildPlugin["setup"]>[0]["esbuild"];

/** Bundles a module without its packages, and imports the bundle, because Node cannot import TypeScript. */
export async function evaluate<Values>(
  esbuild: EsbuildApi,
  path: string,
): Promise<{ values: Values; inputs: string[] }> {
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
    const values: Values = await import(pathToFileURL(file).href);
    return { values, inputs: Object.keys(bundle.metafile.inputs) };
  } finally {
    await rm(file, { force: true });
  }
}

/** Writes a value as JSON. Throws when JSON would lose a part of it: the build must equal the source that is tested. */
export function toLiteral(value: object): string {
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
