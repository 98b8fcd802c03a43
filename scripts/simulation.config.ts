import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { defineConfig, type Options } from "tsup";
import { copySqlite } from "./install-sqlite.mjs";
import planted from "./planted-faults.json" with { type: "json" };
import { rawText } from "./raw-text.js";

/** Puts one of the faults of `planted-faults.json` into the sources while they are built. */
function plant(name: string): NonNullable<Options["esbuildPlugins"]>[number] {
  const found = planted.find((one) => one.name === name);
  if (found === undefined) throw new Error(`planted-faults.json has no fault called: ${name}`);
  const { file, find, replace } = found;
  const whole = resolve(file);
  return {
    name: "planted-fault",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path !== whole) return undefined;
        const text = await readFile(path, "utf8");
        if (text.split(find).length !== 2) throw new Error(`${file} does not hold this text exactly once: ${find}`);
        return { contents: text.replace(find, () => replace), loader: "ts" };
      });
    },
  };
}

const outDir = process.env.SIMULATION_FOLDER ?? "";
copySqlite(join(outDir, "sqlite"));

const fault = process.env.SIMULATION_FAULT ?? "";

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
  esbuildPlugins: [rawText(), ...(fault === "" ? [] : [plant(fault)])],
});
