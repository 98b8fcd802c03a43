// @ts-check
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/**
 * Installs packages of Debian where no password is needed for that: on Debian and Ubuntu, as root. Returns whether it did.
 * @param {readonly string[]} packages
 */
export function installWithApt(packages) {
  if (process.getuid?.() !== 0 || !existsSync("/etc/debian_version")) return false;
  console.log(`Installing ${packages.join(", ")} with apt-get.`);
  const install = ["install", "-y", "-qq", "--no-install-recommends", ...packages];
  return aptGet(install) || (aptGet(["update", "-qq"]) && aptGet(install));
}

/** @param {readonly string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { env, stdio: "ignore", timeout: 300_000 }).status === 0;
}
