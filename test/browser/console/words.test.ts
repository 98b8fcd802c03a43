import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";
import { testBrowser } from "../../support/windows.js";

/** What the console says fits the machine, the book and the server that it is about. */

describeInBrowser("the words of the console", (executablePath) => {
  /** Where nobody listens. */
  const NOBODY = "http://127.0.0.1:9/webhooks";
  const emulator = sharedEmulator({ frozen: true, forwardTo: NOBODY });
  const open = sharedConsole(executablePath, emulator);

  const line = (page: Page) => page.locator("[data-command]");
  const lineIs = (page: Page, text: string) => expect.poll(() => line(page).textContent()).toBe(text);

  test("the first steps name the address where webhooks go, in place of another endpoint", async () => {
    const page = await open.open("/console/");
    const steps = page.locator("section", { has: page.getByRole("heading", { name: "The first minute" }) });
    await steps.locator("code", { hasText: NOBODY }).waitFor();
    await expect.poll(() => steps.getByRole("textbox").count()).toBe(0);
  });

  test("the command of a view in the book live, and of another account, takes the key of that book", async () => {
    const page = await open.open("/console/charges");
    await lineIs(page, `qa-pay payments list --limit 50 --base-url ${emulator.url}`);
    await page.goto(`${emulator.url}/console/charges?mode=live`);
    await lineIs(page, `qa-pay payments list --limit 50 --base-url ${emulator.url} --api-key "$QA_PAY_LIVE_KEY"`);
    await page
      .getByText(`charges create --amount 1990 --base-url ${emulator.url} --api-key "$QA_PAY_LIVE_KEY"`)
      .waitFor();
    const { id } = await emulator.sandbox("/accounts", { name: "Second Shop" });
    await page.goto(`${emulator.url}/console/charges?account=${id}`);
    await lineIs(page, `qa-pay payments list --limit 50 --base-url ${emulator.url} --api-key "$QA_PAY_API_KEY"`);
  });

  test("the command of New charge stands in its form once it can be sent, and that of the view stays", async () => {
    const page = await open.open("/console/charges");
    const ofView = `qa-pay payments list --limit 50 --base-url ${emulator.url}`;
    await lineIs(page, ofView);
    const button = page.locator("main").getByRole("button", { name: "New charge" });
    await button.click();
    const dialog = page.getByRole("dialog");
    const command = dialog.locator(".form-command code");
    await dialog.getByLabel("Amount", { exact: true }).fill("");
    await expect.poll(() => command.count()).toBe(0);
    await dialog.getByLabel("Amount", { exact: true }).fill("19,90");
    await expect
      .poll(() => command.textContent())
      .toBe(`qa-pay charges create --amount 1990 --base-url ${emulator.url}`);
    await dialog.getByRole("button", { name: "New charge" }).click();
    await page.locator("main h1", { hasText: "R$ 19,90" }).waitFor();
    await expect
      .poll(() => line(page).textContent())
      .toMatch(/^qa-pay sandbox timeline ch_\S+ --base-url \S+$|^qa-pay charges get /);
  });

  test("a filter names itself, and its value once it has one", async () => {
    await emulator.charge();
    const page = await open.open("/console/charges", { language: "pt-BR" });
    const filter = page.locator("search").getByRole("button", { name: /^Método/ });
    await expect.poll(() => filter.innerText()).toBe("Método");
    await filter.click();
    await page.getByRole("menuitemradio", { name: "Boleto" }).click();
    await expect.poll(() => filter.innerText()).toBe("Método: Boleto");
  });

  test("an attempt that nobody answered says who is missing, and gives no reasons to refuse it", async () => {
    await emulator.charge();
    const failed = async (): Promise<Loose | undefined> =>
      (await emulator.sandbox("/webhooks/deliveries?limit=1")).data.find(({ attempts }: Loose) => attempts > 0);
    await expect.poll(failed).toBeDefined();
    const page = await open.open(`/console/webhooks/${(await failed())?.id}`);
    await page.getByText("Nothing is listening at 127.0.0.1:9. Start the receiver there,").waitFor();
    await page.getByText("10 s × 2^(1 − 1)").waitFor();
    await expect.poll(() => page.locator(".bench-box").count()).toBe(0);
  });

  test("the keys of the search are those of this keyboard, and a phone shows none", async () => {
    const page = await open.open("/console/");
    const keys = page.locator(".top kbd");
    await expect.poll(async () => [await keys.textContent(), await keys.isVisible()]).toEqual(["Ctrl K", true]);
    const browser = await testBrowser(executablePath);
    const phone = await browser.fresh({ hasTouch: true, isMobile: true, viewport: { width: 375, height: 700 } });
    await phone.goto(emulator.consoleUrl ?? "");
    await phone.locator(".top .search").waitFor();
    await expect.poll(() => phone.locator(".top kbd").isVisible()).toBe(false);
    await browser.close();
  });

  test("no page has a header that the browser does not know", async () => {
    const { checkout_url } = await emulator.charge();
    const browser = await testBrowser(executablePath);
    const page = await browser.fresh();
    const told: string[] = [];
    page.on("console", (message) => told.push(message.text()));
    for (const address of [String(emulator.consoleUrl), `${emulator.url}/`, `${emulator.url}/docs`, checkout_url]) {
      await page.goto(address);
    }
    await browser.close();
    expect(told).toEqual([]);
  });
});
