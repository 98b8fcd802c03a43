import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, launchConsole } from "../../support/console-browser.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";

describeInBrowser("the filters of the list of charges", (executablePath) => {
  let emulator: TestEmulator;
  let open: ConsoleBrowser;

  beforeAll(async () => {
    emulator = await startEmulator({ frozen: true });
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    expect(open.errors).toEqual([]);
    await open?.close();
    await emulator?.close();
  });

  afterEach(() => open.leaveAll());

  const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);

  async function paid(): Promise<Loose> {
    const charge = await emulator.charge({ customer: { name: "Maria", document: "52998224725" } });
    await emulator.sandbox(`/charges/${charge.id}/pay`, {});
    return charge;
  }

  test("a list that is open follows each filter at once, and beside an object it has none", async () => {
    await paid();
    await emulator.charge();
    const page = await open.open("/console/charges");
    const rows = page.locator("main tbody tr");
    await soon(() => rows.filter({ hasText: "WAITING_PAYMENT" }).count()).toBeGreaterThan(0);
    await page.getByLabel("Status", { exact: true }).selectOption("PAID");
    const isAllPaid = (texts: string[]) => texts.length > 0 && texts.every((text) => text.includes("✓ PAID"));
    await soon(async () => isAllPaid(await rows.allInnerTexts())).toBe(true);
    await page.getByLabel("Method", { exact: true }).selectOption("BOLETO");
    await page.getByText("No charge fits these filters.").waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await soon(() => rows.filter({ hasText: "WAITING_PAYMENT" }).count()).toBeGreaterThan(0);
    await rows.first().locator("a.row").click();
    await page.locator(".split-list tbody tr").first().waitFor();
    expect(await page.getByRole("search").count()).toBe(0);
  });

  test("a charge that is opened from a filtered list keeps the list beside it as it was", async () => {
    const { id } = await paid();
    await emulator.charge();
    const page = await open.open("/console/charges?status=PAID");
    await page.locator("main a.row", { hasText: id }).click();
    await page.locator(".split-list tbody tr").first().waitFor();
    const beside = await page.locator(".split-list tbody tr").allInnerTexts();
    expect(beside.every((text) => text.includes("✓ PAID"))).toBe(true);
    await page.getByRole("link", { name: "Object", exact: true }).click();
    await page.locator(".above a").click();
    await page.waitForURL("**/console/charges?status=PAID");
  });
});
