// @ts-check
// Installs the languages of examples/receivers that are missing, on Debian as root. `.ci/run` calls it; nothing else does.
import { installWithApt } from "./apt-get.mjs";
import { withoutLanguage } from "./receivers.mjs";

const missing = withoutLanguage();
if (missing.length > 0 && !installWithApt(missing.map(({ aptPackage }) => aptPackage))) {
  console.error(`Could not install ${missing.map(({ language }) => language).join(", ")}.`);
  process.exitCode = 1;
}
