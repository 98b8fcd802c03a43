import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { launchConsole } from "../../support/console-browser.js";
import { goByKeys } from "../../support/console-visits.js";
import { openCase, paidCharge } from "../../support/med.js";
import { REQUESTS } from "../../support/payments.js";
import { paidPayment } from "../../support/refunds.js";
import { shared, sharedEmulator } from "../../support/shared.js";

const HOSTILE = "<b onclick=alert(1)>Loja & Cia</b>";

describeInBrowser("wallets, accounts and settings in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true, settlementHoldMs: 86_400_000 });
  const open = shared(() => launchConsole(executablePath, emulator));
  let page: Page;

  beforeAll(async () => {
    page = await open.open("/console/wallets");
  });

  afterAll(() => {
    expect(open.errors).toEqual([]);
  });

  const go = async (path: string) => {
    await page.goto(emulator.url + path);
    await page.locator("main h1").waitFor();
  };
  const bucket = (name: string) => page.locator(".buckets div").filter({ has: page.getByText(name, { exact: true }) });
  const worksWith = async (key: string) => (await emulator.call("GET", "/v1/wallets", { key })).status;

  test("the wallet follows a payment: bucket, held release, journal and check, and a jump makes it available", async () => {
    await page.getByText("No money has moved in this account and mode yet").first().waitFor();
    const { id } = await paidCharge(emulator);
    await bucket("Pending").getByText("R$ 19,90").waitFor();
    const size = (name: string) =>
      bucket(name)
        .locator(".bucket-amount")
        .evaluate((amount) => Number.parseFloat(getComputedStyle(amount).fontSize));
    expect(await size("Pending")).toBeGreaterThan(await size("Outside"));
    await page.getByText("Other balances").click();
    await bucket("Outside").getByText("−R$ 19,90").waitFor();
    await page.getByText("R$ 19,90 of the charge becomes available").waitFor();
    await page.getByText("The ledger balances: 1 journal ✓").waitFor();
    // A list shows the first rows at once. Only with a row in it do the next ones wait behind the button.
    const journals = page.locator(".table-frame a").filter({ hasText: id });
    await expect.poll(() => journals.count()).toBe(1);
    await page.getByRole("button", { name: "Run it" }).click();
    await bucket("Available").getByText("R$ 19,90").waitFor();
    const { available } = (await emulator.call("GET", "/v1/wallets/balance")).body;
    expect(available).toBe(1990);
    await page.getByRole("button", { name: "1 new" }).click();
    await expect.poll(() => journals.count()).toBe(2);
  });

  test("a journal shows its entries and what each bucket held after it, also of one object alone", async () => {
    const { id } = await openCase(emulator);
    await go(`/console/wallets?bucket=retained`);
    const rows = page.locator(".table-frame tbody tr");
    await expect.poll(() => rows.count()).toBe(2);
    const cells = rows.first().locator("td, th");
    await expect
      .poll(async () => (await cells.allTextContents()).slice(3))
      .toEqual(["Available", "−R$ 19,90", "R$ 0,00"]);
    await go(`/console/wallets?reference=${id}`);
    await page.getByRole("columnheader", { name: "Sum of these" }).waitFor();
    const sums = rows.locator("td:last-child");
    await expect.poll(() => sums.allTextContents()).toEqual(["−R$ 19,90", "R$ 19,90"]);
    await go("/console/wallets?reference=nothing");
    await page.getByText("must be the id of a charge, payment, refund, payout or MED case").first().waitFor();
  });

  test("an entry of a journal is a card of two lines on a phone, at most 84 pixels high, with its sums whole", async () => {
    const narrow = await open.open("/console/wallets", { width: 360 });
    const rows = narrow.locator(".table-frame tbody tr");
    await rows.first().waitFor();
    const heights = "[...document.querySelectorAll('.table-frame tbody tr')].map((row) => row.offsetHeight)";
    const found = await narrow.evaluate<number[]>(heights);
    expect(found.filter((height) => height > 84 || height < 40)).toEqual([]);
    const cut =
      "[...document.querySelectorAll('.money')].filter((one) => one.getBoundingClientRect().right > 360).length";
    expect(await narrow.evaluate(cut)).toBe(0);
  });

  test("the journals of the filter are saved as CSV", async () => {
    await go("/console/wallets?bucket=retained");
    const waiting = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const file = await waiting;
    expect(file.suggestedFilename()).toBe("journals-BRL.csv");
    const lines = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\r\n");
    expect(lines[0]).toBe("journal,at,kind,reference,currency,bucket,amount");
    expect(lines.slice(1).map((line) => line.split(",").slice(-2))).toEqual([
      ["available", "-1990"],
      ["retained", "1990"],
    ]);
    await page.getByText("2 rows saved.").waitFor();
  });

  test("each currency has its own page, and a button starts the check", async () => {
    await paidPayment(emulator, { ...REQUESTS.MBWAY, currency: "EUR", amount: 700 });
    await go("/console/wallets");
    await page.getByRole("link", { name: "EUR" }).click();
    await bucket("Pending").getByText("€ 7,00").waitFor();
    await expect.poll(() => page.url()).toContain("/console/wallets/EUR");
    await expect
      .poll(() => page.locator("[data-command]").textContent())
      .toContain("sandbox ledger list --currency EUR");
    await page.getByRole("button", { name: "Check now" }).click();
    await page.locator("output").getByText("The ledger balances").waitFor();
  });

  test("a new account shows its keys once, and they work", async () => {
    await go("/console/accounts");
    await page.getByRole("button", { name: "New account" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(HOSTILE);
    await page.getByRole("dialog").getByRole("button", { name: "New account" }).click();
    await page.getByText("Shown only once").waitFor();
    const shown = await page.locator(".once code").allTextContents();
    expect(shown[2]).toBe(`QA_PAY_API_KEY=${shown[0]}`);
    expect(await worksWith(String(shown[0]))).toBe(200);
    expect(shown).toHaveLength(7);
    await page.locator("tbody").getByText(HOSTILE).waitFor();
    await page.reload();
    await page.locator("tbody").getByText(HOSTILE).waitFor();
    await expect.poll(() => page.locator(".once").count()).toBe(0);
  });

  test("keys of another account are changed only after it was chosen", async () => {
    await go("/console/accounts");
    await page.locator("tr").filter({ hasText: HOSTILE }).locator("a.row").click();
    const change = page.getByRole("button", { name: "Switch to this account" });
    await change.waitFor();
    const buttons = page.getByRole("button", { name: /^(Create key|Rotate|Revoke)$/ });
    await page.locator("tbody tr").first().waitFor();
    await expect.poll(() => buttons.count()).toBe(0);
    await change.click();
    await expect.poll(() => buttons.allInnerTexts()).toEqual(["Create key", "Rotate", "Revoke", "Rotate", "Revoke"]);
    await expect.poll(() => page.url()).toContain("account=acc_");
  });

  test("a key is issued, rotated and revoked: each is shown once, works or is dead, and is in the audit", async () => {
    await go("/console/accounts");
    await page.locator("main a.row").last().click();
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByRole("dialog").getByLabel("Label").fill("ci");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const [first] = await shownOnce();
    expect(first).toMatch(/^qa_test_/);
    expect(await worksWith(String(first))).toBe(200);

    const row = page.locator("tr").filter({ hasText: "ci" }).filter({ hasText: "active" });
    await row.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").getByText("stops working at once. A new key replaces it").waitFor();
    expect(await worksWith(String(first))).toBe(200);
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    await expect.poll(async () => (await shownOnce())[0]).not.toBe(first);
    const [second] = await shownOnce();
    expect([await worksWith(String(first)), await worksWith(String(second))]).toEqual([401, 200]);

    await page.locator("tr").filter({ hasText: "ci" }).getByText("revoked").waitFor();
    await row.getByRole("button", { name: "Revoke" }).click();
    await page
      .getByRole("dialog")
      .getByText(/\(ci, test\) stops working at once and permanently/)
      .waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Key revoked.").waitFor();
    expect(await worksWith(String(second))).toBe(401);
    await expect
      .poll(() => page.locator("ol.plain code:first-of-type").allTextContents())
      .toEqual(["api_key.revoked", "api_key.rotated", "api_key.issued"]);
  });

  test("a window of 1280 pixels shows all columns of the keys", async () => {
    await go("/console/accounts");
    await page.locator("main a.row").last().click();
    await page.getByRole("button", { name: "Revoke" }).first().waitFor();
    const hidden = () =>
      page.locator("main .table-frame").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    await expect.poll(hidden).toBe(0);
  });

  const shownOnce = async () => {
    await page.locator(".once").waitFor();
    return page.locator(".once code").allTextContents();
  };

  test("the settings tell what this start has that is not the default", async () => {
    await go("/console/settings");
    const row = page.locator("tr").filter({ has: page.getByText("--settlement-hold", { exact: true }) });
    await row.getByText("1d").waitFor();
    await page.getByText(":memory:").waitFor();
    await page.getByText(`${emulator.url}/openapi.json`).first().waitFor();
    const document = await fetch(`${emulator.url}/openapi.json`);
    expect(document.status).toBe(200);
    await expect.poll(() => page.locator(".code pre").textContent()).not.toContain(emulator.key);
  });

  test("a jump to the end of a hold first shows what else runs until then", async () => {
    await paidCharge(emulator);
    const { id } = await emulator.charge({ expires_in: 600 });
    await go("/console/wallets");
    await page.getByRole("button", { name: "Run up to here" }).last().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: id }).waitFor();
    await dialog.getByRole("button", { name: "Run up to here" }).click();
    await expect.poll(async () => (await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("expired");
  });

  test("language, theme, density and single keys are chosen here, and kept", async () => {
    await go("/console/settings");
    await page.getByRole("button", { name: "Português" }).click();
    await page.getByRole("heading", { level: 1, name: "Configurações" }).waitFor();
    await page.getByRole("button", { name: "Escuro" }).click();
    await page.getByRole("button", { name: "Compacta" }).click();
    await page.getByLabel("Atalhos de uma tecla").uncheck();
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Configurações" }).waitFor();
    const root = page.locator("html");
    await expect
      .poll(() => root.evaluate(({ lang, dataset }: HTMLElement) => [lang, dataset.theme, dataset.density]))
      .toEqual(["pt-BR", "dark", "tight"]);
    await page.locator("main h1").press("g");
    await page.locator("main h1").press("w");
    expect(page.url()).toContain("/console/settings");
    await page.getByLabel("Atalhos de uma tecla").check();
    await goByKeys(page, "w", "/console/wallets");
    await page.getByRole("heading", { level: 1, name: "Carteiras" }).waitFor();
  });
});
