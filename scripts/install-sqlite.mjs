// @ts-check
// Usage: node scripts/install-sqlite.mjs
// Installs the package whose native binaries qa-pay brings along. npm runs this after an install in this repository (the script
// `dependencies`), and a build does where that has not been done. As `prepare`, npm would report to everybody who installs qa-pay that
// it has such a script. The package names Node 22 as the oldest, and no operating system but three: as a dependency of this
// repository, it would be a warning for everybody who installs on Node 20, and an error on other systems; as an optional one, npm
// leaves it out on Node 20, which is the Node that needs it.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ASKED = "scripts/sqlite";
/** `npm ci` removes it with all of node_modules. */
const HOME = "node_modules/.cache/qa-pay/sqlite";
/** Where the installed packages are. */
export const SQLITE_PACKAGES = join(HOME, "node_modules");
const BINARIES = join(SQLITE_PACKAGES, "@photostructure", "sqlite", "prebuilds");

/** Does nothing when what the lock file names is there. */
export function installSqlite() {
  const lockOf = (/** @type {string} */ folder) => readFileSync(join(folder, "package-lock.json"), "utf8");
  // npm writes this file when all is installed.
  if (existsSync(join(SQLITE_PACKAGES, ".package-lock.json")) && lockOf(HOME) === lockOf(ASKED)) return;
  mkdirSync(HOME, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(ASKED, name), join(HOME, name));
  const flags = ["--force", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const shell = process.platform === "win32";
  execFileSync("npm", ["ci", "--prefix", HOME, ...flags], { shell, stdio: ["ignore", "ignore", "inherit"] });
}

/**
 * Copies the binaries into a folder of the build. One that is there already is left alone, because a running server may have
 * loaded it.
 * @param {string} folder
 */
export function copySqlite(folder) {
  installSqlite();
  const sizeOf = (/** @type {string} */ file) => statSync(file, { throwIfNoEntry: false })?.size;
  for (const name of readdirSync(BINARIES, { recursive: true, encoding: "utf8" })) {
    const [from, to] = [join(BINARIES, name), join(folder, name)];
    if (!name.endsWith(".node") || sizeOf(from) === sizeOf(to)) continue;
    mkdirSync(dirname(to), { recursive: true });
    rmSync(to, { force: true });
    copyFileSync(from, to);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installSqlite();
