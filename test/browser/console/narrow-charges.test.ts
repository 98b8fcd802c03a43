import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, launchConsole } from "../../support/console-browser.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { paidCharge } from "../../support/med.js";

describeInBrowser("charges on a narrow screen, and in the search", (executablePath) => {
  let emulator: TestEmulator;
  let open: ConsoleBrowser;

  beforeAll(async () => {
    emulator = await startEmulator({ frozen: true });
    await emulator.charge({ amount: 129_900 });
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    await open?.close();
    await emulator?.close();
  });

  for (const language of ["en", "pt-BR"] as const) {
    test(`the list shows the longest status whole, and fields of dates end where the others do, in ${language}`, async () => {
      const page = await open.open("/console/charges", { width: 360, language });
      await page.locator("td .status", { hasText: "WAITING_PAYMENT" }).waitFor();
      const frame =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-frame'))";
      expect(await page.evaluate(frame)).toBe(0);
      const rights = `[...document.querySelectorAll("form.filters :is(input, select)")].map((one) => one.getBoundingClientRect().right)`;
      const end = await page.evaluate("document.querySelector('form.filters').getBoundingClientRect().right");
      for (const right of (await page.evaluate(rights)) as number[]) expect(right).toBeLessThanOrEqual(Number(end));
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  }

  test("the search finds a charge by a name and an amount together, and no other charge of that name", async () => {
    const customer = { name: "Joana Prado" };
    const { id } = await paidCharge(emulator, { customer, amount: 4_321 });
    const other = await paidCharge(emulator, { customer, amount: 8_765 });
    const page = await open.open("/console/");
    const found = page.getByRole("dialog").getByRole("option");
    for (const terms of ["prado 43,21", "R$ 43,21 prado"]) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill(terms);
      await found.filter({ hasText: id }).waitFor();
      expect(await found.filter({ hasText: other.id }).count()).toBe(0);
      await page.keyboard.press("Escape");
    }
  });
});
