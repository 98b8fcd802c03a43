import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { verifyWebhook } from "../../../src/service/webhooks/index.js";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import type { Received } from "../../support/receiver.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** The page that connects an application: its variables, a receiver in its language, and three checks. */

describeInBrowser("the page Connect", (executablePath) => {
  const emulator = sharedEmulator();
  const receiver = sharedReceiver();
  const open = sharedConsole(executablePath, emulator);

  beforeEach(async () => {
    await emulator.sandbox("/reset", {});
    receiver.respond = null;
  });

  /** Answers like an application that verifies each webhook. */
  const verifying = (secret: string) => {
    receiver.respond = ({ raw, headers }: Received) => {
      try {
        verifyWebhook({ body: raw, headers, secret });
        return { status: 204 };
      } catch {
        return { status: 400 };
      }
    };
  };

  /** The text that the page copied last. */
  async function copied(page: Page, press: () => Promise<void>): Promise<string> {
    await page.evaluate(
      "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.copied = text; } } })",
    );
    await press();
    await expect.poll(() => page.evaluate("typeof globalThis.copied")).toBe("string");
    return page.evaluate<string>("globalThis.copied");
  }

  const check = (page: Page, title: string) => page.locator(".check", { hasText: title });

  async function pay(): Promise<void> {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`, {});
  }

  test("one click copies the block from any page, and another shows what my app requested in the last minute", async () => {
    const { secret } = await subscribe(emulator, receiver.url, ["charge.paid"]);
    await emulator.charge();
    const page = await open.open("/console/charges");
    const menu = page.locator("nav.menu");
    const block = `QA_PAY_BASE_URL=${emulator.url}\nQA_PAY_API_KEY=${emulator.key}\nQA_PAY_WEBHOOK_SECRET=${secret}\n`;
    expect(await copied(page, () => menu.getByRole("button", { name: "Copy .env" }).click())).toBe(block);
    await page.locator(".notice", { hasText: "address, key and webhook secret" }).waitFor();
    await expectAccessible(page, "all", "whole");
    await menu.getByRole("button", { name: "Requests of my app: last 1 min" }).click();
    await page.locator("main a.row").first().waitFor();
    expect(new URL(page.url()).search).toBe("?caller=app&since=1m");
    await expect.poll(() => menu.getByRole("button", { name: /last 1 min/ }).count()).toBe(0);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("copy env");
    await page.evaluate("globalThis.copied = undefined");
    expect(await copied(page, () => page.keyboard.press("Enter"))).toBe(block);
  });

  test("one button copies address, key and secret, and no key is created", async () => {
    const keys = async () => {
      const [account] = (await emulator.sandbox("/accounts")).data;
      return account.modes.map((mode: Loose) => mode.keys);
    };
    const before = await keys();
    const page = await open.open("/console/connect");
    const text = await copied(page, () => page.getByRole("button", { name: "Copy .env" }).click());
    expect(text.split("\n")).toEqual([
      `QA_PAY_BASE_URL=${emulator.url}`,
      `QA_PAY_API_KEY=${emulator.key}`,
      `QA_PAY_WEBHOOK_SECRET=${emulator.signingSecret}`,
      "",
    ]);
    expect(await keys()).toEqual(before);
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("the receiver has the secret of the endpoint in six languages, and the chosen one is remembered", async () => {
    const { secret } = await subscribe(emulator, receiver.url, ["charge.paid"]);
    const page = await open.open("/console/connect");
    const code = page.locator(".connect-code").nth(1);
    for (const name of ["Node", "Python", "PHP", "Go", "Ruby", "Java"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect.poll(() => code.innerText(), { message: name }).toContain(secret);
    }
    await page.reload();
    await expect.poll(() => code.innerText()).toContain("Receiver.java");
    await expect.poll(() => page.locator(".connect-code").first().innerText()).toContain(secret);
  });

  test("three checks turn green by themselves: a request, a webhook, a signature that was verified", async () => {
    const { secret } = await subscribe(emulator, receiver.url, ["charge.paid"]);
    verifying(secret);
    const page = await open.open("/console/connect");
    for (const title of ["A webhook was accepted", "A signature was verified"]) {
      await expect.poll(() => check(page, title).getAttribute("class")).toContain("wait");
    }
    await expectAccessible(page);
    await emulator.call("GET", "/v1/wallets");
    const request = check(page, "A request with this key arrived");
    await expect.poll(() => request.innerText()).toContain("GET /v1/wallets");
    await expect.poll(() => request.getAttribute("class")).toContain("good");
    await pay();
    await expect.poll(() => check(page, "A webhook was accepted").getAttribute("class")).toContain("good");
    const signature = check(page, "A signature was verified");
    await expect.poll(() => signature.getAttribute("class")).toContain("good");
    await expect.poll(() => signature.innerText()).toContain("Wrong signature: 400, refused.");
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("a receiver that believes a wrong signature is told so, and turns green once it verifies", async () => {
    const { secret } = await subscribe(emulator, receiver.url, ["charge.paid"]);
    const page = await open.open("/console/connect", { width: 360, scheme: "dark" });
    await pay();
    const signature = check(page, "A signature was verified");
    await expect.poll(() => signature.innerText()).toContain("It answered 204 to a wrong signature");
    await expectAccessible(page);
    verifying(secret);
    await pay();
    await expect.poll(() => signature.getAttribute("class")).toContain("good");
  });

  test("without an endpoint the page adds one, and pays a charge to try it", async () => {
    const page = await open.open("/console/connect", { language: "pt-BR" });
    await page.locator("main").getByRole("button", { name: "Adicionar endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByRole("button", { name: "Adicionar endpoint" }).click();
    await page.getByText(`Este é o segredo do endpoint ${receiver.url}`).waitFor();
    await page.getByRole("button", { name: "Criar e pagar R$ 19,90" }).click();
    await expect.poll(() => check(page, "Um webhook foi aceito").getAttribute("class")).toContain("good");
    expect(open.errors).toEqual([]);
  });
});
