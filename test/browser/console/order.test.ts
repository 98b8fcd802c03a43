import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import { sharedEmulator } from "../../support/shared.js";

/** The order of a page: what acts only when it is chosen, what is in sight at once, and what a failure says. */

describeInBrowser("the order of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const clock = async () => Date.parse((await emulator.call("GET", "/_sandbox/clock")).body.now);
  const focused = (page: Page) => page.locator(":focus");

  test("the arrow keys move in the menu of the clock, and only Enter moves the clock", async () => {
    const page = await open.open("/console/charges");
    const before = await clock();
    await page.getByRole("button", { name: "Move the clock" }).focus();
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page).textContent()).toContain("To the next task");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(page).textContent()).toBe("Forward by 10 min");
    await expectAccessible(page, "all", "whole");
    expect(await clock()).toBe(before);
    await page.keyboard.press("Enter");
    await expect.poll(clock).toBe(before + 600_000);
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
    await page.keyboard.press("ArrowDown");
    await page.getByRole("menu").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page).getAttribute("aria-label")).toBe("Move the clock");
    expect(await clock()).toBe(before + 600_000);
  });

  test("a menu hears the key that is pressed as soon as it is on the page", async () => {
    const page = await open.open("/console/charges");
    await page.evaluate(`new MutationObserver((changes, watcher) => {
      if (document.querySelector("[role=menu]") === null) return;
      watcher.disconnect();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true })`);
    await page.getByRole("button", { name: "Move the clock" }).press("ArrowDown");
    await expect.poll(() => focused(page).getAttribute("aria-label")).toBe("Move the clock");
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
  });

  test("the book is chosen in a menu, which a click elsewhere closes", async () => {
    const page = await open.open("/console/charges");
    const book = page.locator(".top .book");
    await book.click();
    await page.getByRole("menuitemradio", { name: "Test", exact: true }).waitFor();
    await page.mouse.click(900, 700);
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
    await book.click();
    await page.getByRole("menuitemradio", { name: "Live" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("mode")).toBe("live");
    await page.getByText("LIVE mode.").waitFor();
    await expect.poll(() => focused(page).getAttribute("class")).toContain("book");
  });

  test("copying by a key says so, also where the browser has no clipboard", async () => {
    const page = await open.open("/console/charges");
    await page.locator("main h1").press("y");
    await page.locator(".notice", { hasText: "Address copied." }).waitFor();
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })");
    await page.locator("main h1").press("c");
    await page.locator(".notice", { hasText: "Command copied." }).waitFor();
  });

  test("the first row of a list is within 200 pixels, and an object beside a list within ten stops of the keyboard", async () => {
    await emulator.charge();
    const { id } = await emulator.charge();
    const page = await open.open("/console/charges");
    await page.locator("main tbody tr").first().waitFor();
    const top = "document.querySelector('main tbody tr').getBoundingClientRect().top";
    await expect.poll(() => page.evaluate(top)).toBeLessThanOrEqual(200);
    const wide = await open.open(`/console/charges/${id}`, { width: 1800 });
    await wide.locator(".split-list tbody tr").first().waitFor();
    await wide.keyboard.press("Tab");
    await wide.keyboard.press("Enter");
    for (let stops = 0; stops < 9; stops++) await wide.keyboard.press("Tab");
    await expect.poll(() => wide.evaluate("document.activeElement.closest('.split-object') !== null")).toBe(true);
    // The row under the pointer looks otherwise than the one that is open.
    const row = (kind: string) => wide.locator(`.split-list tbody tr${kind}`).first();
    const look = (kind: string) =>
      row(kind).evaluate((one) => `${getComputedStyle(one).backgroundColor} ${getComputedStyle(one).boxShadow}`);
    await row(":not(.open)").hover();
    const opened = await look(".open");
    await expect.poll(() => look(":hover")).not.toBe(opened);
  });

  test("a jump lists everything that is due at its instant", async () => {
    await emulator.call("DELETE", "/_sandbox/faults");
    await Promise.all([1, 2, 3].map(() => emulator.charge({ expires_in: 900 })));
    const due = (await emulator.sandbox("/clock/due?limit=100")).data as readonly { at: string }[];
    const first = due.filter(({ at }) => at === due[0]?.at);
    expect(first.length).toBeGreaterThan(1);
    const page = await open.open("/console/clock");
    await page.getByRole("button", { name: `Run these ${first.length}`, exact: true }).waitFor();
  });

  test("data that cannot be read shows its status, and a button requests it again", async () => {
    const page = await open.open("/console/settings");
    await page.route("**/_sandbox/webhooks/deliveries*", (route) =>
      route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"message":"boom"}}' }),
    );
    await page.locator('nav.menu a[href="/console/webhooks"]').click();
    await page.locator("main", { hasText: /500\s*boom/ }).waitFor();
    await page.unroute("**/_sandbox/webhooks/deliveries*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("main", { hasText: /500\s*boom/ }).waitFor({ state: "detached" });
    await page.locator("main .empty, main a.row").first().waitFor();
  });

  test("the first page claims nothing about what it could not read", async () => {
    const page = await open.open("/console/settings");
    const failing = /\/console\/api\/(v1\/webhooks\/stats|_sandbox\/payments)/;
    await page.route(failing, (route) =>
      route.fulfill({ status: 500, contentType: "application/json", body: '{"error":{"message":"boom"}}' }),
    );
    await page.locator('nav.menu a[href="/console/"]').click();
    // Once for all of it.
    await page.locator("main .problem-line", { hasText: "boom" }).waitFor();
    await expect.poll(() => page.locator("main .problem-line").count()).toBe(1);
    for (const claim of ["Needs attention", "All clear", "No charges yet.", "The first minute"]) {
      await expect.poll(() => page.getByText(claim).count(), { message: claim }).toBe(0);
    }
    await page.unroute(failing);
  });
});
