/**
 * Notes that a database is as a server has left it, with the code of the server (src/db/known-file.ts): a server that starts on a
 * file that it does not know reads every row first, which takes ten minutes for ten million payments. What the seeder writes is
 * known to be right.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "tsup";

export async function rememberFile(file) {
  const outDir = mkdtempSync(join(tmpdir(), "qa-pay-known-"));
  try {
    const form = { format: "esm", outExtension: () => ({ js: ".mjs" }), platform: "node", noExternal: [/./] };
    const entry = { known: new URL("../src/db/known-file.ts", import.meta.url).pathname };
    await build({ config: false, silent: true, dts: false, splitting: false, entry, outDir, ...form });
    const known = await import(pathToFileURL(join(outDir, "known.mjs")).href);
    known.rememberFile(file);
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
