import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, launchConsole } from "../../support/console-browser.js";
import { pageAddresses, viewAddresses } from "../../support/console-menu.js";
import { goWithin } from "../../support/console-visits.js";
import type { TestEmulator } from "../../support/emulator.js";
import { addEvidence, openCase, paidCharge } from "../../support/med.js";
import type { Receiver } from "../../support/receiver.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

/** The pages in Portuguese: what is left of English is marked as English, so that a screen reader reads it so. */

/**
 * In the page: texts that hold English words which Portuguese does not have, other than code, ids, JSON and what is marked as
 * English. Folded parts are opened before.
 */
const ENGLISH = `(() => {
  for (const one of document.querySelectorAll("details")) one.open = true;
  const english = /\\b(the|is|are|was|were|and|with|from|has|have|which|this|that|not|of|by|your|there|becomes|expires)\\b/i;
  const isLeft = (element, text) => english.test(text) && element.closest('[lang="en"], code, pre, script, noscript, .json, .id') === null;
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (isLeft(parentElement, textContent)) found.push(textContent.trim());
  }
  for (const name of ["title", "aria-label", "placeholder"]) {
    for (const one of document.querySelectorAll("[" + name + "]")) {
      if (isLeft(one, one.getAttribute(name))) found.push(name + ": " + one.getAttribute(name));
    }
  }
  return found;
})()`;

async function fill(emulator: TestEmulator, receiver: Receiver): Promise<void> {
  receiver.respond = () => ({ status: 500, body: "erro" });
  await subscribe(emulator, receiver.url, ["charge.created", "charge.paid", "med_case.created"]);
  await emulator.charge({ description: "Pedido 1" });
  await emulator.charge({ metadata: { _sandbox: { pay_after: 60, med_after: 600 } } });
  const { id } = await paidCharge(emulator);
  const { id: caseId } = await openCase(emulator, { charge_id: id, reason: "Compra desconhecida" });
  await addEvidence(emulator, caseId, { file_name: "recibo.png" });
  await refund(emulator, (await paidPayment(emulator, { amount: 5_000 })).id, { amount: 100 });
  await emulator.sandbox("/payouts", { amount: 700 });
  await emulator.sandbox("/faults", { match: { path: "/v1/nada" }, effect: { status: 503 } });
  await emulator.sandbox("/webhooks/chaos", { duplicate: 0.5 });
  await emulator.sandbox("/snapshots", { name: "antes" });
  await emulator.call("GET", "/v1/payments?sort=nada");
  await settle(emulator);
}

describeInBrowser("the console in Portuguese", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const receiver = sharedReceiver();
  let open: ConsoleBrowser;
  let page: Page;

  beforeAll(async () => {
    await fill(emulator, receiver);
    open = await launchConsole(executablePath, emulator);
    page = await open.open("/console/", { language: "pt-BR" });
  });

  afterAll(async () => {
    await open?.close();
  });

  async function isPortuguese(address: string): Promise<void> {
    if (new URL(page.url()).pathname !== address) await goWithin(page, address);
    await expect.poll(() => page.locator("main").getByText("Carregando…").count()).toBe(0);
    expect(await page.evaluate(ENGLISH), address).toEqual([]);
    // The browser's own fields speak the language of the browser.
    const own = "main :is(input[type=date], input[type=datetime-local], input[type=file]:not(.visually-hidden))";
    await expect.poll(() => page.locator(own).count(), { message: address }).toBe(0);
  }

  test("has no English sentence on any page that is not marked as English", async () => {
    for (const address of [...pageAddresses, ...viewAddresses, "/console/no-such-page", "/console/go/19,90"]) {
      await isPortuguese(address);
      const rows = page.locator("main a.row");
      const objects = await rows.evaluateAll((found) => found.map((row) => row.getAttribute("href") ?? ""));
      for (const object of objects.slice(0, 4)) await isPortuguese(object);
    }
  });

  test("says what is due in Portuguese, in the list of the clock and under a charge", async () => {
    await page.goto(`${emulator.url}/console/clock`);
    await page.locator("main").getByText("a cobrança é paga").first().waitFor();
    const { id } = await emulator.charge();
    await page.goto(`${emulator.url}/console/charges/${id}`);
    await page.locator("main .t-due").getByText("a cobrança expira sem pagamento").waitFor();
  });

  test("says what the check of a receiver sends and advises in Portuguese", async () => {
    await page.goto(`${emulator.url}/console/endpoints?view=check`);
    await page.getByRole("button", { name: "Testar uma URL…" }).click();
    await page.getByLabel("URL", { exact: true }).fill(receiver.url);
    await page.getByRole("dialog").getByRole("button", { name: "Testar uma URL…" }).click();
    const table = page.getByRole("table", { name: "Verificações" });
    await expect.poll(() => table.locator("tbody tr").count()).toBe(25);
    expect(await page.evaluate(ENGLISH)).toEqual([]);
    await page.getByText(/\d+ de 25 verificações falharam/).waitFor();
    await expect.poll(() => table.locator("tbody tr").count()).toBe(25);
    expect(await page.evaluate(ENGLISH)).toEqual([]);
    await expect.poll(() => table.locator("[lang]").count()).toBe(0);
    await expect
      .poll(() => table.innerText())
      .toContain("O receptor falhou (500). Responda 2xx a um tipo desconhecido");
  });

  test("has its own words for a refused connection in the sentence about an attempt", async () => {
    const { id } = await subscribe(emulator, "http://127.0.0.1:9/nobody", ["charge.created"]);
    const charge = await emulator.charge();
    await settle(emulator);
    await page.goto(`${emulator.url}/console/charges/${charge.id}`);
    const told = page.locator("main .t-attempt", { hasText: "tentativa 1: conexão recusada" });
    await told.first().waitFor({ state: "attached" });
    await expect.poll(() => told.locator('[lang="en"]').count()).toBe(0);
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
  });

  test("marks the refusal of the service as English, behind its own word", async () => {
    await page.goto(`${emulator.url}/console/med`);
    await page.getByRole("button", { name: "Abrir caso MED" }).click();
    await page.getByLabel("Cobrança ou pagamento").fill("ch_nada");
    await page.getByRole("dialog").getByRole("button", { name: "Abrir caso MED" }).click();
    const refusal = page.getByRole("dialog").locator("output", { hasText: "Recusado:" });
    await refusal.locator('[lang="en"]').waitFor();
  });

  test("changes the language where the page is, and keeps the one that was chosen", async () => {
    const window = await open.open("/console/payouts", { language: "pt-BR" });
    await window.getByRole("heading", { name: "Saques" }).waitFor();
    await window.goto(`${emulator.url}/console/settings`);
    await window.getByRole("button", { name: "English" }).click();
    await window.getByRole("heading", { name: "Settings" }).waitFor();
    await window.getByRole("link", { name: "Payouts" }).click();
    await window.getByRole("heading", { name: "Payouts" }).waitFor();
    await window.reload();
    await window.getByRole("heading", { name: "Payouts" }).waitFor();
  });
});
