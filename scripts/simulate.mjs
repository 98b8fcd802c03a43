// @ts-check
// Usage: node scripts/simulate.mjs simulate|zoo [flags]
// Builds the simulation of test/simulation and the zoo of test/zoo from the sources, and runs one of them: `npm run simulate -- --help`.
// The zoo prints what `survive` finds in its shops: zoo [wrong|unseen|right] [NAME …] [--schedules N] [--aimed] [--restart].
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const [program = "simulate", ...flags] = process.argv.slice(2);
// Inside node_modules, so that the built files find the packages.
const folder = join("node_modules", ".cache", program);

/** @param {readonly string[]} args */
function run(args) {
  const env = { ...process.env, SIMULATION_FOLDER: folder };
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
run(["node_modules/tsup/dist/cli-default.js", "--config", "scripts/simulation.config.ts", "--silent"]);
run([join(folder, `${program}.js`), ...flags]);
