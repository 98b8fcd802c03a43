// @ts-check
// `npm run languages`: installs the languages of examples/receivers and the tools of the guides that are missing, on Debian and
// Ubuntu as root. It runs only when somebody asks for it: a developer, or `.ci/run`.
import { spawnSync } from "node:child_process";
import { installWithApt } from "./apt-get.mjs";
import { withoutLanguage } from "./receivers.mjs";

/** Programs of the guides besides the languages. Their packages of Debian have the same names. */
const TOOLS = ["sqlite3"];

const missing = [
  ...withoutLanguage().map(({ language, aptPackage }) => ({ name: language, aptPackage })),
  ...TOOLS.filter((name) => spawnSync(name, ["--version"]).status !== 0).map((name) => ({ name, aptPackage: name })),
];
if (missing.length > 0 && !installWithApt(missing.map(({ aptPackage }) => aptPackage))) {
  console.error(`Could not install ${missing.map(({ name }) => name).join(", ")}.`);
  process.exitCode = 1;
}
