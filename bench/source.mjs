/**
 * Runs code of a file of the source as it is. It finds the packages of this repository, and the SQLite that comes along beside the
 * program that was built last.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsup";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CACHE = join(ROOT, "node_modules", ".cache", "qa-pay");

export async function withSource(file, use) {
  mkdirSync(CACHE, { recursive: true });
  const outDir = mkdtempSync(join(CACHE, "source-"));
  try {
    const form = { format: "esm", outExtension: () => ({ js: ".mjs" }), platform: "node", noExternal: [/./] };
    // tsup drops the `node:` prefix unless told not to, and node:sqlite exists under no other name.
    const plain = { config: false, silent: true, dts: false, splitting: false, removeNodeProtocol: false };
    await build({ ...form, ...plain, entry: { source: join(ROOT, file) }, outDir });
    symlinkSync(resolve(ROOT, "dist", "sqlite"), join(outDir, "sqlite"), "junction");
    return use(await import(pathToFileURL(join(outDir, "source.mjs")).href));
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
