import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

/** One browser for many pages of payers. It notes everything that no such page may do. */
export interface PayerBrowser {
  /** Opens an address in a window of its own. `before` runs before the address is loaded. */
  open(url: string, options?: BrowserContextOptions, before?: (page: Page) => Promise<unknown>): Promise<Page>;
  /** Errors of scripts, errors in the console, and requests to another origin than the page's. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export async function startPayerBrowser(executablePath: string): Promise<PayerBrowser> {
  const browser: Browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const faults: string[] = [];
  return {
    faults,
    async open(url, options = {}, before = async () => undefined) {
      const context = await browser.newContext({ locale: "pt-BR", viewport: { width: 1280, height: 800 }, ...options });
      const page = await context.newPage();
      const { origin } = new URL(url);
      page.on("pageerror", (error) => faults.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") faults.push(message.text());
      });
      page.on("request", (request) => {
        const asked = new URL(request.url());
        const isLoaded = request.isNavigationRequest() || asked.origin === origin;
        if (!isLoaded) faults.push(`asked ${request.url()}`);
      });
      await before(page);
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}

/** Waits until an element has a text. */
export async function expectText(page: Page, selector: string, text: string | RegExp): Promise<void> {
  await page.locator(selector).filter({ hasText: text }).waitFor({ state: "attached" });
}

/** Lets the page believe that its tab was hidden or shown. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(`Object.defineProperty(document, "hidden", { value: ${hidden}, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));`);
}

/** Checks that nothing of a page is wider than its window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  expect(await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
}
