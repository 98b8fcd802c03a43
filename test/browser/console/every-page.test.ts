import type { Page } from "playwright-core";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { testCli } from "../../support/cli.js";
import { expectAccessible, launchConsole } from "../../support/console-browser.js";
import { pageAddresses, pageLetters, viewAddresses } from "../../support/console-menu.js";
import { arrive, goByKeys, goWithin } from "../../support/console-visits.js";
import { fillWithHostileTexts } from "../../support/hostile-objects.js";
import { PATIENCE } from "../../support/patience.js";
import { shared, sharedEmulator, sharedReceiver } from "../../support/shared.js";

/** What holds for all pages of the console. The list of pages is the menu, so that a new page is tested without a line here. */

/** The languages as the palette names them. */
const LANGUAGES = { English: "en", Português: "pt-BR" } as const;
type Language = keyof typeof LANGUAGES;

/** Pages that the menu does not name. */
const OTHERS = ["/console/no-such-page", "/console/go/nothing-like-this"];

/** In the page: the elements that make the document wider than the window; none when it is not. */
const TOO_WIDE = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isClipped = (one) => one !== null && (getComputedStyle(one).overflowX !== "visible" || isClipped(one.parentElement));
  const found = [...document.querySelectorAll("body *")].filter(
    (one) => one.getBoundingClientRect().right > clientWidth && !isClipped(one.parentElement),
  );
  return [scrollWidth + " pixels", ...found.map((one) => one.outerHTML.slice(0, 120))];
})()`;

/** What a page of an object or of the menu showed while it was visited. */
interface Seen {
  readonly address: string;
  /** The line of the command strip. */
  readonly command: string;
  /** How often the page shows the hostile text as text. */
  readonly shown: number;
  /** Elements that the hostile text would make, and what its script would leave. */
  readonly made: readonly unknown[];
  /** The heads of its columns. */
  readonly heads: readonly string[];
}

const MOVING = `[...document.querySelectorAll("*")].filter((one) => getComputedStyle(one).transitionDuration !== "0s").length`;

describeInBrowser("every page of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const receiver = sharedReceiver();
  const open = shared(() => launchConsole(executablePath, emulator));
  let page: Page;
  const menu = [...pageAddresses, ...viewAddresses];

  beforeAll(async () => {
    page = await open.open("/console/");
    // A colour on its way to another one is no colour to judge.
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  });

  /** Waits until the page at this address has its heading and its data. */
  async function isThere(): Promise<void> {
    await page.locator("main h1").waitFor();
    const isLoading = page.locator("main").getByText(/Loading…|Carregando…/);
    await expect.poll(() => isLoading.count()).toBe(0);
  }

  /** Follows the first link of the page that the selector names, as a person does. Returns where it leads. */
  async function follow(selector: string): Promise<string> {
    const link = page.locator(selector).first();
    const { pathname } = new URL((await link.getAttribute("href")) ?? "", emulator.url);
    await arrive(page, pathname, () => link.click());
    // What the pointer is on looks different, and another language moves things below it.
    await page.mouse.move(-1, -1);
    return pathname;
  }

  async function visit(address: string): Promise<void> {
    const { pathname, search } = new URL(page.url());
    const link = `nav.menu a[href="${address}"]`;
    if (pathname + search === address) await isThere();
    else if ((await page.locator(link).count()) > 0) await follow(link);
    else await goWithin(page, address);
  }

  async function load(address: string): Promise<void> {
    await page.goto(emulator.url + address);
    await isThere();
  }

  /** The language in which the page is. */
  let spoken: Language = "English";

  /** Changes the language where the page is, by the palette. */
  async function speak(name: Language): Promise<void> {
    if (spoken === name) return;
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill(name);
    await page.keyboard.press("Enter");
    await page.locator(`html[lang="${LANGUAGES[name]}"]:not(:has(dialog))`).waitFor({ state: "attached" });
    spoken = name;
  }

  /** What a test has left that failed and is tried again. */
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return;
    await page.emulateMedia({ colorScheme: "light", forcedColors: "none", media: null });
    await widen();
    await load("/console/");
    spoken = (await page.locator("html[lang=en]").count()) === 1 ? "English" : "Português";
  });

  const turnTo = (colorScheme: "light" | "dark") => page.emulateMedia({ colorScheme });
  const narrow = () => page.setViewportSize({ width: 360, height: 900 });
  const widen = () => page.setViewportSize({ width: 1280, height: 900 });

  async function checkFrame(): Promise<void> {
    await expect.poll(() => page.locator("h1").count(), { message: page.url() }).toBe(1);
    await expect
      .poll(() => page.locator("[data-command]").textContent(), { message: page.url() })
      .toMatch(/^qa-pay \w/);
  }

  /** In a wide window, in both themes. The menu and the head are the same on all pages, so that one whole page is enough. */
  async function checkWide(part: "whole" | "own"): Promise<void> {
    await checkFrame();
    await expectAccessible(page, "all", part);
    await turnTo("dark");
    await expectAccessible(page, "colours", part);
    await turnTo("light");
  }

  /** In a narrow window. In Portuguese, whose words are longer, whatever fits does so in English too. */
  async function checkNarrow(part: "whole" | "own"): Promise<void> {
    await speak("Português");
    await narrow();
    const wide = await page.evaluate(TOO_WIDE);
    // What scrolls only here becomes a stop of the keyboard after the next layout.
    await vi.waitFor(() => expectAccessible(page, "all", part), PATIENCE);
    expect(wide, page.url()).toEqual([]);
    await checkFrame();
    await widen();
  }

  const partAt = (place: number) => (place === 0 ? "whole" : "own");

  /** Notes what the page shows. Its command is the same in both languages. */
  async function note(address: string): Promise<Seen> {
    const made = [await page.evaluate("window.hostile"), await page.locator('img[src="x"], main script').count()];
    const command = (await page.locator("[data-command]").textContent()) ?? "";
    const heads = await page.locator("main thead th").allTextContents();
    return { address, command, shown: await page.getByText("window.hostile=1").count(), made, heads };
  }

  test("is accessible and fits into 360 pixels while there is nothing to show", async () => {
    for (const [place, address] of menu.entries()) {
      await visit(address);
      await checkNarrow(partAt(place));
    }
    for (const address of OTHERS) {
      await load(address);
      await checkNarrow("own");
    }
    expect(open.errors).toEqual([]);
  });

  test("has a letter behind g in the menu's own order", async () => {
    await speak("English");
    expect(pageLetters).toHaveLength(pageAddresses.length);
    for (const [index, letter] of pageLetters.entries()) {
      await goByKeys(page, letter, menu[index] ?? "");
    }
  });

  /** What the pages of the menu showed with objects of every kind, and the page of the first object of each list. */
  const seen: { readonly lists: Seen[]; readonly objects: Seen[] } = { lists: [], objects: [] };

  let filled: Promise<void> | null = null;

  test("is accessible in both themes with objects of every kind", async () => {
    filled ??= fillWithHostileTexts(emulator, receiver);
    await filled;
    for (const list of Object.values(seen)) list.length = 0;
    await load("/console/");
    await speak("English");
    for (const [place, address] of menu.entries()) {
      await visit(address);
      await checkWide(partAt(place));
      seen.lists.push(await note(address));
      if ((await page.locator("main a.row").count()) === 0) continue;
      const object = await follow("main a.row");
      await checkWide("own");
      seen.objects.push(await note(object));
    }
    expect(open.errors).toEqual([]);
  });

  test("is accessible and fits into 360 pixels with objects of every kind", async () => {
    for (const { address } of [...seen.lists, ...seen.objects]) {
      await load(address);
      await checkNarrow("own");
    }
    expect(open.errors).toEqual([]);
  });

  test("names each row by its whole id, although a narrow table cuts it", async () => {
    await speak("English");
    for (const address of ["/console/charges", "/console/webhooks"]) {
      await visit(address);
      await narrow();
      const href = (await page.locator("main a.row").first().getAttribute("href")) ?? "";
      await page.getByRole("link", { name: href.slice(href.lastIndexOf("/") + 1), exact: true }).waitFor();
      await widen();
    }
  });

  test("shows a command that can be run as it is", async () => {
    const cli = testCli({ QA_PAY_API_KEY: emulator.key });
    expect(seen.objects.length).toBeGreaterThan(9);
    for (const { address, command } of [...seen.lists, ...seen.objects]) {
      const [, ...words] = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
      const { code, err } = await cli.run(words);
      const unexpected = err.replace(/^(Nothing to show|No run belongs to this emulator)\..*\n/, "");
      expect([command, code, unexpected]).toEqual([command, 0, ""]);
      const id = /[a-z]+_[\da-f-]{36}$/.exec(address)?.[0];
      if (id !== undefined && !address.startsWith("/console/endpoints/")) expect(command).toContain(id);
    }
    cli.remove();
  });

  test("shows texts from elsewhere as text", () => {
    expect(seen.objects.reduce((sum, { shown }) => sum + shown, 0)).toBeGreaterThan(0);
    for (const { address, made } of [...seen.lists, ...seen.objects]) expect(made, address).toEqual([undefined, 0]);
  });

  test("names each column with a capital, but for units", () => {
    const heads = seen.lists.flatMap((one) => one.heads);
    expect(heads.length).toBeGreaterThan(50);
    expect(heads.filter((head) => /^\p{Ll}/u.test(head) && head !== "ms")).toEqual([]);
  });

  test("has a skip link as its first stop, which leads into the content", async () => {
    for (const address of menu.slice(0, 3)) {
      await load(address);
      await page.keyboard.press("Tab");
      await expect.poll(() => page.locator(":focus").getAttribute("class")).toBe("skip");
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("content");
    }
  });

  test("shows the main pages at the foot of a phone, and all pages behind More", async () => {
    const phone = await open.open("/console/charges", { width: 360 });
    const isAtFoot = "document.querySelector('.foot').getBoundingClientRect().bottom === innerHeight";
    await expect.poll(() => phone.evaluate(isAtFoot)).toBe(true);
    await expect.poll(() => phone.locator(".foot [aria-current]").innerText()).toBe("Charges");
    await expect.poll(() => phone.locator("nav.menu").isVisible()).toBe(false);
    await phone.getByRole("button", { name: "More" }).click();
    await expectAccessible(phone, "all", "whole");
    await phone.locator("nav.menu a", { hasText: "Scenarios" }).click();
    await phone.locator("main h1", { hasText: "Scenarios" }).waitFor();
    await expect.poll(() => phone.locator("nav.menu").isVisible()).toBe(false);
    await phone.context().close();
  });

  test("shows the pages as icons with names for screen readers where the window is not wide", async () => {
    const tablet = await open.open("/console/charges", { width: 768 });
    const width = "document.querySelector('nav.menu').getBoundingClientRect().width";
    await expect.poll(() => tablet.evaluate(width)).toBe(56);
    // The state of a row is seen whole.
    for (const name of ["Charges", "Refunds", "Webhooks"]) {
      await tablet
        .getByRole("link", { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await tablet.locator("main h1", { hasText: name }).waitFor();
      const status = tablet.locator("main tbody tr .status").first();
      const end = async () => {
        const [box, frame] = [await status.boundingBox(), await tablet.locator("main .table-frame").boundingBox()];
        return (frame?.x ?? 0) + (frame?.width ?? 0) - (box?.x ?? 768) - (box?.width ?? 0);
      };
      await expect.poll(end, { message: name }).toBeGreaterThan(0);
    }
    await tablet.getByRole("link", { name: "Wallets" }).click();
    await tablet.locator("main h1", { hasText: "Wallets" }).waitFor();
    await tablet.context().close();
  });

  test("takes the focus to the heading of a new page, through a list with j and k, and back from a dialog", async () => {
    await load("/console/webhooks?view=event");
    await page.locator("main a.row").nth(1).waitFor();
    const at = () => page.evaluate("[...document.querySelectorAll('main a.row')].indexOf(document.activeElement)");
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await expect.poll(at).toBe(1);
    await page.keyboard.press("k");
    await expect.poll(at).toBe(0);
    await visit("/console/med");
    await page.locator("main h1:focus").waitFor();
    const opener = page.getByRole("button", { name: "Open MED case" });
    await opener.focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Charge or payment").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("o");
    expect(new URL(page.url()).pathname).toBe("/console/med");
    await page.keyboard.press("Escape");
    await page.locator("button:focus", { hasText: "Open MED case" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("button:focus", { hasText: "Open MED case" }).waitFor();
  });

  test("keeps its marks in forced colours, and moves nothing where motion is unwanted", async () => {
    await page.emulateMedia({ forcedColors: "active" });
    await load("/console/med");
    await page.locator("main a.row").first().waitFor();
    const border = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).borderTopStyle`);
    await expect.poll(() => border("main .status")).toBe("solid");
    await expect.poll(() => border("nav.menu [aria-current]")).toBe("solid");
    await expect.poll(() => page.evaluate(MOVING)).toBe(0);
    await expectAccessible(page, "all", "whole");
    await page.emulateMedia({ forcedColors: "none" });
  });

  test("prints a case without the controls of the page", async () => {
    await load("/console/med");
    await page.locator("main a.row").first().click();
    await page.locator(".timeline").waitFor();
    await page.emulateMedia({ media: "print" });
    for (const selector of [".top", ".time-bar", ".menu", ".strip", ".split-list", "main .actions"]) {
      await expect.poll(() => page.locator(selector).first().isVisible(), { message: selector }).toBe(false);
    }
    await expect.poll(() => page.locator("main h1").isVisible()).toBe(true);
    await expect.poll(() => page.getByText("Held", { exact: true }).first().isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
  });

  test("stays accessible when the server is gone: it says so, and its actions are off", async () => {
    await load("/console/");
    // A page is loaded when it is opened for the first time, and after this there is nobody to load it from.
    for (const address of menu) await visit(address);
    await speak("Português");
    await speak("English");
    await emulator.close();
    await page.locator(".banner").getByText("No connection to").waitFor();
    for (const address of menu) {
      await visit(address);
      await expect.poll(() => page.locator(".banner").isVisible(), { message: address }).toBe(true);
      await checkFrame();
    }
    // The banner is the same on every page.
    await checkWide("whole");
    await checkNarrow("whole");
    await speak("English");
    await visit("/console/med");
    const action = page.getByRole("button", { name: "Open MED case" });
    await expect.poll(() => action.getAttribute("title")).toBe("There is no connection to the server.");
    await visit("/console/scenarios?view=snapshots");
    const more = page.getByRole("button", { name: "More actions" });
    await expect.poll(() => more.getAttribute("aria-disabled")).toBe("true");
    await more.click({ force: true });
    await page.getByText("There is no connection to the server.").filter({ visible: true }).first().waitFor();
    await expect.poll(() => page.getByRole("menuitem").count()).toBe(0);
  });
});
