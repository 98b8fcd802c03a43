import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../support/browser.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { type TestBrowser, testBrowser } from "../support/windows.js";

describeInBrowser("pages in a real browser", (executablePath) => {
  let emulator: TestEmulator;
  let browser: TestBrowser;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    emulator = await startEmulator();
    browser = await testBrowser(executablePath);
    page = await browser.fresh({ locale: "pt-BR" });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
  });

  afterAll(async () => {
    await browser?.close();
    await emulator?.close();
  });

  test("the checkout shows amount, customer, description, QR and code, all as text", async () => {
    const charge = await emulator.charge({
      amount: 123_456,
      description: 'Pedido 42 <img src=x onerror="alert(1)">',
      customer: { name: "Maria <b>Silva</b>" },
    });
    await page.goto(charge.checkout_url);
    const text = await page.locator("main").innerText();
    expect(text).toContain("R$ 1.234,56");
    expect(text).toContain("Maria <b>Silva</b>");
    expect(text).toContain("<img src=x");
    expect(text).toContain(charge.pix.br_code);
    expect(await page.locator(".qr svg").count()).toBe(1);
    expect(await page.getByRole("button", { name: "Copiar código Pix" }).isVisible()).toBe(true);
  });

  test("the button copies the code", async () => {
    const charge = await emulator.charge();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(charge.checkout_url);
    await page.getByRole("button", { name: "Copiar código Pix" }).click();
    await page.getByRole("button", { name: "Código copiado" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(charge.pix.br_code);
  });

  test("the checkout becomes a confirmation without a reload when the payer pays", async () => {
    const charge = await emulator.charge();
    await page.goto(charge.checkout_url);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    expect(await page.locator("main").innerText()).not.toContain(charge.pix.br_code);
  });

  test("the checkout shows without a reload that the charge has expired, and no code when opened later", async () => {
    const charge = await emulator.charge();
    await page.goto(charge.checkout_url);
    await emulator.sandbox(`/charges/${charge.id}/expire`);
    await page.getByRole("heading", { name: "Cobrança expirada" }).waitFor();
    await page.goto(charge.checkout_url);
    const text = await page.locator("main").innerText();
    expect(text).toContain("Cobrança expirada");
    expect(text).not.toContain(charge.pix.br_code);
  });

  test("a wrong or missing checkout token is a 404", async () => {
    const charge = await emulator.charge();
    const address = charge.checkout_url.split("?")[0];
    for (const url of [address, `${address}?k=wrong`, `${charge.checkout_url}x`, `${address}/status?k=wrong`]) {
      expect((await fetch(url)).status).toBe(404);
    }
  });

  test("no script error and no blocked resource on any page", () => {
    expect(errors).toEqual([]);
  });
});
