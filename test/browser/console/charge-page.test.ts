import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** The head of a charge: its line, its alarm, its actions, and the timeline below. */

const HOSTILE = "<img src=x onerror=alert(1)>";

describeInBrowser("the page of a charge", (executablePath) => {
  const receiver = sharedReceiver();
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  beforeAll(async () => {
    await subscribe(emulator, receiver.url, ["charge.paid", "charge.expired"]);
  });

  const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);
  const button = (page: Page, name: string) => page.locator("main").getByRole("button", { name, exact: true });
  const dialogButton = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });
  const head = (page: Page) => page.locator("header:has(> h1)");
  const statusOf = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).body.status as string;

  async function openCharge(id: string): Promise<Page> {
    const page = await open.open(`/console/charges/${id}`);
    await page.locator(".timeline").waitFor();
    return page;
  }

  async function paid(amount = 1990): Promise<Loose> {
    const charge = await emulator.charge({ amount });
    await emulator.sandbox(`/charges/${charge.id}/pay`, {});
    return charge;
  }

  test("half is refunded by one button, below an amount that says what is left", async () => {
    const { id } = await paid(1_599_000);
    const page = await openCharge(id);
    const before = await button(page, "Refund").boundingBox();
    await button(page, "Refund").click();
    const amount = page.getByRole("dialog").getByLabel("Amount", { exact: true });
    await soon(() => amount.inputValue()).toBe("15.990,00");
    await dialogButton(page, "Half").click();
    await page.getByText("R$ 7.995,00 of R$ 15.990,00").waitFor();
    await soon(() => page.getByRole("dialog").getByLabel("Strategy").isVisible()).toBe(false);
    await dialogButton(page, "Refund").click();
    await page.getByText("Refund accepted:").waitFor();
    const refunds = (await emulator.call("GET", `/v1/payments/${id.replace("ch_", "")}/refunds`)).body;
    expect(refunds).toMatchObject([{ amount: 799_500 }]);
    // The outcome moves no button.
    expect(await button(page, "Refund").boundingBox()).toEqual(before);
  });

  test("the line of a charge runs from the application to the receiver, with the milliseconds of each", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    const line = page.getByRole("list", { name: "From your application to your receiver" });
    await soon(() => line.locator(".station-next").innerText()).toContain("not yet");
    await button(page, "Pay").click();
    await soon(() => line.locator(".station-good").count()).toBe(4);
    await soon(() => line.innerText()).toMatch(/201 in \d+ ms.*paid after.*204 in \d+ ms/s);
    await soon(() => page.locator(".t-trouble").count()).toBe(0);
    await expectAccessible(page);
  });

  test("a step of the script names it in plain words, and its picture opens to the details", async () => {
    const { id } = await emulator.charge({ metadata: { _sandbox: { pay_after: 60 } } });
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    const page = await openCharge(id);
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(() => story.innerText()).toContain("by the script, 1 min after creation");
    await soon(() => story.innerText()).not.toMatch(/due work|transaction\.pay/);
    const details = story.getByRole("button", { name: "Details" }).first();
    await details.click();
    await soon(() => details.getAttribute("aria-expanded")).toBe("true");
  });

  test("on a phone, Pay stays above the main pages, and the buttons of the head are in one row", async () => {
    const { id } = await emulator.charge();
    const page = await open.open(`/console/charges/${id}`, { width: 360 });
    const pay = page.locator(".pay-bar").getByRole("button", { name: "Pay" });
    const box = await pay.boundingBox();
    const foot = await page.locator(".foot").boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
    const tops = await page
      .locator(".head-actions :is(.button, button:visible)")
      .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect(new Set(tops).size).toBe(1);
    await expectAccessible(page);
    await pay.click();
    await soon(() => head(page).innerText()).toContain("Paid");
    await soon(() => page.locator(".pay-bar").count()).toBe(0);
  });

  test("an object that was opened from a list leads to its neighbours there", async () => {
    await paid();
    await paid();
    const page = await open.open("/console/charges");
    await page.locator("main a.row").first().click();
    await page.getByText(/^1 of \d+/).waitFor();
    await soon(() => page.getByRole("link", { name: "Previous" }).count()).toBe(0);
    await page.getByRole("link", { name: "Next" }).click();
    await page.getByText(/^2 of \d+/).waitFor();
    await page.getByRole("link", { name: "Previous" }).waitFor();
  });

  test("one button skips to the expiry, and the story says that the clock was advanced", async () => {
    const { id } = await emulator.charge({ expires_in: 600 });
    const page = await openCharge(id);
    await soon(() => head(page).innerText()).toContain("waiting · 10 min");
    await button(page, "Skip to expiry (in 10 min)").click();
    await soon(() => statusOf(id)).toBe("expired");
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(() => story.innerText()).toMatch(/the clock is advanced: \+10 min/);
    await soon(() => head(page).innerText()).toContain("expired after 10 min");
  });

  test("a failed delivery is shown once, in the head, and its row opens to the request and the answer", async () => {
    const { id } = await emulator.charge();
    receiver.replies.push({ status: 500, body: HOSTILE });
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await emulator.sandbox("/clock/advance", { seconds: 0 });
    const page = await openCharge(id);
    const failed = page.locator(".t-row-bad", { hasText: "charge.paid" });
    await failed.waitFor();
    const alarm = page.locator(".t-trouble");
    await soon(() => alarm.count()).toBe(1);
    await soon(() => alarm.innerText()).toContain("has not accepted charge.paid yet.");
    await soon(() => alarm.getAttribute("class")).toContain("t-trouble-warn");
    await failed.locator("button[aria-expanded]").click();
    await failed.getByText("request · answer").first().click();
    await soon(() => failed.innerText()).toContain(`POST ${receiver.url}`);
    await soon(() => failed.innerText()).toContain(HOSTILE);
    await soon(() => page.locator("main img").count()).toBe(0);
    const good = page.locator(".t-row", { hasText: "charge.created" });
    await soon(() => good.getByText("request · answer").count()).toBe(0);
    expect(open.errors).toEqual([]);
  });
});
