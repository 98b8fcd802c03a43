import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

describeInBrowser("why, in the console", (executablePath) => {
  const receiver = sharedReceiver();
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);
  const head = (page: Page) => page.locator("header:has(> h1)");

  test("one box says which endpoint has not accepted what, why, and when the next attempt comes", async () => {
    receiver.respond = () => ({ status: 503 });
    await subscribe(emulator, receiver.url, ["charge.paid"]);
    const { id } = await emulator.charge();
    const page = await open.open(`/console/charges/${id}`);
    await expect.poll(() => head(page).locator(".pay-line").innerText()).toContain("waiting ·");
    await emulator.sandbox(`/charges/${id}/pay`);
    await settle(emulator);
    const alarm = page.locator(".t-trouble");
    await alarm
      .filter({ hasText: "has not accepted charge.paid yet. The receiver failed: it answered 503." })
      .waitFor();
    await alarm.filter({ hasText: "Next attempt in 10 s" }).waitFor();
    await expect.poll(() => alarm.count()).toBe(1);
    await expect.poll(() => alarm.getAttribute("class")).toContain("t-trouble-warn");
    await expectAccessible(page);
    const inPortuguese = await open.open(`/console/charges/${id}`, { language: "pt-BR", width: 360, scheme: "dark" });
    await inPortuguese.getByText("ainda não aceitou charge.paid. O receptor falhou").waitFor();
    await expectAccessible(inPortuguese);
    await alarm.getByRole("link", { name: "See the delivery" }).click();
    await page.waitForURL(/\/wd_/);
  });

  test("the box counts endpoints, runs the next attempt, and is red when none is left", async () => {
    await subscribe(emulator, receiver.url, ["charge.failed"]);
    await subscribe(emulator, `${receiver.url}/other`, ["charge.failed"]);
    receiver.respond = ({ path }) => ({ status: path.endsWith("/other") ? 500 : 204 });
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/fail`);
    const page = await open.open(`/console/charges/${id}`);
    const alarm = page.locator(".t-trouble");
    await alarm.filter({ hasText: "1 of 2 endpoints has charge.failed." }).waitFor();
    await alarm.getByRole("button", { name: "Run now" }).click();
    await alarm.filter({ hasText: "Next attempt in 20 s" }).waitFor();
    await emulator.sandbox("/clock/advance", { seconds: 7 * 86_400 });
    await expect.poll(() => alarm.getAttribute("class")).not.toContain("warn");
    await expect.poll(() => alarm.getByRole("button").count()).toBe(0);
  });

  test("a webhook that was not sent yet is no failure", async () => {
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    receiver.respond = () => answered.then(() => ({ status: 204 }));
    await subscribe(emulator, receiver.url, ["charge.paid"]);
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    const page = await open.open(`/console/charges/${id}`);
    await head(page).getByText("sending…").waitFor();
    await expect.poll(() => page.locator(".t-trouble").count()).toBe(0);
    answer();
  });
});
