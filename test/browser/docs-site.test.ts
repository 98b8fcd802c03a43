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

  test("what the search finds is as wide as a narrow screen", async () => {
    const { page } = await opened("/", { viewport: { width: 360, height: 800 } });
    await search(page, "half refund");
    expect((await page.locator(".found").boundingBox())?.width).toBeGreaterThan(320);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
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

  const chosen = (page: Page) =>
    page.locator(".tabs > input:checked").evaluateAll((all) => all.map((one) => one.getAttribute("value")));

  test("a language that is chosen by keyboard is shown in every choice, and stays on the next page", async () => {
    const { page, errors } = await opened("/guides/integrate.html");
    expect(await chosen(page)).toEqual(["Node", "Node"]);
    await page.locator("#choose-node").focus();
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => chosen(page)).toEqual(["Python", "Python"]);
    await expect.poll(() => page.getByText("python3 create_charge.py", { exact: true }).isVisible()).toBe(true);
    await expect.poll(() => page.getByText("node create-charge.mjs", { exact: true }).isVisible()).toBe(false);
    await page.goto(`${server.url}/pt-br/guides/webhooks.html`);
    await expect.poll(() => chosen(page)).toEqual(["Python"]);
    expect(errors).toEqual([]);
    await browser.leave(page);
  });

  test("an old address leads to the language that it was about", async () => {
    const { page, errors } = await opened("/guides/webhooks-go.html");
    await page.waitForURL(/webhooks\.html#go$/);
    await expect.poll(() => chosen(page)).toEqual(["Go"]);
    await expect.poll(() => page.getByText("go run receiver.go").first().isVisible()).toBe(true);
    expect(errors).toEqual([]);
    await browser.leave(page);
  });

  test("without script a language is chosen by its name, and a link to one shows it", async () => {
    const { page } = await opened("/guides/webhooks.html", { javaScriptEnabled: false });
    const start = (name: string) => page.getByText(name, { exact: true }).isVisible();
    await expect.poll(() => start("ruby receiver.rb")).toBe(false);
    await page.locator("label", { hasText: "Ruby" }).click();
    await expect.poll(() => start("ruby receiver.rb")).toBe(true);
    await page.goto(`${server.url}/guides/webhooks.html#java`);
    await expect.poll(() => start("java Receiver.java")).toBe(true);
    await browser.leave(page);
  });

  test.each(["/index.html", "/guides/webhooks.html", "/pt-br/guides/simulate.html", "/service/charges.html"])(
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
