// @ts-check
// `npm run languages`: installs the languages and other programs that samples, tests and receivers need and that are missing,
// on Debian and Ubuntu as root. Only a developer or `.ci/run` starts it.
import { installWithApt } from "./apt-get.mjs";
import { isInstalled, PROGRAMS } from "./programs.mjs";

const names = /** @type {import("./programs.mjs").ProgramName[]} */ (Object.keys(PROGRAMS));
const missing = names.filter((name) => !isInstalled(name));
if (missing.length > 0 && !installWithApt(missing.map((name) => PROGRAMS[name].aptPackage))) {
  console.error(`Could not install ${missing.join(", ")}.`);
  process.exitCode = 1;
}
