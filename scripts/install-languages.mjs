// @ts-check
// `npm run languages`: installs the languages, frameworks and other programs that samples, tests and receivers need and that are missing,
// on Debian and Ubuntu as root. Only a developer or `.ci/run` starts it.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { installWithApt } from "./apt-get.mjs";
import { aptPackageOf, FRAMEWORKS, isInstalled, PROGRAMS } from "./programs.mjs";

const names = /** @type {import("./programs.mjs").ProgramName[]} */ (Object.keys(PROGRAMS));
const missing = names.filter((name) => !isInstalled(name));
const packages = missing.flatMap((name) => aptPackageOf(name) ?? []);
if (packages.length > 0 && !installWithApt(packages)) {
  console.error(`Could not install ${packages.join(", ")}.`);
  process.exitCode = 1;
}
if (missing.some((name) => aptPackageOf(name) === undefined)) {
  mkdirSync(FRAMEWORKS, { recursive: true });
  copyFileSync("scripts/frameworks/package.json", `${FRAMEWORKS}/package.json`);
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  execFileSync("npm", ["install", "--prefix", FRAMEWORKS, ...flags], { stdio: ["ignore", "ignore", "inherit"] });
}
