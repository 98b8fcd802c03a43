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

  test("the head says why it is as it is, in the words of the reader, and says it anew when that changes", async () => {
    receiver.respond = () => ({ status: 503 });
    await subscribe(emulator, receiver.url, ["charge.paid"]);
    const { id } = await emulator.charge();
    const page = await open.open(`/console/charges/${id}`);
    await expect.poll(() => head(page).textContent()).toMatch(/Nobody has paid it yet\. It can be paid until \D*\d/);
    await emulator.sandbox(`/charges/${id}/pay`);
    await settle(emulator);
    const said = head(page).locator("p", { hasText: "It is paid, but charge.paid was not delivered." });
    await said.filter({ hasText: "The receiver failed: it answered 503." }).waitFor();
    await head(page).locator(".t-trouble", { hasText: "charge.paid was not delivered." }).waitFor();
    await expect.poll(() => page.getByText("has not arrived.").count()).toBe(0);
    await said.getByRole("link").click();
    await head(page).getByText("The next attempt is at").waitFor();
    await expectAccessible(page);
    const inPortuguese = await open.open(`/console/charges/${id}`, { language: "pt-BR", width: 360, scheme: "dark" });
    await inPortuguese.getByText("Está paga, mas charge.paid não foi entregue. O receptor falhou").waitFor();
    await expectAccessible(inPortuguese);
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
    await head(page).getByText("charge.paid has not been sent yet.").waitFor();
    await expect.poll(() => page.locator(".t-trouble").count()).toBe(0);
    answer();
  });

  test("the failure in the head is not repeated below it, and another failed webhook is shown", async () => {
    receiver.respond = () => ({ status: 503 });
    await subscribe(emulator, receiver.url, ["charge.expired"]);
    const { id } = await emulator.charge({ expires_in: 60 });
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const page = await open.open(`/console/charges/${id}`);
    await page.locator(".t-trouble", { hasText: "1 of 1 webhooks has not arrived." }).waitFor();
    await expect.poll(() => head(page).textContent()).not.toContain("charge.expired");
  });
});
