// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";

// The first is Chromium without windows, which Debian has: the same pages take a fifth less of the processor.
const linuxNames = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "microsoft-edge",
];
const macApps = ["Google Chrome", "Chromium", "Microsoft Edge"];
const windowsApps = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];

/** What to do where there is none. */
export const BROWSER_NEEDED =
  "The tests in test/browser need Chromium, Chrome or Edge. Install one, or set QA_PAY_CHROMIUM to its path; " +
  "`npm run browser` installs it on Debian and Ubuntu as root.";

/**
 * Finds the browser for the tests in test/browser: the file in QA_PAY_CHROMIUM, or without that variable an installed
 * Chromium, Chrome or Edge. Returns undefined when there is none, or when the file in QA_PAY_CHROMIUM does not exist.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  const named = env.QA_PAY_CHROMIUM;
  if (named) return existsSync(named) ? named : undefined;
  return usualPaths(env).find((path) => existsSync(path));
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
function usualPaths(env) {
  if (process.platform === "darwin") {
    const folders = ["/Applications", join(env.HOME ?? "/", "Applications")];
    return folders.flatMap((folder) => macApps.map((app) => `${folder}/${app}.app/Contents/MacOS/${app}`));
  }
  if (process.platform === "win32") {
    const folders = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].filter((path) => path != null);
    return folders.flatMap((folder) => windowsApps.map((app) => join(folder, app)));
  }
  const folders = (env.PATH ?? "").split(":").concat("/usr/bin", "/usr/local/bin", "/snap/bin");
  return linuxNames.flatMap((name) => folders.map((folder) => join(folder, name)));
}
