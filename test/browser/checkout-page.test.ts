import { createServer, type Server } from "node:http";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { describeInBrowser } from "../support/browser.js";
import { DOCUMENTS, statusOf } from "../support/charges.js";
import type { Loose } from "../support/emulator.js";
import { payment } from "../support/payments.js";
import { startReceiver } from "../support/receiver.js";
import { shared, sharedEmulator } from "../support/shared.js";
import { checkoutUrlOf } from "../web/checkout/pages.js";
import { expectNoSidewaysScroll, expectText, startPayerBrowser } from "./payer-pages.js";

const PHONE = { width: 360, height: 640 };
const IS_FOCUSED = (element: Loose) => element === element.ownerDocument.activeElement;
const HOSTILE = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`;

describeInBrowser("the checkout page in a real browser", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const browser = shared(() => startPayerBrowser(executablePath));
  let shop: Server;
  let shopUrl: string;

  beforeAll(async () => {
    shop = createServer((_request, response) =>
      response
        .setHeader("content-type", "text/html")
        .end(`<!doctype html><link rel="icon" href="data:,"><h1>Loja</h1>`),
    );
    const port = await listenOnLoopback(shop);
    shopUrl = `http://127.0.0.1:${port}/volta`;
  });
  afterAll(() => {
    shop?.close();
  });

  const boxOf = async (page: Page, selector: string) => {
    const box = await page.locator(selector).first().boundingBox();
    return box ?? expect.fail(`${selector} is not on the page`);
  };

  test("on a phone, the code and its button come first and the QR code is folded", async () => {
    const { checkout_url: url } = await emulator.charge({ description: "Pedido 42" });
    const page = await browser.open(url, { viewport: PHONE });
    const button = await boxOf(page, "[data-copy]");
    expect(button.y + button.height).toBeLessThan(PHONE.height / 2);
    await expect.poll(() => page.locator(".qr").isVisible()).toBe(false);
    expect((await boxOf(page, "summary")).y).toBeGreaterThan((await boxOf(page, ".code")).y);
    await expect.poll(() => page.locator("ol").filter({ visible: true }).locator("li").allInnerTexts()).toHaveLength(4);
    await page.getByText("Mostrar o QR Code").click();
    await expect.poll(() => page.locator(".qr").isVisible()).toBe(true);
    await expectNoSidewaysScroll(page);
    await browser.leave(page);
  });

  test("on a desktop, the QR code comes first", async () => {
    const { checkout_url: url } = await emulator.charge();
    const page = await browser.open(url);
    const [qr, button] = [await boxOf(page, ".qr"), await boxOf(page, "[data-copy]")];
    expect(qr.x + qr.width).toBeLessThanOrEqual(button.x);
    expect(qr.y + qr.height).toBeLessThan(800);
    await page.setViewportSize({ width: 700, height: 900 });
    const [above, below] = [await boxOf(page, ".qr"), await boxOf(page, "[data-copy]")];
    expect(above.y + above.height).toBeLessThanOrEqual(below.y);
    await browser.leave(page);
  });

  test.each([
    [320, "one column"],
    [360, "a phone"],
    [640, "1280 at 200 %"],
  ])("nothing is cut off or scrolls sideways at %d pixels (%s), with long texts", async (width) => {
    const long = "Comprovante".repeat(20);
    const { id } = await payment(emulator, {
      amount: 999_999_999,
      paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"],
      customerName: long,
      metadata: { description: long },
    });
    const page = await browser.open(await checkoutUrlOf(emulator, id), { viewport: { width, height: 640 } });
    await expectNoSidewaysScroll(page);
    await page.goto((await checkoutUrlOf(emulator, id)).replace("/checkout/", "/card/"));
    await expectNoSidewaysScroll(page);
    await browser.leave(page);
  });

  test("the simulation is folded where it has no place beside the page of the payer", async () => {
    const { checkout_url: url } = await emulator.charge();
    for (const [width, isOpen] of [
      [360, false],
      [1_000, false],
      [1_280, true],
    ] as const) {
      const page = await browser.open(url, { viewport: { width, height: 800 } });
      await page.locator("#panel").waitFor();
      const pay = page.getByRole("button", { name: "Pagar", exact: true });
      await expect.poll(() => pay.isVisible(), { message: String(width) }).toBe(isOpen);
      if (!isOpen) await page.getByText("Escolher o que acontece").click();
      await expect.poll(() => pay.isVisible()).toBe(true);
      await browser.leave(page);
    }
  });

  test.each([
    ["waiting", []],
    ["with an expected payer", []],
    ["paid", [["pay", {}]]],
    ["in review", [["pay", { payer_document: null }]]],
    ["expired", [["expire", {}]]],
  ] as const)("beside a payment %s, the simulation is not larger than the card", async (name, steps) => {
    const customer = { name: "Maria", document: DOCUMENTS.cpf };
    const expected = name === "waiting" ? {} : { customer, expected_payer_tax_id: DOCUMENTS.cpf };
    const charge = await emulator.charge({ description: "Pedido 42", ...expected });
    for (const [path, body] of steps) await emulator.sandbox(`/charges/${charge.id}/${path}`, body);
    const page = await browser.open(charge.checkout_url);
    await page.locator("#panel").waitFor();
    for (const language of ["pt-BR", "en"]) {
      await page.goto(`${charge.checkout_url}&lang=${language}`);
      await page.locator("#panel").waitFor();
      const [card, panel] = [await boxOf(page, ".card"), await boxOf(page, "#panel")];
      expect(panel.height, language).toBeLessThanOrEqual(card.height);
      expect((await boxOf(page, ".languages a")).y).toBeLessThan(200);
    }
    await browser.leave(page);
  });

  test("an expired charge says whom to ask and for what, and leads back to where the payer came from", async () => {
    const { id, checkout_url: url } = await emulator.charge({ description: "Pedido 42" });
    await emulator.sandbox(`/charges/${id}/expire`);
    const page = await browser.open(url);
    await page.goto(shopUrl);
    await page.evaluate(`location.href = ${JSON.stringify(url)}`);
    await page.getByRole("heading", { name: "Cobrança expirada" }).waitFor();
    await expectText(page, "#text", "peça uma nova cobrança a QA Pay Loja de Teste");
    await expectText(page, "#facts", `Pedido 42Cobrança${id}`);
    await page.getByRole("button", { name: "Voltar", exact: true }).click();
    await page.waitForURL(shopUrl);
    await page.goto(url);
    await page.getByRole("heading", { name: "Cobrança expirada" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Voltar", exact: true }).count()).toBe(0);
    await browser.leave(page);
  });

  test("merchant and amount stand once beside the code", async () => {
    const charge = await emulator.charge({ amount: 34_900 });
    const page = await browser.open(charge.checkout_url);
    await page.locator("#panel").waitFor();
    const text = await page.locator("main").innerText();
    expect(text.replace(charge.pix.br_code, "").match(/QA Pay Loja de Teste|R\$ 349,00/g)).toHaveLength(2);
    await browser.leave(page);
  });

  test("every button and link is at least 24 pixels high and wide", async () => {
    const { id } = await payment(emulator, { paymentMethods: ["PIX", "CREDIT_CARD", "BOLETO"] });
    const page = await browser.open(await checkoutUrlOf(emulator, id), { viewport: PHONE });
    await page.getByText("Escolher o que acontece").click();
    const targets = await page.locator("a, button, summary").filter({ visible: true }).all();
    expect(targets.length).toBeGreaterThan(10);
    for (const target of targets) {
      const box = await target.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), await target.innerText()).toBeGreaterThanOrEqual(24);
    }
    await browser.leave(page);
  });

  test("copying is announced, and the code is selected as a whole", async () => {
    const charge = await emulator.charge();
    const page = await browser.open(charge.checkout_url, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copiar código Pix" }).click();
    await expectText(page, "#announcer", "Código copiado");
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(charge.pix.br_code);
    await page.getByRole("textbox", { name: "Código Pix copia e cola" }).focus();
    await expect.poll(() => page.evaluate("getSelection().toString()")).toBe(charge.pix.br_code);
    await browser.leave(page);
  });

  test("the code can be shared where the browser can, and only there", async () => {
    const charge = await emulator.charge();
    const script = "navigator.share = async (shared) => { window.shared = shared; };";
    const page = await browser.open(charge.checkout_url, { viewport: PHONE }, (opened) => opened.addInitScript(script));
    await page.getByRole("button", { name: "Compartilhar código" }).click();
    await expect.poll(() => page.evaluate("window.shared")).toEqual({ text: charge.pix.br_code });
    await browser.leave(page);
    const without = "Object.defineProperty(Navigator.prototype, 'share', { value: undefined });";
    const other = await browser.open(charge.checkout_url, {}, (opened) => opened.addInitScript(without));
    await expectText(other, "#clock", "parado");
    await expect.poll(() => other.getByRole("button", { name: "Compartilhar código" }).count()).toBe(0);
    await browser.leave(other);
  });

  test("English is the language of an English browser, and the switch leads to Portuguese and back", async () => {
    const { id, checkout_url: url } = await emulator.charge();
    const page = await browser.open(url, { locale: "en-US" });
    await page.getByRole("heading", { name: "Pay with Pix", level: 1 }).waitFor();
    await expectText(page, "[role=timer]", "Expires in 60:00");
    await expect.poll(() => page.getByRole("button", { name: "Copy Pix code" }).isVisible()).toBe(true);
    await expect.poll(() => page.getByRole("region", { name: "Simulation" }).isVisible()).toBe(true);
    await page.getByRole("link", { name: "Português" }).click();
    await page.getByRole("heading", { name: "Pague com Pix", level: 1 }).waitFor();
    await emulator.sandbox(`/charges/${id}/pay`);
    await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    await page.getByRole("link", { name: "English" }).click();
    await page.getByRole("heading", { name: "Payment confirmed" }).waitFor();
    await browser.leave(page);
  });

  test("without script, the page says when it expires and shows everything that a payer needs", async () => {
    const charge = await emulator.charge();
    const page = await browser.open(charge.checkout_url, { javaScriptEnabled: false, viewport: PHONE });
    const text = await page.locator("main").innerText();
    expect(text).toMatch(/Expira (às|em \d+ de \S+ às) \d\d:\d\d/);
    expect(text).toContain(charge.pix.br_code);
    await page.locator("details.scan summary").click();
    await expect.poll(() => page.locator(".qr").isVisible()).toBe(true);
    await expect.poll(() => page.locator("#panel").isVisible()).toBe(false);
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    await page.reload();
    await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Abrir comprovante (PDF)" }).isVisible()).toBe(true);
    await browser.leave(page);
  });

  test("hostile texts stay text, from the server and in what the script shows", async () => {
    const { body: account } = await emulator.call("POST", "/_sandbox/accounts", { body: { name: HOSTILE } });
    const key: string = account.test_key;
    const charge = await emulator.charge({ description: HOSTILE, customer: { name: HOSTILE } }, { key });
    const page = await browser.open(charge.checkout_url);
    await expect.poll(async () => (await page.locator("main").innerText()).split(HOSTILE)).toHaveLength(4);
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_name: HOSTILE }, { key });
    await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
    await expect.poll(async () => (await page.locator("#facts").innerText()).split(HOSTILE)).toHaveLength(2);
    await expect.poll(() => page.locator("img, main script").count()).toBe(0);
    await browser.leave(page);
  });

  test("a payer goes back to the shop by the button, and by itself with redirect=1 unless the payer stays", async () => {
    const paidPage = async (choices: string) => {
      const charge = await emulator.charge({ metadata: { returnUrl: shopUrl } });
      const page = await browser.open(charge.checkout_url + choices, {}, (opened) => opened.clock.install());
      await expectText(page, "#clock", "parado");
      // The seconds until the page leaves by itself pass only when the test says so.
      await page.clock.pauseAt(Date.now() + 60_000);
      await emulator.sandbox(`/charges/${charge.id}/pay`);
      await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
      return { page, back: `${shopUrl}?transaction_id=tx_${charge.id.replace("ch_", "")}&status=PAID` };
    };
    const byButton = await paidPage("");
    await byButton.page.getByRole("link", { name: "Voltar à loja" }).click();
    await byButton.page.waitForURL(byButton.back);
    const byItself = await paidPage("&redirect=1");
    await byItself.page.getByText("Você volta à loja em 5 s.").first().waitFor({ state: "attached" });
    await byItself.page.clock.runFor(5_000);
    await byItself.page.waitForURL(byItself.back);
    const stays = await paidPage("&redirect=1");
    await stays.page.getByRole("button", { name: "Ficar nesta página" }).click();
    await stays.page.clock.runFor(20_000);
    expect(stays.page.url()).not.toContain(shopUrl);
    for (const { page } of [byButton, byItself, stays]) await browser.leave(page);
  });

  test("a paid page prints as a receipt, without buttons and simulation", async () => {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    const page = await browser.open(charge.checkout_url);
    await page.getByRole("button", { name: "Imprimir" }).waitFor();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect.poll(() => page.locator("button, main a, #panel").filter({ visible: true }).count()).toBe(0);
    await expect.poll(() => page.locator("#facts").innerText()).toContain("ID do Pix");
    await expect.poll(() => page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(0, 0, 0)");
    await browser.leave(page);
  });

  test("forced colours keep the QR code readable, also in the dark", async () => {
    const { checkout_url: url } = await emulator.charge();
    const page = await browser.open(url, { forcedColors: "active", colorScheme: "dark" });
    const styles = "getComputedStyle(document.querySelector('.qr')).backgroundColor";
    await expect.poll(() => page.evaluate(styles)).toBe("rgb(255, 255, 255)");
    await browser.leave(page);
  });

  test.each([
    ["Pagar", "charge.paid", "paid", "A cobrança está paga."],
    ["Reter para análise", "payment.status_changed", "processing", "A cobrança está em análise."],
  ])("%s of the simulation sends %s to a receiver, and says what happened", async (button, event, status, text) => {
    const receiver = await startReceiver();
    const { body: endpoint } = await emulator.call("POST", "/v1/webhooks/endpoints", {
      body: { url: receiver.url, events: [event] },
    });
    const customer = { name: "Maria", document: DOCUMENTS.cpf };
    const charge = await emulator.charge({ customer, expected_payer_tax_id: DOCUMENTS.cpf });
    const page = await browser.open(charge.checkout_url);
    const pressed = page.getByRole("region", { name: "Simulação" }).getByRole("button", { name: button, exact: true });
    await pressed.click();
    await expectText(page, "#happened", text);
    expect((await receiver.waitFor(1)).map(({ type }) => type)).toEqual([event]);
    expect(await statusOf(emulator, charge.id)).toBe(status);
    // A button that is folded with its action leaves the focus at what happened.
    const focus = button === "Pagar" ? '[data-simulate="pay"]' : "#happened";
    await expect.poll(() => page.locator(focus).evaluate(IS_FOCUSED)).toBe(true);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${endpoint.id}`);
    await receiver.close();
    await browser.leave(page);
  });

  test("impossible actions of the simulation are folded, each with a reason", async () => {
    const charge = await emulator.charge();
    const page = await browser.open(charge.checkout_url);
    const review = page.getByRole("button", { name: "Reter para análise" });
    await expect.poll(() => page.locator(".choice").filter({ visible: true }).allInnerTexts()).toHaveLength(5);
    await expect.poll(() => review.isVisible()).toBe(false);
    await page.getByText("Agora não é possível (3)").click();
    await expect.poll(() => review.isDisabled()).toBe(true);
    await expect.poll(() => page.locator("#hint-review").innerText()).toContain("expected_payer_tax_id");
    await page.getByRole("button", { name: "Pagar menos" }).click();
    await expectText(page, "#happened", "R$ 9,95 foram pagos e devolvidos");
    await expectText(page, "#notice", "Pague o valor exato.");
    await page.goto(`${charge.checkout_url}&panel=0`);
    await expectText(page, "[role=timer]", "Expira em");
    await expect.poll(() => page.getByText("Simulação").count()).toBe(0);
    await browser.leave(page);
  });

  test("no error, nothing blocked, and no request to another origin", () => {
    expect(browser.faults).toEqual([]);
  });
});
