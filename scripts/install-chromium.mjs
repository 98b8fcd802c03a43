// @ts-check
// Runs before `npm test`: sees to it that the browser tests have a browser, and never stops the other tests.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findChromium } from "./chromium.mjs";

const named = process.env.QA_PAY_CHROMIUM;
if (findChromium() === undefined && (named || !installWithApt())) {
  const looked = named ? `QA_PAY_CHROMIUM names no file: ${named}` : "No Chromium or Chrome found";
  console.log(`${looked}. Browser tests will be reported as not run; install one, or set QA_PAY_CHROMIUM to its path.`);
}

/** Installs the distribution's Chromium where that takes no password; true when there is one afterwards. */
function installWithApt() {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !existsSync("/etc/debian_version")) return false;
  console.log("No Chromium found: installing it with apt-get, for the browser tests.");
  const install = ["install", "-y", "-qq", "--no-install-recommends", "chromium"];
  return (aptGet(install) || (aptGet(["update", "-qq"]) && aptGet(install))) && findChromium() !== undefined;
}

/** @param {string[]} args */
function aptGet(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", args, { env, stdio: "ignore", timeout: 300_000 }).status === 0;
}
