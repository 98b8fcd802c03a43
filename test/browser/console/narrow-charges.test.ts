import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, launchConsole } from "../../support/console-browser.js";
import { paidCharge } from "../../support/med.js";
import { sharedEmulator } from "../../support/shared.js";

const PRESS_CONTROL_K =
  'document.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, cancelable: true }))';

describeInBrowser("charges on a narrow screen, and in the search", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  let open: ConsoleBrowser;

  beforeAll(async () => {
    await emulator.charge({ amount: 129_900 });
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    await open?.close();
  });

  for (const language of ["en", "pt-BR"] as const) {
    test(`the list shows the longest status whole, in ${language}`, async () => {
      const page = await open.open("/console/charges", { width: 360, language });
      await page.locator("td .status", { hasText: language === "en" ? "Waiting" : "Aguardando" }).waitFor();
      const frame =
        "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.table-frame'))";
      await expect.poll(() => page.evaluate(frame)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 900 });
    });
  }

  test("the search finds a charge by a name and an amount together, and no other charge of that name", async () => {
    const customer = { name: "Joana Prado" };
    await paidCharge(emulator, { customer, amount: 4_321 });
    await paidCharge(emulator, { customer, amount: 8_765 });
    const page = await open.open("/console/");
    const found = page.getByRole("dialog").getByRole("option");
    for (const terms of ["prado 43,21", "R$ 43,21 prado", "43,21, Prado"]) {
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").getByRole("combobox").fill(terms);
      await found.filter({ hasText: "R$ 43,21" }).waitFor();
      await expect.poll(() => found.filter({ hasText: "R$ 87,65" }).count()).toBe(0);
      await page.keyboard.press("Escape");
    }
  });

  test("the search opens by a key that is pressed as soon as the page is drawn", async () => {
    const page = await open.open("/console/");
    await page.addInitScript(`new MutationObserver((_, observer) => {
      if (document.querySelector(".brand") === null) return;
      observer.disconnect();
      ${PRESS_CONTROL_K};
    }).observe(document, { childList: true, subtree: true })`);
    await page.reload();
    await page.getByRole("dialog").getByRole("combobox").waitFor();
  });

  test("the search opens again by a key that is pressed at once after Escape, and gives the focus back", async () => {
    const page = await open.open("/console/");
    await page.locator("a.brand").focus();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").waitFor();
    // What Escape does, and the next key before the browser tells that the dialog has closed.
    await page.evaluate(`document.querySelector("dialog").requestClose(); ${PRESS_CONTROL_K}`);
    await page.evaluate("new Promise((done) => setTimeout(done))");
    await expect.poll(() => dialog.getByRole("combobox").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await page.locator("a.brand:focus").waitFor();
  });

  test("the list of charges takes several terms too, and shows what it finds as every other row", async () => {
    const customer = { name: "Maria Queiroz" };
    const { id } = await paidCharge(emulator, { customer, amount: 1_990 });
    await paidCharge(emulator, { customer, amount: 8_765 });
    await emulator.charge({ amount: 1_990, customer: { name: "Ana" } });
    const page = await open.open("/console/charges", { language: "pt-BR" });
    await page.getByLabel("Busca", { exact: true }).fill("19,90, Queiroz");
    const rows = page.locator("main tbody tr");
    await expect.poll(() => rows.locator("a.row").allTextContents()).toEqual([id]);
    await rows.filter({ hasText: /R\$\s19,90.*Paga.*Maria Queiroz/s }).waitFor();
  });
});
