import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { filterBy, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { payment, REQUESTS } from "../../support/payments.js";
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
    await page.getByRole("link", { name: /^Paid \d+$/ }).click();
    const isAllPaid = (texts: string[]) =>
      texts.length > 0 && texts.every((text) => text.includes("Paid") && !text.includes("Waiting"));
    await soon(async () => isAllPaid(await rows.allInnerTexts())).toBe(true);
    await filterBy(page, "Method", "Boleto");
    await page.getByText("Nothing matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByRole("link", { name: /^All \d+$/ }).click();
    await soon(() => rows.filter({ hasText: "Waiting" }).count()).toBeGreaterThan(0);
    await rows.first().locator("a.row").click();
    await page.locator(".split-list tbody tr").first().waitFor();
    await soon(() => page.getByRole("search").count()).toBe(0);
    await soon(() => page.getByRole("navigation", { name: "Status" }).count()).toBe(0);
  });

  test("the tabs count each state, follow what happens, and have no numbers while another filter holds", async () => {
    await emulator.charge();
    const page = await open.open("/console/charges");
    const waiting = page.getByRole("link", { name: /^Waiting/ });
    const [, before = ""] = /^Waiting (\d+)$/.exec(await waiting.innerText()) ?? [];
    await emulator.charge();
    await soon(() => waiting.innerText()).toBe(`Waiting ${Number(before) + 1}`);
    await filterBy(page, "Method", "Pix");
    await soon(() => waiting.innerText()).toBe("Waiting");
  });

  test("a method and a text limit the whole list, together with a state", async () => {
    await payment(emulator, { ...REQUESTS.BOLETO, customerName: "Rosa Boleto" });
    await emulator.charge({ customer: { name: "+Rosa Pix" } });
    for (let made = 0; made < 51; made += 1) await emulator.charge();
    const page = await open.open("/console/charges?method=BOLETO");
    const rows = page.locator("main tbody tr");
    await soon(async () => (await rows.allInnerTexts()).map((text) => text.includes("Rosa Boleto"))).toEqual([true]);
    await filterBy(page, "Method", "Any");
    // Nothing but a pause is needed.
    await page.getByLabel("Search", { exact: true }).fill("rosa");
    await soon(() => rows.count()).toBe(2);
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const [heads = "", ...saved] = readFileSync(await (await waiting).path(), "utf8")
      .trim()
      .split("\r\n");
    const fields = heads.split(",");
    expect(saved.map((line) => line.split(",")[fields.indexOf("customerName")]).toSorted()).toEqual([
      "'+Rosa Pix",
      "Rosa Boleto",
    ]);
    await page.getByText("2 rows saved.").waitFor();
    await page.getByRole("link", { name: /^Paid/ }).click();
    await page.getByText("Nothing matches these filters.").waitFor();
    await soon(() => Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({ status: "PAID", q: "rosa" });
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
    await page.locator(".above a").first().click();
    await page.waitForURL("**/console/charges?status=PAID");
  });
});
