import { createServer, type Server } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { describeInBrowser, noteErrors } from "../support/browser.js";
import { startEmulator } from "../support/emulator.js";
import { payment, readPayment } from "../support/payments.js";
import { sharedEmulator } from "../support/shared.js";
import { type TestBrowser, testBrowser } from "../support/windows.js";
import { cardPayment, checkoutUrlOf } from "../web/checkout/pages.js";

/** A shop whose `/onwards` redirects the customer to the address `next`. */
async function startShop(next: () => string): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/onwards")) response.writeHead(302, { location: next() }).end();
    else
      response
        .setHeader("content-type", "text/html")
        .end(`<!doctype html><link rel="icon" href="data:,"><h1>Loja</h1>`);
  });
  const port = await listenOnLoopback(server);
  return { server, url: `http://127.0.0.1:${port}` };
}

describeInBrowser("payments by other methods in a real browser", (executablePath) => {
  const emulator = sharedEmulator();
  let shop: Awaited<ReturnType<typeof startShop>>;
  let front: Awaited<ReturnType<typeof startShop>>;
  let browser: TestBrowser;
  /** A browser without JavaScript: the card page must work with plain forms. */
  let plain: Page;
  let page: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    front = await startShop(() => "");
    shop = await startShop(() => `${front.url}/obrigado`);
    browser = await testBrowser(executablePath);
    plain = await browser.fresh({ javaScriptEnabled: false, locale: "pt-BR" });
    page = await browser.fresh({ locale: "pt-BR" });
    for (const one of [plain, page]) noteErrors(one, errors);
  });

  afterAll(async () => {
    await browser?.close();
    shop?.server.close();
    front?.server.close();
  });

  const press = (name: string) => plain.getByRole("button", { name }).click();

  async function openCard(returnUrl?: string) {
    const made = await cardPayment(emulator, returnUrl === undefined ? {} : { metadata: { returnUrl } });
    await plain.goto(made.url);
    const back = (status: string) => `${shop.url}/volta?pedido=42&transaction_id=tx_${made.id}&status=${status}#fim`;
    return { ...made, back };
  }

  const returnUrl = () => `${shop.url}/volta?pedido=42#fim`;

  test("approving a card comes back to the shop", async () => {
    const { id, url, back } = await openCard(returnUrl());
    await press("Aprovar pagamento");
    await plain.waitForURL(back("APPROVED"));
    await expect.poll(() => plain.getByRole("heading", { name: "Loja" }).isVisible()).toBe(true);
    expect((await readPayment(emulator, id)).status).toBe("APPROVED");
    await plain.goto(url);
    await expect.poll(() => plain.getByRole("heading", { name: "Pagamento confirmado" }).isVisible()).toBe(true);
    await plain.getByRole("link", { name: "Voltar à loja" }).click();
    await plain.waitForURL(back("APPROVED"));
  });

  test("a shop can redirect its customer to another origin", async () => {
    await openCard(`${shop.url}/onwards`);
    await press("Aprovar pagamento");
    await plain.waitForURL(`${front.url}/obrigado`);
  });

  test("refusing a card comes back to the shop", async () => {
    const { id, back } = await openCard(returnUrl());
    await press("Recusar pagamento");
    await plain.waitForURL(back("REFUSED"));
    expect((await readPayment(emulator, id)).status).toBe("REFUSED");
  });

  test.each([
    ["Autenticar", "APPROVED"],
    ["Falhar autenticação", "REFUSED"],
  ])("3DS that ends with %o comes back to the shop as %s", async (button, status) => {
    const { id, back } = await openCard(returnUrl());
    await press("Exigir autenticação 3DS");
    await plain.getByRole("heading", { name: "Autenticação 3DS do banco emissor" }).waitFor();
    expect((await readPayment(emulator, id)).status).toBe("PROCESSING");
    await press(button);
    await plain.waitForURL(back(status));
    expect((await readPayment(emulator, id)).status).toBe(status);
  });

  test("without a shop to return to, the card page itself shows the outcome, also after a reload", async () => {
    const { url } = await openCard();
    await press("Recusar pagamento");
    const title = plain.getByRole("heading", { name: "Pagamento recusado" });
    await title.waitFor();
    await plain.reload();
    await expect.poll(() => title.isVisible()).toBe(true);
    expect(plain.url()).toBe(url);
    await expect.poll(() => plain.getByRole("link", { name: "Voltar à loja" }).count()).toBe(0);
  });

  test("a card that the acquirer has not issued yet appears by itself", async () => {
    const slow = await startEmulator({ frozen: true, acquirerDelayMs: 3_000 });
    try {
      const { id } = await payment(slow, { paymentMethods: ["CREDIT_CARD"] });
      await plain.goto((await checkoutUrlOf(slow, id)).replace("/checkout/", "/card/"));
      await plain.getByRole("heading", { name: "Preparando o pagamento" }).waitFor();
      await slow.sandbox("/clock/advance", { seconds: 3 });
      await plain.getByRole("button", { name: "Aprovar pagamento" }).waitFor();
      await plain.goto("about:blank");
    } finally {
      await slow.close();
    }
  });

  test("the checkout leads to the card page and to the boleto's PDF, and copies the boleto's line", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"] });
    const { boletoLine, cardRedirectUrl } = await readPayment(emulator, id);
    const checkout = await checkoutUrlOf(emulator, id);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(checkout);
    await page.locator("summary", { hasText: "Boleto" }).click();
    await page.getByRole("button", { name: "Copiar linha digitável" }).click();
    await page.getByRole("button", { name: "Linha copiada" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(boletoLine);
    const href = await page.getByRole("link", { name: "Abrir boleto em PDF" }).getAttribute("href");
    const pdf = await page.request.get(emulator.url + href);
    expect(pdf.headers()["content-type"]).toBe("application/pdf");
    expect((await pdf.body()).subarray(0, 5).toString()).toBe("%PDF-");
    await page.locator("summary", { hasText: "Cartão" }).click();
    await page.getByRole("link", { name: "Pagar com cartão" }).click();
    await page.waitForURL(cardRedirectUrl);
    await page.getByRole("link", { name: "Pagar de outra forma" }).click();
    await page.waitForURL(checkout);
  });

  test("an open checkout follows a card through 3DS without a reload", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "CREDIT_CARD"] });
    const { pixCopyPaste, cardRedirectUrl } = await readPayment(emulator, id);
    await page.goto(await checkoutUrlOf(emulator, id));
    await plain.goto(cardRedirectUrl);
    await press("Exigir autenticação 3DS");
    await page.getByRole("heading", { name: "Autenticação em andamento" }).waitFor();
    await expect.poll(() => page.locator("main").innerText()).not.toContain(pixCopyPaste);
    await page.reload();
    await expect.poll(() => page.getByRole("link", { name: "Continuar autenticação" }).isVisible()).toBe(true);
    await press("Autenticar");
    await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    await expect
      .poll(() => page.locator("#actions").getByRole("link").allInnerTexts())
      .toEqual(["Abrir comprovante (PDF)"]);
  });

  test("no script error and nothing blocked on any page", () => {
    expect(errors).toEqual([]);
  });
});
