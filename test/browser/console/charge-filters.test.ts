import { afterAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

describeInBrowser("the filters of the list of charges", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  afterAll(() => {
    expect(open.errors).toEqual([]);
  });

  const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);

  async function paid(): Promise<Loose> {
    const charge = await emulator.charge({ customer: { name: "Maria", document: "52998224725" } });
    await emulator.sandbox(`/charges/${charge.id}/pay`, {});
    return charge;
  }

  test("a list that is open follows each filter at once, and beside an object it has none", async () => {
    await paid();
    await emulator.charge();
    const page = await open.open("/console/charges", { width: 1800 });
    const rows = page.locator("main tbody tr");
    await soon(() => rows.filter({ hasText: "Waiting" }).count()).toBeGreaterThan(0);
    await page.getByLabel("Status", { exact: true }).selectOption("PAID");
    const isAllPaid = (texts: string[]) =>
      texts.length > 0 && texts.every((text) => text.includes("Paid") && !text.includes("Waiting"));
    await soon(async () => isAllPaid(await rows.allInnerTexts())).toBe(true);
    await page.getByLabel("Method", { exact: true }).selectOption("BOLETO");
    await page.getByText("No charge fits these filters.").waitFor();
    await page.getByRole("button", { name: "All", exact: true }).click();
    await soon(() => rows.filter({ hasText: "Waiting" }).count()).toBeGreaterThan(0);
    await rows.first().locator("a.row").click();
    await page.locator(".split-list tbody tr").first().waitFor();
    await soon(() => page.getByRole("search").count()).toBe(0);
  });

  test("a charge that is opened from a filtered list keeps the list beside it as it was", async () => {
    const { id } = await paid();
    await emulator.charge();
    const page = await open.open("/console/charges?status=PAID", { width: 1800 });
    await page.locator(`main a.row[href*="${id}"]`).click();
    await page.locator(".split-list tbody tr").first().waitFor();
    const beside = () => page.locator(".split-list tbody tr").allInnerTexts();
    await soon(async () => (await beside()).every((text) => text.includes("Paid") && !text.includes("Waiting"))).toBe(
      true,
    );
    await page.getByRole("link", { name: "Object", exact: true }).click();
    await page.locator(".above a").click();
    await page.waitForURL("**/console/charges?status=PAID");
  });
});
