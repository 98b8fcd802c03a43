// @ts-check
// Usage: node scripts/package-budget.mjs <qa-pay-x.y.z.tgz> <folder where it is installed>
// Fails when the package has become larger than it may be: a first `npx qa-pay serve` waits for all of it. The SQLite that is used where Node has none is a part of it.
import assert from "node:assert/strict";
import { lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** qa-pay, and the library for the system's keychain with its native part. */
const PACKAGES = 3;
const INSTALLED_MB = 38.7;
const TARBALL_KB = 14_200;

const [tarball, folder] = process.argv.slice(2);
assert(tarball && folder, "Name the packed package and the folder where it is installed");

/** @type {{ packages: Record<string, { hasInstallScript?: boolean }> }} */
const { packages } = JSON.parse(readFileSync(join(folder, "node_modules", ".package-lock.json"), "utf8"));
const names = Object.keys(packages);
const scripts = names.filter((name) => packages[name]?.hasInstallScript === true);
const mb = names.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0) / 1_000_000;
const kb = statSync(tarball).size / 1_000;
const reported = `${names.length} packages, ${mb.toFixed(1)} MB installed, ${Math.round(kb)} KB packed`;
assert(names.length <= PACKAGES, `${PACKAGES} packages may be installed: ${reported} (${names.join(", ")})`);
assert.deepEqual(scripts, [], "These packages run a script when they are installed");
assert(mb <= INSTALLED_MB, `The installed packages may have ${INSTALLED_MB} MB: ${reported}`);
assert(kb <= TARBALL_KB, `The packed package may have ${TARBALL_KB} KB: ${reported}`);
console.log(reported);

/**
 * Returns the size of a folder's files on a disk whose blocks are 4 KB.
 * @param {string} folder
 * @returns {number}
 */
function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + Math.ceil(lstatSync(join(folder, name)).size / 4_096) * 4_096,
    0,
  );
}
