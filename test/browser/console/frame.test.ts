import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import { paidCharge } from "../../support/med.js";
import { sharedEmulator } from "../../support/shared.js";

/** The frame of every page: its palette, recording, menu, mark of faults, and notices. */

/** Where each page is that had an entry of its own. */
const MOVED = [
  ["/console/deliveries?status=FAILED", "/console/webhooks?status=FAILED"],
  ["/console/events", "/console/webhooks?view=event"],
  ["/console/receiver", "/console/endpoints?view=check"],
  ["/console/mail?kind=MED%20opened", "/console/med?view=mail&kind=MED+opened"],
  ["/console/snapshots", "/console/scenarios?view=snapshots"],
  ["/console/survive", "/console/scenarios?view=survive"],
] as const;

describeInBrowser("the frame of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const palette = (page: Page) => page.getByRole("dialog", { name: "Search or run a command" });
  const field = (page: Page) => palette(page).getByRole("combobox");
  const options = (page: Page) => palette(page).getByRole("option");

  test("the field of the palette stays where it is, whatever is found, and nothing but the list is below it", async () => {
    const page = await open.open("/console/");
    await page.keyboard.press("Control+k");
    const top = () => field(page).evaluate((one) => one.getBoundingClientRect().top);
    const first = await top();
    expect(first).toBeGreaterThan(0.12 * 900);
    for (const query of ["a", "refund", "no such thing at all", "charges create", ""]) {
      await field(page).fill(query);
      await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
      expect(await top(), query).toBe(first);
    }
    await expect.poll(() => palette(page).getByRole("button", { name: "Close" }).count()).toBe(0);
    await page.mouse.click(5, 850);
    await palette(page).waitFor({ state: "detached" });
  });

  test("the palette shows an object by amount, state, person and day, and finds pages by other words", async () => {
    await paidCharge(emulator, { amount: 34_900, customer: { name: "Luíza Cavalcanti" } });
    const page = await open.open("/console/");
    await page.keyboard.press("Control+k");
    await field(page).fill("cavalcanti");
    await expect
      .poll(() => options(page).first().innerText())
      .toMatch(/^R\$ 349,00\s+Paid\s+Luíza Cavalcanti · \d{1,2} \w{3}$/);
    await expectAccessible(page);
    const first = {
      refund: "Refunds",
      key: "Accounts and keys",
      pay: "Charges",
      env: "Connect",
      "1h": "Advance the clock by 1 h",
    };
    for (const [query, name] of Object.entries(first)) {
      await field(page).fill(query);
      await expect.poll(() => options(page).first().innerText(), { message: query }).toMatch(new RegExp(`^${name}`));
    }
    expect(open.errors).toEqual([]);
  });

  test("the recording in the head counts steps, shows the test that they are, and survives a reload", async () => {
    const page = await open.open("/console/charges");
    const recording = page.getByRole("button", { name: /^Recording:/ });
    await expect.poll(() => recording.innerText()).toMatch(/0\s+steps/);
    await recording.click();
    const sheet = page.getByRole("complementary", { name: "Recording" });
    await expect.poll(() => sheet.getByRole("button", { name: "Save as test" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "New charge" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount", { exact: true }).fill("19,90");
    await dialog.getByRole("button", { name: "New charge" }).click();
    await page.locator("main h1", { hasText: "R$ 19,90" }).waitFor();
    await sheet.getByText('expect(chargesCreate.status).toBe("pending");').waitFor();
    await expectAccessible(page, "all", "whole");
    await page.reload();
    await expect.poll(() => recording.innerText()).toMatch(/1\s+step$/);
    await recording.click();
    const coming = page.waitForEvent("download");
    await sheet.getByRole("button", { name: "Save as test" }).click();
    const saved = readFileSync(await (await coming).path(), "utf8");
    expect(saved).toMatch(/client\["charges.create"\]\(\{ body: \{.*amount: 1990/);
    await sheet.getByRole("link", { name: "All formats and rerun" }).click();
    const again = page.waitForEvent("download");
    await page.locator("main").getByRole("button", { name: "Save as test" }).click();
    expect(readFileSync(await (await again).path(), "utf8")).toBe(saved);
    await sheet.getByRole("button", { name: "Clear" }).press("Escape");
    await sheet.waitFor({ state: "detached" });
    await page.locator("button.recording:focus").waitFor();
    expect(open.errors).toEqual([]);
  });

  test("the menu has thirteen entries and the documentation; account and settings are behind the account's menu", async () => {
    const page = await open.open("/console/");
    const links = page.locator("nav.menu a");
    const addresses = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    const pages = addresses.filter((one) => one?.startsWith("/console/"));
    expect(pages).toHaveLength(13);
    expect(addresses.at(-1)).toBe("/docs");
    await page.locator(".top .book").click();
    await page.getByRole("menuitem", { name: "Accounts and keys" }).waitFor();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.locator("main h1", { hasText: "Settings" }).waitFor();
  });

  test("an old address leads to where its page is now, with its filters", async () => {
    const page = await open.open("/console/");
    for (const [old, present] of MOVED) {
      await page.goto(emulator.url + old);
      await page.waitForURL(emulator.url + present);
      await page.locator("main h1").waitFor();
    }
    expect(open.errors).toEqual([]);
  });

  test("faults that are on stand in the bar as a number on a phone, and in words where there is room", async () => {
    await emulator.sandbox("/faults", { match: { path: "/v1/nothing" }, effect: { status: 503 } });
    await emulator.sandbox("/webhooks/chaos", { duplicate: 0.2, reorder: 0.1 });
    const chip = (page: Page) => page.locator(".fault-chip");
    const wide = await open.open("/console/requests");
    await expect.poll(() => chip(wide).innerText()).toBe("Faults on: 1 for requests, 2 for webhooks");
    for (const [language, text] of [
      ["en", "Faults on: 3"],
      ["pt-BR", "Falhas simuladas: 3"],
    ] as const) {
      const phone = await open.open("/console/requests", { width: 360, language });
      await expect.poll(() => chip(phone).innerText()).toBe(text);
      const isWhole = "((one) => one.scrollWidth <= one.clientWidth)(document.querySelector('.fault-chip'))";
      await expect.poll(() => phone.evaluate(isWhole)).toBe(true);
    }
    await chip(wide).click();
    await wide.getByRole("menuitem", { name: "Turn all off" }).click();
    await chip(wide).waitFor({ state: "detached" });
    expect((await emulator.sandbox("/faults")).data).toEqual([]);
  });

  test("a notice is at the end of the window, above the line of the command, and covers neither", async () => {
    const page = await open.open("/console/settings");
    await page.locator("main h1").press("y");
    const notice = page.locator(".notice", { hasText: "Address copied." });
    await notice.waitFor();
    const { x = 0, y = 0, width = 0, height = 0 } = (await notice.boundingBox()) ?? {};
    const strip = await page.locator(".strip").boundingBox();
    expect(y + height).toBeLessThanOrEqual(strip?.y ?? 0);
    expect(x + width).toBeGreaterThan(1_280 - 40);
    expect(x).toBeGreaterThan(640);
  });
});
