// @ts-check
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { inFolder } from "./smoke.mjs";

/** npm, npx and tsc are .cmd files on Windows. */
export const shell = process.platform === "win32";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

/** Whether this Node has SQLite, and needs no flag for it. */
export const hasOwnSqlite = major > 23 || (major === 23 && minor >= 4) || (major === 22 && minor >= 13);

/**
 * Installs a packed package in an empty folder, as a user would. Runs `check`, and then removes the folder.
 * @param {string} tarball
 * @param {NodeJS.ProcessEnv} env
 * @param {(folder: string) => void | Promise<void>} check
 */
export async function withInstalled(tarball, env, check) {
  await inFolder(async (folder) => {
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const args = ["install", "--no-audit", "--no-fund", "--prefer-offline", resolve(tarball)];
    execFileSync("npm", args, { cwd: folder, env: { ...process.env, ...env }, shell, stdio: "inherit" });
    await check(folder);
  });
}
