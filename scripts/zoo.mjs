// @ts-check
// Usage: node scripts/zoo.mjs [wrong|unseen|right] [NAME …] [--schedules N] [--aimed] [--restart]
// Builds the zoo of test/zoo with the sources, and prints what `survive` finds in its shops.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

// Inside node_modules, so that the built files find the packages.
const folder = join("node_modules", ".cache", "zoo");
mkdirSync(folder, { recursive: true });

/** @param {readonly string[]} args */
function node(args) {
  const env = { ...process.env, SIMULATION_FOLDER: folder };
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

node(["node_modules/tsup/dist/cli-default.js", "--config", "scripts/simulation.config.ts", "--silent"]);
node([join(folder, "zoo.js"), ...process.argv.slice(2)]);
