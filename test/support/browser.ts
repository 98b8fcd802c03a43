import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { BROWSER_NEEDED, findChromium } from "../../scripts/chromium.mjs";
import { BROWSER, leftOut } from "./left-out.js";

/**
 * A suite that drives a real browser, whose file it is given. Where there is none, the suite is one test that fails in CI,
 * so that no build is green without these tests. Anywhere else it is left out, and the notice at the end of the run says how
 * to get a browser.
 */
export function describeInBrowser(title: string, suite: (executablePath: string) => void): void {
  const executablePath = findChromium();
  if (executablePath !== undefined) {
    describe(title, () => suite(executablePath));
    return;
  }
  test(title, (context) => {
    if (process.env.CI) expect.fail(BROWSER_NEEDED);
    leftOut(context, { needs: BROWSER, what: context.task.file.name });
    context.skip("needs a browser");
  });
}

/** Adds to `errors` what goes wrong in the scripts of a page, and what its console says of it. */
export function noteErrors(page: Page, errors: string[]): void {
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
}
