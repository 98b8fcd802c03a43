import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSite } from "../../src/web/docs/site.js";
import { serveSite } from "../../src/web/docs/site-server.js";
import { describeInBrowser, noteErrors } from "../support/browser.js";
import { type TestBrowser, testBrowser } from "../support/windows.js";

describeInBrowser("the documentation in a real browser", (executablePath) => {
  let server: Awaited<ReturnType<typeof serveSite>>;
  let browser: TestBrowser;

  beforeAll(async () => {
    server = await serveSite(await openSite(), 0);
    browser = await testBrowser(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close(0);
  });

  /** A page, with what went wrong in it and what it asked for. */
  async function opened(path: string, options: BrowserContextOptions = {}) {
    const page = await browser.fresh(options);
    const errors: string[] = [];
    const elsewhere: string[] = [];
    noteErrors(page, errors);
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
    });
    await page.goto(server.url + path);
    return { page, errors, elsewhere };
  }

  async function search(page: Page, text: string): Promise<void> {
    await page.getByRole("searchbox").fill(text);
    await page.locator(".found > *").first().waitFor();
  }

  test("the search finds a page by a word of it, and leads there", async () => {
    const { page, errors, elsewhere } = await opened("/service/refunds.html");
    await search(page, "dedupl");
    await page.locator('.found a[href*="guides/deduplicate.html"]').first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\.html/);
    expect([errors, elsewhere]).toEqual([[], []]);
    await browser.leave(page);
  });

  test("the search in Portuguese needs no accents, and says when there is nothing", async () => {
    const { page, errors } = await opened("/pt-br/guides/quick-start.html", { locale: "pt-BR" });
    await search(page, "devolucao parcial");
    await search(page, "devolucoes");
    await page.locator('.found a[href*="pt-br/guides/refunds.html"]').first().waitFor();
    await page.getByRole("searchbox").fill("zzzzzzzzzz");
    await page.getByText("Nada encontrado.").waitFor();
    expect(errors).toEqual([]);
    await browser.leave(page);
  });

  test.each(["/pt-br/guides/simulate.html", "/service/charges.html"])(
    "%s fits a narrow and a wide screen, and is accessible",
    async (path) => {
      const { page, errors } = await opened(path, { viewport: { width: 360, height: 800 } });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
      await page.setViewportSize({ width: 1280, height: 900 });
      await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
      expect(errors).toEqual([]);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
          runOnly: ["wcag2a", "wcag2aa"],
          resultTypes: ["violations"],
        }),
      );
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)])).toEqual([]);
      await browser.leave(page);
    },
  );

  test("everything can be read without script", async () => {
    const { page } = await opened("/", { javaScriptEnabled: false });
    await expect.poll(() => page.getByRole("heading", { level: 1 }).count()).toBe(1);
    await expect.poll(() => page.getByRole("searchbox").isVisible()).toBe(false);
    await page.getByRole("link", { name: "Quick start" }).first().click();
    await expect.poll(() => page.url()).toBe(`${server.url}/guides/quick-start.html`);
    await page.getByRole("link", { name: "Português" }).click();
    await expect.poll(() => page.url()).toBe(`${server.url}/pt-br/guides/quick-start.html`);
    await browser.leave(page);
  });
});
