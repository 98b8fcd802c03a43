import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, filterBy, launchConsole } from "../../support/console-browser.js";
import { newDatabasePlace } from "../../support/database-place.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { shared } from "../../support/shared.js";
import { storeCharges } from "../../support/stored-charges.js";

const MANY = 10_000;

describeInBrowser(`a list of ${MANY} charges in the console`, (executablePath) => {
  const place = shared(newDatabasePlace);
  let emulator: TestEmulator;
  let open: ConsoleBrowser;

  beforeAll(async () => {
    const db = place.file;
    await (await startEmulator({ frozen: true, db })).close();
    await storeCharges(db, MANY);
    emulator = await startEmulator({ frozen: true, db });
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    await open?.close();
    await emulator?.close();
  });

  // A page that stays open reads everything again after each change of a later test.
  afterEach(() => open.leaveAll());

  test("it opens with its first page, shows more page by page without a double, and leads to a charge", async () => {
    const page = await open.open("/console/charges");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    const more = page.getByRole("button", { name: "Show more" });
    for (const count of [100, 150, 200, 250, 300, 350, 400, 450, 500]) {
      await more.click();
      await expect.poll(() => rows.count()).toBe(count);
    }
    const hrefs = await rows.evaluateAll((links) => links.map((link) => String(link.getAttribute("href"))));
    expect(new Set(hrefs).size).toBe(500);
    await page.getByText("A page shows at most 500 rows").waitFor();
    await rows.last().scrollIntoViewIfNeeded();
    await rows.last().click();
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe(hrefs.at(-1));
    expect(open.errors).toEqual([]);
  });

  test("a reader who comes back finds the rows, the place and the row that was opened", async () => {
    const page = await open.open("/console/charges");
    const rows = page.locator("main a.row");
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBe(100);
    const row = rows.nth(80);
    await row.scrollIntoViewIfNeeded();
    const href = await row.getAttribute("href");
    const place = await page.evaluate("scrollY");
    await row.click();
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => rows.count()).toBe(100);
    await expect.poll(() => page.evaluate("document.activeElement.getAttribute('href')")).toBe(href);
    await expect.poll(() => page.evaluate("scrollY")).toBe(place);
    // Through the menu it begins anew.
    await page.getByRole("link", { name: "Refunds" }).click();
    await page.getByRole("heading", { name: "Refunds" }).waitFor();
    await page.getByRole("link", { name: "Charges", exact: true }).click();
    await expect.poll(() => rows.count()).toBe(50);
    await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  });

  test("an object beside its list stands among the rows that were read", async () => {
    const page = await open.open("/console/charges", { width: 1800 });
    const rows = page.locator("main a.row");
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => rows.count()).toBe(100);
    await rows.nth(80).click();
    await page.locator(".split-list a.row[aria-current=true]").waitFor();
    await expect.poll(() => page.locator(".split-list a.row").count()).toBe(100);
  });

  test("a date is written with its day first in every browser, and a wrong date is reported", async () => {
    const page = await open.open("/console/charges?status=PAID");
    await filterBy(page, "Date", "Choose days…");
    await page.getByLabel("From").fill("31/02/2026");
    await page.keyboard.press("Enter");
    await page.getByText("Write a date such as 24 Nov 2026.").waitFor();
    expect(new URL(page.url()).search).toBe("?status=PAID");
    await page.getByLabel("From").fill("1/2/2026");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("from")).toBe("2026-02-01");
    expect(new URL(page.url()).searchParams.get("status")).toBe("PAID");
    await expect.poll(() => page.getByLabel("From").inputValue()).toBe("1 Feb 2026");
    await expect.poll(() => page.getByText("Write a date such as").count()).toBe(0);
    await page.getByLabel("From").fill("");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).search).toBe("?status=PAID");
  });

  test("one charge among all is found by its amount", async () => {
    const page = await open.open(`/console/charges?q=${encodeURIComponent("R$ 99,99")}`);
    const rows = page.locator("main a.row");
    await expect.poll(() => rows.count()).toBe(1);
  });
});
