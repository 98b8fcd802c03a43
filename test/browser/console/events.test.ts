import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { follow, sharedConsole } from "../../support/console-browser.js";
import { sharedEmulator } from "../../support/shared.js";

describeInBrowser("the events in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  test("an event of a new charge, with its amount and customer, waits behind a button with the number of new rows, and comes at once in the mode Tail", async () => {
    await emulator.charge();
    const page = await open.open("/console/webhooks?view=event");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await emulator.charge();
    await page.getByRole("button", { name: "2 new" }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await follow(page, "Follow");
    await expect.poll(() => page.url()).toContain("follow=tail");
    await emulator.charge();
    await expect.poll(() => rows.count()).toBe(6);
    await emulator.charge({ amount: 4_590, customer: { name: "Ana Souza", document: "11144477735" } });
    await page
      .getByRole("row", { name: "charge.created" })
      .filter({ hasText: /R\$\s45,90 Ana Souza/ })
      .waitFor();
    expect(open.errors).toEqual([]);
  });

  test("rows that come while the mode is changed are shown in the new mode, and after a pause what was missed", async () => {
    await emulator.charge();
    const page = await open.open("/console/webhooks?view=event");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    const before = await rows.count();
    // The page waits a moment before it reads what has changed.
    await emulator.charge();
    await follow(page, "Follow");
    await expect.poll(() => rows.count()).toBe(before + 2);
    await follow(page, "Paused");
    await expect.poll(() => page.url()).toContain("follow=paused");
    await emulator.charge();
    await follow(page, "Auto-update");
    await page.getByRole("button", { name: "2 new" }).waitFor();
    await expect.poll(() => rows.count()).toBe(before + 2);
  });

  test("the mode Tail ends when the reader scrolls away, so that new rows do not push away what they read", async () => {
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => emulator.charge()));
    const page = await open.open("/console/webhooks?view=event&follow=tail");
    await page.setViewportSize({ width: 1280, height: 320 });
    const rows = page.locator("main a.row");
    await rows.nth(10).scrollIntoViewIfNeeded();
    await expect.poll(() => page.url()).not.toContain("follow=");
    const before = await rows.count();
    await emulator.charge();
    await page.getByRole("button", { name: "2 new" }).waitFor();
    await expect.poll(() => rows.count()).toBe(before);
  });
});
