// @ts-check
// `npm run browser`: installs Chromium for the tests in test/browser, where the system's package manager is apt-get and
// no password is needed. It runs only when somebody asks for it: a developer, or `.ci/run`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { BROWSER_NEEDED, findChromium } from "./chromium.mjs";

const known = findChromium();
if (known !== undefined) console.log(`The browser tests will use ${known}.`);
else if (!installWithApt()) {
  console.error(BROWSER_NEEDED);
  process.exitCode = 1;
}

/** Whether there is a browser afterwards. */
function installWithApt() {
  const isRoot = process.getuid?.() === 0;
  if (process.env.QA_PAY_CHROMIUM || !isRoot || !existsSync("/etc/debian_version")) return false;
  console.log("Installing Chromium with apt-get.");
  const install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
  return (aptGet(install) || (aptGet(["update", "-qq"]) && aptGet(install))) && findChromium() !== undefined;
}

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { env, stdio: "ignore", timeout: 300_000 }).status === 0;
}
