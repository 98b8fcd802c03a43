import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

const HOSTILE = "<img src=x onerror=alert(1)>";

describeInBrowser("refunds and payouts in the console", (executablePath) => {
  const receiver = sharedReceiver();
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  beforeAll(async () => {
    await subscribe(emulator, receiver.url, ["payout.paid", "payout.failed", "payment.refunded"]);
  });

  const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);
  const button = (page: Page, name: string) => page.locator("main").getByRole("button", { name, exact: true });
  const dialogButton = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });
  const head = (page: Page) => page.locator("header:has(> h1)");

  async function refund(amount: number): Promise<string> {
    const charge = await emulator.charge();
    await emulator.sandbox(`/charges/${charge.id}/pay`, {});
    const body = { idempotencyKey: `console-${charge.id}`, amount, reason: HOSTILE };
    const answer = await emulator.call("POST", `/v1/payments/${charge.id.replace("ch_", "")}/refund`, { body });
    return answer.body.id;
  }

  test("the empty lists teach", async () => {
    for (const [path, command] of [
      ["/console/refunds", "qa-pay payments refund"],
      ["/console/payouts", "qa-pay sandbox payouts create"],
    ] as const) {
      const page = await open.open(path, { language: "pt-BR", scheme: "dark" });
      await page.locator("main").getByText(command).first().waitFor();
    }
    expect(open.errors).toEqual([]);
  });

  test("a refund takes its steps from the list, its receiver hears of each, and its timeline grows", async () => {
    const id = await refund(500);
    const page = await open.open("/console/refunds");
    await page.locator(`a.row[href="/console/refunds/${id}"]`).click();
    await page.locator("main h1", { hasText: "R$ 5,00" }).waitFor();
    await soon(() => head(page).innerText()).toContain(id);
    const before = receiver.received.length;
    await button(page, "Complete").click();
    await soon(() => head(page).innerText()).toContain("Refunded");
    const received = await receiver.waitFor(before + 2);
    expect(received.slice(before).map(({ type }) => type)).toEqual(["payment.refunded", "payment.refunded"]);
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(() => story.innerText()).toMatch(/refund done/i);
    await soon(() => button(page, "Fail").count()).toBe(0);
    await soon(() => page.locator("main").innerText()).toContain(HOSTILE);
    expect(open.errors).toEqual([]);
  });

  test("the list of refunds is limited by status", async () => {
    const id = await refund(100);
    const page = await open.open("/console/refunds?status=PENDING");
    await page.locator(`a.row[href^="/console/refunds/${id}"]`).waitFor();
    await page.getByRole("link", { name: "Failed", exact: true }).click();
    await page.getByText("Nothing matches these filters.").waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBe("FAILED");
  });

  test("a new payout leads to its page, and paying it reaches the receiver", async () => {
    const page = await open.open("/console/payouts");
    await button(page, "New payout").click();
    await page.getByRole("dialog").getByLabel("Amount").fill("50,00");
    await page.getByRole("dialog").getByLabel("Pix key").fill("maria@example.com");
    await page.getByLabel("Allow a negative balance").check();
    await dialogButton(page, "New payout").click();
    await page.waitForURL(/\/console\/payouts\/po_/);
    await soon(() => head(page).innerText()).toContain("R$ 50,00");
    const before = receiver.received.length;
    await button(page, "Pay as the bank").click();
    const received = await receiver.waitFor(before + 1);
    expect(received.at(-1)?.type).toBe("payout.paid");
    await soon(() => head(page).innerText()).toContain("Paid");
    await soon(() => button(page, "Refuse as the bank…").count()).toBe(0);
    expect(open.errors).toEqual([]);
  });

  test("a payout beyond the balance is refused with the reason, and nothing is made", async () => {
    const before = (await emulator.sandbox("/payouts")).data.length;
    const page = await open.open("/console/payouts");
    await button(page, "New payout").click();
    await page.getByRole("dialog").getByLabel("Amount").fill("900.000,00");
    await dialogButton(page, "New payout").click();
    await page.getByRole("dialog").getByText("Refused:").waitFor();
    expect((await emulator.sandbox("/payouts")).data.length).toBe(before);
  });

  test("a payout fails with its reason, which its page and its timeline tell", async () => {
    const made = await emulator.call("POST", "/_sandbox/payouts", { body: { amount: 700, overdraw: true } });
    const page = await open.open(`/console/payouts/${made.body.id}`);
    await button(page, "Refuse as the bank…").click();
    await page.getByRole("dialog").getByLabel("Reason").fill(HOSTILE);
    await dialogButton(page, "Refuse as the bank…").click();
    await soon(() => head(page).innerText()).toContain("Failed");
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(async () => (await story.innerText()).toLowerCase()).toContain(`payout failed: ${HOSTILE}`);
    const payout = await emulator.call("GET", `/_sandbox/payouts/${made.body.id}`);
    expect(payout.body).toMatchObject({ status: "failed", failure_reason: HOSTILE });
    expect(open.errors).toEqual([]);
  });
});
