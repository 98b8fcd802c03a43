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
  // Another program may be installing something. A kill in the middle would leave a machine on which nothing can be installed.
  const all = ["-o", "DPkg::Lock::Timeout=300", ...args];
  return spawnSync("apt-get", all, { env, stdio: "ignore", timeout: 1_200_000 }).status === 0;
}
