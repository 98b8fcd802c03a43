import type { BrowserContextOptions, Page } from "playwright-core";
import { expect } from "vitest";
import { noteErrors } from "../support/browser.js";
import { testBrowser } from "../support/windows.js";

/** One browser for many pages of payers. It notes everything that no such page may do. */
export interface PayerBrowser {
  /**
   * Opens an address in a window that no other test uses now. `before` runs before the address is loaded, in a window
   * that nobody has used.
   */
  open(url: string, options?: BrowserContextOptions, before?: (page: Page) => Promise<unknown>): Promise<Page>;
  /** Ends the use of a window. */
  leave(page: Page): Promise<void>;
  /** Errors of scripts, errors in the console, and requests to another origin than the page's. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

export async function startPayerBrowser(executablePath: string): Promise<PayerBrowser> {
  const faults: string[] = [];
  /** The origin of the address that each window was opened with. */
  const origins = new WeakMap<Page, string>();
  const browser = await testBrowser(executablePath, (page) => {
    noteErrors(page, faults);
    page.on("request", (request) => {
      const asked = new URL(request.url());
      const isLoaded = request.isNavigationRequest() || asked.origin === origins.get(page);
      if (!isLoaded) faults.push(`asked ${request.url()}`);
    });
  });
  return {
    faults,
    leave: browser.leave,
    close: browser.close,
    async open(url, options = {}, before) {
      const given = { locale: "pt-BR", viewport: { width: 1280, height: 800 }, ...options };
      const page = await (before === undefined ? browser.window(given) : browser.fresh(given));
      origins.set(page, new URL(url).origin);
      await before?.(page);
      await page.goto(url);
      return page;
    },
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
  const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  await expect.poll(() => page.evaluate(excess)).toBe(0);
}
