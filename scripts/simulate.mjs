// @ts-check
// `npm run simulate -- [flags]`: builds the simulation in test/simulation from the sources, and runs it.
// `npm run simulate -- --planted [part of a name]`: builds it with each fault of planted-faults.json in turn, and tells
// which of them a run finds. Other flags: `npm run simulate -- --help`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

// Inside node_modules, so that the built files find the packages.
const folder = join("node_modules", ".cache", "simulation");
/** What a fault may take until it is found: runs of this many steps, for this many seconds. */
const HUNT = ["--steps", "250", "--seconds", "60", "--no-shortening"];

/** @param {string} fault */
function build(fault = "") {
  const env = { ...process.env, SIMULATION_FOLDER: folder, SIMULATION_FAULT: fault };
  const args = ["node_modules/tsup/dist/cli-default.js", "--config", "scripts/simulation.config.ts", "--silent"];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (status !== 0) process.exit(status ?? 1);
}

/**
 * @param {readonly string[]} flags
 * @param {"inherit" | "pipe"} stdio
 */
function run(flags, stdio) {
  return spawnSync(process.execPath, [join(folder, "simulate.js"), ...flags], { stdio, encoding: "utf8" });
}

/** @param {string} part */
function hunt(part) {
  /** @type {{ name: string }[]} */
  const all = JSON.parse(readFileSync("scripts/planted-faults.json", "utf8"));
  const chosen = all.filter(({ name }) => name.includes(part));
  let found = 0;
  for (const { name } of chosen) {
    build(name);
    const { status, stdout } = run(HUNT, "pipe");
    if (status === 1) found += 1;
    const lines = stdout.split("\n").filter((line) => line !== "");
    console.log(`${status === 1 ? "found" : "MISSED"}  ${name}\n        ${(lines[1] ?? "").slice(0, 160)}`);
  }
  console.log(`\n${found} of ${chosen.length} planted faults were found.`);
  return found === chosen.length ? 0 : 1;
}

const [first, ...others] = process.argv.slice(2);
if (first === "--planted") process.exit(hunt(others.join(" ")));
build();
process.exit(run(process.argv.slice(2), "inherit").status ?? 1);
