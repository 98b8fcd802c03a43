import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import { sharedEmulator } from "../../support/shared.js";

/** What a person finds who follows a link of the console: by mouse, by keyboard, or by a program that clicks for them. */

const WAYS: Readonly<Record<string, (link: Locator) => Promise<unknown>>> = {
  "a click of the mouse": (link) => link.click(),
  "the key Enter": (link) => link.press("Enter"),
  "a click of a script": (link) => link.dispatchEvent("click"),
};

/** In the page: resolves when what is there now has been drawn. */
const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** In the page: notes each frame in which heading, title of the window, command or focus are others than before. */
const NOTE_FRAMES = `(() => {
  window.frames_seen = [];
  const note = () => {
    const heading = document.querySelector("main h1");
    const frame = {
      heading: heading?.textContent ?? "",
      title: document.title,
      command: document.querySelector("[data-command]").textContent.split(" --base-url")[0],
      isFocused: heading !== null && document.activeElement === heading,
    };
    const last = window.frames_seen.at(-1);
    if (JSON.stringify(frame) !== JSON.stringify(last)) window.frames_seen.push(frame);
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
})()`;

/** In the page: notes the text of each heading that gets the focus. */
const NOTE_HEADINGS = `(() => {
  window.headings_told = [];
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches("main h1")) window.headings_told.push(target.textContent);
  });
})()`;

describeInBrowser("following a link of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const menuLink = (page: Page, path: string) => page.locator(`nav.menu a[href="${path}"]`);

  for (const [way, follow] of Object.entries(WAYS)) {
    test(`by ${way} never shows a page with the name, the command or the focus of the page before`, async () => {
      const page = await open.open("/console/webhooks");
      // Both pages are loaded, so that nothing but the change from one to the other is left.
      await menuLink(page, "/console/refunds").click();
      await page.locator("main h1:focus", { hasText: "Refunds" }).waitFor();
      await menuLink(page, "/console/webhooks").click();
      await page.locator("main h1:focus", { hasText: "Webhooks" }).waitFor();
      await expect.poll(() => page.locator("[data-command]").textContent()).toContain("sandbox deliveries list");
      await page.evaluate(NOTE_FRAMES);
      await follow(menuLink(page, "/console/refunds"));
      await page.locator("main h1:focus", { hasText: "Refunds" }).waitFor();
      await expect.poll(() => page.locator("[data-command]").textContent()).toContain("refunds list");
      const readFrames = async () =>
        ((await page.evaluate("window.frames_seen")) as readonly { heading: string; command: string }[]).filter(
          ({ heading }) => heading === "Refunds",
        );
      // A frame is noted when the browser draws it, which may be after the answer to the question for the command.
      await expect.poll(readFrames).not.toEqual([]);
      const after = await readFrames();
      const command = after.at(-1)?.command;
      expect(after).toEqual([{ heading: "Refunds", title: "Refunds · qa-pay", command, isFocused: true }]);
    });
  }

  test("announces only the heading of the new page to a screen reader, even while that page is loading", async () => {
    const page = await open.open("/console/");
    let arrive = () => {};
    const isAllowed = new Promise<void>((done) => {
      arrive = done;
    });
    await page.route("**/console/assets/**", async (route) => {
      await isAllowed;
      await route.continue();
    });
    await page.evaluate(NOTE_HEADINGS);
    await menuLink(page, "/console/wallets").press("Enter");
    await page.waitForURL("**/console/wallets");
    await page.evaluate(TWO_FRAMES);
    arrive();
    await page.locator("main h1:focus", { hasText: "Wallets" }).waitFor();
    await expect.poll(() => page.evaluate("window.headings_told")).toEqual(["Wallets"]);
  });

  test("takes the focus to the heading of a page that was chosen in the palette, not back to where it was", async () => {
    const page = await open.open("/console/");
    await page.locator("header.top .search").focus();
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").getByRole("combobox").fill("wallets");
    await page.keyboard.press("Enter");
    await page.locator("main h1:focus", { hasText: "Wallets" }).waitFor();
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await page.evaluate(TWO_FRAMES);
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Wallets");
  });

  test("leaves the focus on a tab of a page, which is no other page", async () => {
    const { id } = await emulator.charge();
    const page = await open.open(`/console/charges/${id}`);
    await page.locator("nav.tabs a", { hasText: "Object" }).press("Enter");
    await page.locator("nav.tabs a[aria-current]", { hasText: "Object" }).waitFor();
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Object");
  });
});
