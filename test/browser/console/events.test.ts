import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, expectAccessible, launchConsole } from "../../support/console-browser.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";

describeInBrowser("the events in the console", (executablePath) => {
  let emulator: TestEmulator;
  let open: ConsoleBrowser;

  beforeAll(async () => {
    emulator = await startEmulator({ frozen: true });
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    await open?.close();
    await emulator?.close();
  });

  // A page that stays open reads everything again after each change of a later test.
  afterEach(() => open.leaveAll());

  test("an event of a new charge waits behind a button with the number of new rows, and comes at once in the mode Tail", async () => {
    await emulator.charge();
    const page = await open.open("/console/events");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    expect(await rows.count()).toBe(2);
    await emulator.charge();
    await page.getByRole("button", { name: "2 new" }).click();
    expect(await rows.count()).toBe(4);
    await page.getByRole("button", { name: "Tail" }).click();
    expect(page.url()).toContain("follow=tail");
    await emulator.charge();
    await expect.poll(() => rows.count()).toBe(6);
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("the mode Tail ends when the reader scrolls away, so that new rows do not push away what they read", async () => {
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => emulator.charge()));
    const page = await open.open("/console/events?follow=tail");
    await page.setViewportSize({ width: 1280, height: 320 });
    const rows = page.locator("main a.row");
    await rows.nth(10).scrollIntoViewIfNeeded();
    await expect.poll(() => page.url()).not.toContain("follow=");
    const before = await rows.count();
    await emulator.charge();
    await page.getByRole("button", { name: "2 new" }).waitFor();
    expect(await rows.count()).toBe(before);
  });
});
