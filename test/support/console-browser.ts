import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterEach, expect } from "vitest";
import type { Language } from "../../src/base/kernel/language.js";
import { consoleUrlOf } from "./console.js";
import type { TestEmulator } from "./emulator.js";
import { shared } from "./shared.js";
import { testBrowser } from "./windows.js";

/** The console in a real browser, as its tests use it. */

export interface ConsoleBrowser {
  /** Opens a page of the console, such as `/console/charges`, in a window with a session that no other test uses now. */
  open(path: string, options?: WindowOptions): Promise<Page>;
  /** Ends the use of all windows: their pages are gone, and later tests open others in them. */
  leaveAll(): Promise<void>;
  /** Faults in any window: errors of scripts, lines in the console, requests to another origin. */
  readonly errors: string[];
  close(): Promise<void>;
}

export interface WindowOptions {
  readonly width?: number;
  readonly language?: Language;
  readonly scheme?: "light" | "dark";
}

/** Notes what must not happen in a window. */
function watch(page: Page, origin: string, errors: string[]): void {
  page.on("pageerror", (error) => errors.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    // A refusal of the service is a line in the console of the browser too, and it is what some tests want.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      errors.push(`${page.url()}: ${message.text()}`);
    }
  });
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !address.startsWith("data:") && !address.startsWith("blob:")) {
      errors.push(`${page.url()} asked ${address}`);
    }
  });
}

export async function launchConsole(executablePath: string, emulator: TestEmulator): Promise<ConsoleBrowser> {
  const errors: string[] = [];
  const browser = await testBrowser(executablePath, (page) => {
    page.setDefaultTimeout(30_000);
    watch(page, emulator.url, errors);
  });
  return {
    errors,
    leaveAll: browser.leaveAll,
    close: browser.close,
    async open(path, { width = 1280, language = "en", scheme = "light" } = {}) {
      const viewport = { width, height: 900 };
      const page = await browser.window({ viewport, colorScheme: scheme, locale: language });
      await page.goto(`${consoleUrlOf(emulator)}&to=${encodeURIComponent(path.replace("/console/", ""))}`);
      await page.locator("main h1").waitFor();
      return page;
    },
  };
}

/** Waits until the page hears what happens on the server. */
export async function isLive(page: Page): Promise<void> {
  await page.locator(".connection-live").waitFor();
}

/** Chooses how a list follows what happens. */
export async function follow(page: Page, mode: "Auto-update" | "Follow" | "Paused"): Promise<void> {
  await page.locator(".follow [aria-haspopup]").click();
  await page.getByRole("menuitemradio", { name: new RegExp(`^${mode}`) }).click();
}

/** Chooses a value of a filter, which acts at once. */
export async function filterBy(page: Page, filter: string, value: string): Promise<void> {
  await page
    .locator("search")
    .getByRole("button", { name: new RegExp(`^${filter}(:|$)`) })
    .click();
  await page.getByRole("menuitemradio", { name: value, exact: true }).click();
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The console of the tests of a file. Windows are left after each test: one that stays open would read everything again after
 * each change of a later test.
 */
export function sharedConsole(executablePath: string, emulator: TestEmulator): ConsoleBrowser {
  const open = shared(() => launchConsole(executablePath, emulator));
  afterEach(() => open.leaveAll());
  return open;
}

/** Options of axe. The details of what is right would take most of the time. */
const RUNS = {
  all: "{ resultTypes: ['violations'] }",
  /** The rules that can find something else when only the theme has changed. */
  colours: "{ runOnly: ['color-contrast', 'link-in-text-block'], resultTypes: ['violations'] }",
};

/** The text of a page: all of it, or without the parts that every page has. `every-page.test.ts` looks at all of it. */
const PARTS = { whole: "document", own: "{ exclude: [['header.top'], ['nav.menu'], ['nav.foot']] }" };

/** In the page: resolves when no colour is on its way to another one, which is no colour to judge. */
const AT_REST = `Promise.allSettled(
  document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished),
)`;

/**
 * In the page: what axe finds, in words; null when axe is not there yet. The words are made there, because the whole result
 * is far longer, and to hand it over takes longer than some of the rules.
 */
const findingsOf = (part: string, options: string) => `(async () => {
  if (typeof axe === "undefined") return null;
  await ${AT_REST};
  const { violations } = await axe.run(${part}, ${options});
  return violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 160)).join(" | "));
})()`;

/** Checks the accessibility of what a page shows now: by every rule of axe, or by those that another theme can concern. */
export async function expectAccessible(
  page: Page,
  rules: keyof typeof RUNS = "all",
  part: keyof typeof PARTS = "own",
): Promise<void> {
  const look = () => page.evaluate<readonly string[] | null>(findingsOf(PARTS[part], RUNS[rules]));
  const first = await look();
  if (first === null) await page.evaluate(AXE);
  expect(first ?? (await look()), `${page.url()} at ${page.viewportSize()?.width}`).toEqual([]);
}
