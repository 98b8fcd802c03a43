// @ts-check
// `npm run browser`: installs Chromium for the tests in test/browser, where the system's package manager is apt-get and
// no password is needed. Only a developer or `.ci/run` starts it.
import { installWithApt } from "./apt-get.mjs";
import { BROWSER_NEEDED, findChromium } from "./chromium.mjs";

/** Ubuntu has no package of Chromium without windows. */
const install = () => installWithApt(["chromium-headless-shell"]) || installWithApt(["chromium"]);

const known = findChromium();
if (known !== undefined) console.log(`The browser tests will use ${known}.`);
else if (process.env.QA_PAY_CHROMIUM || !install() || findChromium() === undefined) {
  console.error(BROWSER_NEEDED);
  process.exitCode = 1;
}
