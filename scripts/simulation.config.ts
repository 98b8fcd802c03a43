import { join } from "node:path";
import { defineConfig } from "tsup";
import { copySqlite } from "./install-sqlite.mjs";
import { rawText } from "./raw-text.js";

const outDir = process.env.SIMULATION_FOLDER ?? "";
copySqlite(join(outDir, "sqlite"));

/** Builds the simulation of test/simulation and the zoo of test/zoo into one folder, with the sources of the service. */
export default defineConfig({
  entry: { simulate: "test/simulation/main.ts", zoo: "test/zoo/main.ts" },
  outDir,
  format: "esm",
  platform: "node",
  target: "node20",
  splitting: true,
  dts: false,
  removeNodeProtocol: false,
  external: ["better-sqlite3"],
  skipNodeModulesBundle: true,
  esbuildPlugins: [rawText()],
});
