import { describe, expect, test } from "vitest";
import { BROWSER_NEEDED, findChromium } from "../../scripts/chromium.mjs";

/**
 * A suite that drives a real browser, whose file it is given. Where there is none, the suite is one test that says how to
 * get one: it fails in CI, so that no build is green without these tests, and is skipped anywhere else.
 */
export function describeInBrowser(title: string, suite: (executablePath: string) => void): void {
  const executablePath = findChromium();
  if (executablePath !== undefined) {
    describe(title, () => suite(executablePath));
    return;
  }
  const isCi = Boolean(process.env.CI);
  if (!isCi) console.warn(`Skipped: ${title}. ${BROWSER_NEEDED}`);
  test.skipIf(!isCi)(title, () => expect.fail(BROWSER_NEEDED));
}
