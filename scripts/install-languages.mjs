// @ts-check
// `npm run languages`: installs the languages of examples/receivers that are missing, on Debian and Ubuntu as root. It runs
// only when somebody asks for it: a developer, or `.ci/run`.
import { installWithApt } from "./apt-get.mjs";
import { withoutLanguage } from "./receivers.mjs";

const missing = withoutLanguage();
if (missing.length > 0 && !installWithApt(missing.map(({ aptPackage }) => aptPackage))) {
  console.error(`Could not install ${missing.map(({ language }) => language).join(", ")}.`);
  process.exitCode = 1;
}
