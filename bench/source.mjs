/** Runs code of a file of the source as it is. It finds the packages of this repository, and the SQLite that comes along. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "tsup";
import { copySqlite } from "../scripts/install-sqlite.mjs";

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
    copySqlite(join(outDir, "sqlite"));
    return use(await import(pathToFileURL(join(outDir, "source.mjs")).href));
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
