import axe from "axe-core";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSite } from "../../src/docs-site/site.js";
import { serveSite } from "../../src/docs-site/site-server.js";
import { describeInBrowser } from "../support/browser.js";
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
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
    });
    await page.goto(server.url + path);
    return { page, errors, elsewhere };
  }

  async function search(page: Page, text: string): Promise<string[]> {
    await page.getByRole("searchbox").fill(text);
    await page.locator(".found > *").first().waitFor();
    return page.locator(".found a").evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
  }

  test("the search finds a page by a word of it, and leads there", async () => {
    const { page, errors, elsewhere } = await opened("/service/refunds.html");
    const found = await search(page, "dedupl");
    expect(found.some((address) => address.includes("guides/deduplicate.html"))).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\.html/);
    expect([errors, elsewhere]).toEqual([[], []]);
    await browser.leave(page);
  });

  test("the search in Portuguese needs no accents, and says when there is nothing", async () => {
    const { page, errors } = await opened("/pt-br/guides/quick-start.html", { locale: "pt-BR" });
    const found = await search(page, "devolucao parcial");
    expect(found.length + (await page.locator(".found p").count())).toBeGreaterThan(0);
    expect((await search(page, "devolucoes")).some((address) => address.includes("pt-br/guides/refunds.html"))).toBe(
      true,
    );
    await page.getByRole("searchbox").fill("zzzzzzzzzz");
    await page.getByText("Nada encontrado.").waitFor();
    expect(errors).toEqual([]);
    await browser.leave(page);
  });

  test.each(["/guides/quick-start.html", "/pt-br/guides/simulate.html", "/service/charges.html"])(
    "%s fits a narrow and a wide screen, and is accessible",
    async (path) => {
      const { page, errors } = await opened(path, { viewport: { width: 360, height: 800 } });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
      expect(errors).toEqual([]);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(document, { runOnly: ["wcag2a", "wcag2aa"] }),
      );
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)])).toEqual([]);
      await browser.leave(page);
    },
  );

  test("everything can be read without script", async () => {
    const { page } = await opened("/", { javaScriptEnabled: false });
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.getByRole("searchbox").isVisible()).toBe(false);
    await page.getByRole("link", { name: "Quick start" }).first().click();
    expect(page.url()).toBe(`${server.url}/guides/quick-start.html`);
    await page.getByRole("link", { name: "Português" }).click();
    expect(page.url()).toBe(`${server.url}/pt-br/guides/quick-start.html`);
    await browser.leave(page);
  });
});
