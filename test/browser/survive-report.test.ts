import axe from "axe-core";
import { expect, test } from "vitest";
import { reportHtml } from "../../src/checks/survive/report/report-html.js";
import { FACTS } from "../checks/survive/report-facts.js";
import { describeInBrowser } from "../support/browser.js";
import { shared } from "../support/shared.js";
import { testBrowser } from "../support/windows.js";

/** The report of `survive` as a person sees it: in its own style, on narrow and wide screens, light and dark. */

describeInBrowser("the report of survive", (executablePath) => {
  const browser = shared(() => testBrowser(executablePath));

  test.each([
    [360, "light"],
    [1280, "dark"],
  ] as const)("fits a width of %d in %s, has its style, and no fault that axe knows", async (width, colorScheme) => {
    const page = await browser.fresh({ viewport: { width, height: 800 }, colorScheme });
    await page.setContent(reportHtml(FACTS));
    await page.getByRole("heading", { level: 1, name: "1 of 2 faults survived" }).waitFor();
    await page.getByText("2 schedules and the faults of each").click();
    await page.getByRole("cell", { name: "fulfilled_twice" }).last().waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.verdict')).borderLeftWidth")).toBe("6px");
    await page.evaluate(axe.source);
    const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as axe.AxeResults;
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    await browser.leave(page);
  });
});
