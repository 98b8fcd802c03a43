import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import { freshKey, type Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

/** The pages that steer the emulator: clock, faults and snapshots. Each effect is seen through the API. */

describeInBrowser("the console steers", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const button = (page: Page, name: string | RegExp) => page.locator("main").getByRole("button", { name });
  const clock = () => emulator.sandbox("/clock");
  const charge = async (id: string): Promise<Loose> => (await emulator.call("GET", `/v1/charges/${id}`)).body;

  test.each([
    ["/console/scenarios", "Run charge-paid"],
    ["/console/snapshots", "Import"],
  ])("a phone has the form of %s, which is no filter that may wait behind a button", async (path, name) => {
    const page = await open.open(path, { width: 360 });
    await button(page, name).waitFor();
    expect(open.errors).toEqual([]);
  });

  test("the clock: an empty list of due work, steps, an instant, freeze and resume", async () => {
    const page = await open.open("/console/clock", { language: "pt-BR", scheme: "dark" });
    await page.getByText("Nada está agendado. Expirações").waitFor();
    const before = Date.parse((await clock()).now);
    await button(page, "+10 min").click();
    await expect.poll(async () => Date.parse((await clock()).now) - before).toBe(600_000);
    await button(page, "Retomar").click();
    await expect.poll(async () => (await clock()).frozen).toBe(false);
    await button(page, "Parar").click();
    await expect.poll(async () => (await clock()).frozen).toBe(true);
    await button(page, "Outra data…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Data e hora").fill("2020-01-01T00:00:00Z");
    await dialog.getByRole("button", { name: "Outra data…" }).click();
    await dialog.locator(".outcome-bad").waitFor();
    await dialog.getByLabel("Data e hora").fill("2030-01-01T00:00:00Z");
    await dialog.getByRole("button", { name: "Outra data…" }).click();
    await expect.poll(async () => (await clock()).now).toBe("2030-01-01T00:00:00.000Z");
    expect(open.errors).toEqual([]);
  });

  test("a jump shows its work, runs everything up to there and nothing after it, and reports what ran", async () => {
    const first = await emulator.charge({ expires_in: 600 });
    const second = await emulator.charge({ expires_in: 1_200 });
    const third = await emulator.charge({ expires_in: 1_800 });
    const page = await open.open("/console/clock");
    await page.getByText(third.id).waitFor();
    await button(page, "Run up to here").first().click();
    const dialog = page.getByRole("dialog");
    await expect.poll(() => dialog.locator(".due-steps > li").count()).toBe(2);
    await expect.poll(() => dialog.innerText()).toContain("charge.expired");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Run up to here" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await charge(first.id)).status).toBe("expired");
    expect((await charge(second.id)).status).toBe("expired");
    expect((await charge(third.id)).status).toBe("pending");
    await page.getByText("2 tasks ran:").waitFor();
    await expect.poll(() => page.locator(".due-steps a").allTextContents()).toEqual([first.id, second.id]);
    await button(page, "Next task").click();
    await expect.poll(async () => (await charge(third.id)).status).toBe("expired");
    expect(open.errors).toEqual([]);
  });

  test("work that happens alike within minutes is one row and one button", async () => {
    await emulator.call("POST", "/v1/webhooks/endpoints", {
      body: { url: "http://127.0.0.1:9/erp", events: ["charge.created"] },
    });
    await emulator.charge({ expires_in: 86_400 });
    await emulator.charge({ expires_in: 86_400 });
    await expect.poll(async () => (await emulator.sandbox("/clock/due")).data.length).toBe(4);
    const page = await open.open("/console/clock");
    const rows = page.getByRole("list", { name: "What happens next by itself, soonest first" }).locator("> li");
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.first().innerText()).toMatch(/^in .+2 webhooks retry → 127\.0\.0\.1:9\/erp/s);
    await expect.poll(() => rows.nth(1).innerText()).toMatch(/^in 1 d.+2 charges expire/s);
    await rows.nth(1).locator("summary").click();
    await expect.poll(() => rows.nth(1).getByRole("link").count()).toBe(2);
    await expectAccessible(page);
    await rows.first().getByRole("button", { name: "Run these 2" }).click();
    await page.getByText("2 tasks ran:").waitFor();
    expect(open.errors).toEqual([]);
  });

  test("a fault rule is added, hits a request, shows on every page, and is removed", async () => {
    const page = await open.open("/console/faults", { scheme: "dark" });
    await page.getByText("No rules yet.").waitFor();
    await button(page, "Add rule").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Status").fill("503");
    await dialog.getByLabel("Method").selectOption("POST");
    await dialog.getByLabel("Path").fill("/v1/charges");
    await dialog.getByLabel("Times").fill("2");
    await dialog.getByText("The next 2 POST /v1/charges are answered 503.").waitFor();
    await expect
      .poll(() => dialog.locator(".form-command").innerText())
      .toContain("sandbox faults add --match-method POST --match-path /v1/charges --effect-status 503 --times 2");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Add rule" }).click();
    await page.getByText("The next 2 POST /v1/charges are answered 503").waitFor();
    const refused = await emulator.call("POST", "/v1/charges", {
      body: { amount: 1, payment_method: "pix" },
      headers: { "idempotency-key": freshKey() },
    });
    expect(refused.status).toBe(503);
    await page.getByText("The next POST /v1/charges is answered 503").waitFor();
    await page.getByRole("link", { name: "hit 1 of 2" }).waitFor();
    const other = await open.open("/console/clock");
    await other.getByText("Faults on: 1 for requests").waitFor();
    await button(page, "Remove").click();
    await page.getByText("No rules yet.").waitFor();
    expect((await emulator.sandbox("/faults")).data).toEqual([]);
    await other.locator(".fault-chip").waitFor({ state: "detached" });
    expect(open.errors).toEqual([]);
  });

  test("ready rules and faults of webhooks are turned on, with their share in per cent, and all at once off", async () => {
    const page = await open.open("/console/faults", { language: "pt-BR" });
    await button(page, "Perder a resposta").click();
    await expect.poll(async () => (await emulator.sandbox("/faults")).data[0]?.effect).toEqual({ drop: "after" });
    const share = page.getByRole("slider", { name: "Assinatura errada" });
    await share.fill("50");
    await page.getByText("Assinar errado 50 % das tentativas.").waitFor();
    const chaos = async () => (await emulator.call("GET", "/_sandbox/webhooks/chaos")).body;
    const late = page.getByRole("switch", { name: "Atrasados" });
    await late.press("Space");
    await expect.poll(() => late.getAttribute("aria-checked")).toBe("true");
    expect(await chaos()).toMatchObject({ delay_ms: 5_000, corrupt_signature: 0.5 });
    await late.click();
    await expect.poll(() => late.getAttribute("aria-checked")).toBe("false");
    expect(await chaos()).toMatchObject({ delay_ms: 0, corrupt_signature: 0.5 });
    await expectAccessible(page);
    await page.getByText("Falhas simuladas: 1 em requisições, 1 em webhooks").waitFor();
    await page.locator(".fault-chip").click();
    await page.getByRole("menuitem", { name: "Desligar tudo" }).click();
    await page.locator(".fault-chip").waitFor({ state: "detached" });
    expect((await emulator.sandbox("/faults")).data).toEqual([]);
    expect((await emulator.sandbox("/webhooks/chaos", {})).corrupt_signature).toBe(0);
    expect(open.errors).toEqual([]);
  });

  test("a snapshot is saved, downloaded, restored with one before it, uploaded again and deleted", async () => {
    const page = await open.open("/console/snapshots");
    await page.getByText("No save points yet.").waitFor();
    await button(page, "Save").click();
    await page.getByRole("dialog").getByLabel("Name").fill("good");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "good" }).waitFor();
    const { id } = await emulator.charge();
    const coming = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download" }).click();
    const file = await (await coming).path();
    expect(readFileSync(file).subarray(0, 15).toString()).toBe("SQLite format 3");

    await button(page, "Restore").first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("is lost on this server, in all accounts").waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Restore" }).click();
    await expect.poll(async () => (await charge(id)).error?.code).toBe("not_found");
    await page.getByRole("heading", { name: /^before-/ }).waitFor();

    await page.locator('input[type="file"]').setInputFiles({
      name: "again.db",
      mimeType: "application/octet-stream",
      buffer: readFileSync(file),
    });
    await button(page, "Import").click();
    await page.getByRole("heading", { name: "again" }).waitFor();
    await page.locator('input[type="file"]').setInputFiles({
      name: "bad.db",
      mimeType: "application/octet-stream",
      buffer: Buffer.from("no snapshot"),
    });
    await button(page, "Import").click();
    await page.locator("main .outcome-bad").waitFor();
    await expectAccessible(page);

    const item = page.locator(".rules > li").filter({ has: page.getByRole("heading", { name: "good" }) });
    await item.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await item.waitFor({ state: "detached" });
    const names = (await emulator.sandbox("/snapshots")).data.map(({ name }: Loose) => name);
    expect(names).toContain("again");
    expect(names).not.toContain("good");
    expect(open.errors).toEqual([]);
  });

  test("a reset keeps a snapshot of what was there, and forgets all charges", async () => {
    const { id } = await emulator.charge();
    const page = await open.open("/console/snapshots", { language: "pt-BR", scheme: "dark" });
    await button(page, "Mais ações").click();
    await page.getByRole("menuitem", { name: "Zerar o servidor" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Zerar o servidor" }).click();
    await expect.poll(async () => (await charge(id)).error?.code).toBe("not_found");
    await page.getByText("O servidor está como novo.").waitFor();
    expect(open.errors).toEqual([]);
  });
});
