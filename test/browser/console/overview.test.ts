import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, isLive, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** The first page of the console, its scenarios and its palette. */

describeInBrowser("the console shows and repeats", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const receiver = sharedReceiver();
  const open = sharedConsole(executablePath, emulator);

  const HOSTILE = "<img src=x onerror=alert(1)>";
  const button = (page: Page, name: string | RegExp) => page.locator("main").getByRole("button", { name });
  const payments = async (): Promise<Loose[]> => (await emulator.call("GET", "/v1/payments")).body.data;

  test("an empty overview has three steps and one button, and the line waits for the application", async () => {
    const page = await open.open("/console/");
    await page.getByRole("heading", { name: "The first minute" }).waitFor();
    await expect.poll(() => page.locator(".first-steps li").count()).toBe(3);
    await expect.poll(() => page.locator(".headline").count()).toBe(0);
    await expectAccessible(page);
    receiver.replies.push({ instead: "close" });
    await page.getByLabel("Address of your webhook receiver").fill(`${receiver.url}/hook`);
    await button(page, "Create and pay R$ 19,90").click();
    await page.getByText("Start your application, I am listening").waitFor();
    await page.locator(".first-code-paid img").waitFor();
    const [{ id, status }] = await payments();
    expect(status).toBe("PAID");
    await page
      .locator(`main a[href="/console/charges/${id.replace("tx_", "ch_")}"]`)
      .first()
      .waitFor();
    await expectAccessible(page);
    // The receiver answers now: the last station lights up at its first 200.
    await emulator.sandbox("/clock/advance", { seconds: 10 });
    await expect.poll(() => page.locator(".pay-line .station-good").count()).toBe(4);
    await page.getByText("It arrived: your application is connected.").waitFor();
    expect(open.errors).toEqual([]);
  });

  test("a visit reads everything once", async () => {
    const page = await open.open("/console/settings");
    // A busy machine may take longer to begin the stream than the page waits for it: here the page waits for ever.
    await page.addInitScript(`{
      const real = setTimeout;
      window.setTimeout = (callback, ms, ...more) => real(callback, ms >= 1_000 && ms <= 2_000 ? 2 ** 30 : ms, ...more);
    }`);
    const read: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname.startsWith("/console/api/") && !pathname.endsWith("/stream")) read.push(pathname + search);
    });
    await page.goto(`${emulator.url}/console/`);
    await page.locator(".headline").waitFor();
    await isLive(page);
    expect(read.length).toBeGreaterThan(8);
    expect(read.filter((one, index) => read.indexOf(one) !== index)).toEqual([]);
    expect(read.filter((one) => /days=\d{3,}/.test(one))).toEqual([]);
  });

  test("the overview shows money, cases, errors and what is due; badges follow the stream", async () => {
    const page = await open.open("/console/", { language: "pt-BR", scheme: "dark" });
    await page.getByText("R$ 19,90").first().waitFor();
    const [paid] = (await payments()).filter(({ status }) => status === "PAID");
    await emulator.sandbox("/med-cases", { charge_id: paid.id.replace("tx_", "ch_"), reason: HOSTILE });
    await emulator.call("POST", "/v1/charges", {
      body: { amount: -1 },
      headers: { "idempotency-key": "a-key-of-12345" },
    });
    const menu = page.getByRole("navigation", { name: "Páginas" });
    await menu.getByText("1 em aberto").waitFor({ state: "attached" });
    await menu.getByText("1 recusada desde a última visita").waitFor({ state: "attached" });
    await page.getByText("1 caso MED aberto (R$ 19,90): primeira resposta em até").waitFor();
    await page.getByText("1 tipo de erro (1)").waitFor();
    // What a fault rule of the person made needs nobody.
    await emulator.sandbox("/faults", { match: { path: "/v1/charges" }, effect: { status: 503 }, times: 1 });
    await emulator.call("POST", "/v1/charges", { body: {}, headers: { "idempotency-key": "a-key-of-67890" } });
    await expect.poll(async () => (await emulator.sandbox("/requests/errors")).data.length).toBe(2);
    await page.getByText("1 tipo de erro (1)").waitFor();
    await emulator.charge({ expires_in: 60 });
    await button(page, "Executar agora").first().click();
    await page.getByText(/tarefas? executadas?\./).waitFor();
    await expect.poll(async () => (await payments()).some(({ status }) => status === "EXPIRED")).toBe(true);
    expect(open.errors).toEqual([]);
  });

  test("the overview comes without a shift: numbers, the days as bars with their values, and who paid what", async () => {
    const yesterday = await emulator.charge({ amount: 200_000_00 });
    await emulator.sandbox(`/charges/${yesterday.id}/pay`);
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    const { id } = await emulator.charge({ amount: 100_000_00, customer: { name: "Zulmira Prado" } });
    await emulator.sandbox(`/charges/${id}/pay`);
    const page = await open.open("/console/clock");
    await page.addInitScript(() => {
      const all = window as unknown as { shift: number };
      all.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) all.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`${emulator.url}/console/`);
    await page.locator(".lines li", { hasText: "Zulmira Prado" }).first().waitFor();
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.02);
    const size = () =>
      page
        .locator(".headline-number")
        .first()
        .evaluate((number) => getComputedStyle(number).fontSize);
    expect(await size()).toBe("28px");
    const days = page.getByRole("list", { name: "Last seven days" }).getByRole("link");
    await expect.poll(() => days.count()).toBe(7);
    await days.last().focus();
    await expect.poll(() => days.last().textContent()).toContain("R$ 100.");
    await expect.poll(() => days.last().locator(".bar-value").innerText()).toContain("R$ 100.");
    const [highest, today] = await Promise.all([0, 1].map((at) => page.locator(".bar-value").nth(at).boundingBox()));
    expect(highest?.x).toBeGreaterThan(0);
    expect(today?.x).toBeGreaterThanOrEqual((highest?.x ?? 0) + (highest?.width ?? 0));
    const near = async () => {
      const [tip, bar] = [await days.last().locator(".bar-text").boundingBox(), await days.last().boundingBox()];
      return tip === null || bar === null ? false : tip.x < bar.x + bar.width && tip.x + tip.width > bar.x;
    };
    await expect.poll(near).toBe(true);
    const opacity = () =>
      days
        .last()
        .locator(".bar-text")
        .evaluate((text) => getComputedStyle(text).opacity);
    await expect.poll(opacity).toBe("1");
    await expect.poll(() => page.getByRole("table", { name: "Last seven days" }).isVisible()).toBe(false);
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("deliveries that wait for a frozen clock are named, and a button runs the next ones", async () => {
    await subscribe(emulator, `${receiver.url}/hook`, ["charge.created"]);
    receiver.replies.push({ status: 500 });
    await emulator.charge();
    await expect.poll(async () => (await emulator.sandbox("/webhooks/deliveries?status=PENDING")).data.length).toBe(1);
    const page = await open.open("/console/");
    await page.getByText("The clock is frozen.").waitFor();
    await button(page, "Run the next task").click();
    await page.getByText("The clock is frozen.").waitFor({ state: "detached" });
    expect((await emulator.sandbox("/webhooks/deliveries?status=PENDING")).data).toEqual([]);
  });

  test("a scenario runs with its steps, and its event arrives at the receiver", async () => {
    const page = await open.open("/console/scenarios");
    await button(page, "Run charge-paid").click();
    await page.getByText("All steps are done.").waitFor();
    await expect.poll(() => receiver.received.map(({ type }) => type)).toContain("charge.paid");
    await button(page, "Run refund-done").click();
    await page.getByText("qa-pay fixtures run refund-done").first().waitFor();
    await page.getByText("All steps are done.").waitFor();
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("the actions of this tab are recorded, and run again", async () => {
    const page = await open.open("/console/clock");
    const before = Date.parse((await emulator.sandbox("/clock")).now);
    await button(page, "1 min").click();
    await expect.poll(async () => Date.parse((await emulator.sandbox("/clock")).now) - before).toBe(60_000);
    await page.getByRole("link", { name: "Scenarios" }).click();
    await page.getByText("1 step recorded in this tab").waitFor();
    await page.getByRole("link", { name: "Record", exact: true }).click();
    await page.getByText("qa-pay sandbox clock advance --seconds 60 --json").waitFor();
    await button(page, "Run again").click();
    await expect.poll(async () => Date.parse((await emulator.sandbox("/clock")).now) - before).toBe(120_000);
    await button(page, "Clear").click();
    await page.getByText("Nothing recorded yet").waitFor();
    expect(open.errors).toEqual([]);
  });

  test("a reload keeps the recording of the tab with its steps and ids, and no secret that was answered", async () => {
    const { id, secret } = await subscribe(emulator, receiver.url, ["charge.paid"]);
    const page = await open.open("/console/charges");
    await button(page, "New charge").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Amount", { exact: true }).fill("19,90");
    await dialog.getByRole("button", { name: "New charge" }).click();
    await page.getByRole("button", { name: "Pay", exact: true }).click();
    await expect.poll(() => page.locator("header.page-head .status").innerText()).toContain("Paid");
    await page.goto(`${emulator.url}/console/endpoints/${id}`);
    await button(page, "Reveal").click();
    await page.getByText(secret).first().waitFor();
    await page.goto(`${emulator.url}/console/scenarios?view=record`);
    await page.getByText("3 steps recorded in this tab").waitFor();
    const steps = () => page.locator("main pre").allInnerTexts();
    const before = await steps();
    expect(before.join()).toContain('"$chargesCreate_id"');
    await page.reload();
    await page.getByText("3 steps recorded in this tab").waitFor();
    expect(await steps()).toEqual(before);
    expect(await page.evaluate("JSON.stringify({ ...sessionStorage })")).not.toContain(secret);
    await button(page, "Clear").click();
    await page.reload();
    await page.getByText("Nothing recorded yet").waitFor();
    expect(open.errors).toEqual([]);
  });

  test("the palette offers the actions of the page first, and finds a command by its words", async () => {
    const { id } = await emulator.charge();
    const page = await open.open(`/console/charges/${id}`);
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    await page.keyboard.press("Control+k");
    const dialog = page.getByRole("dialog");
    const first = dialog.getByRole("option").first();
    await dialog.getByRole("combobox").fill("pay a charge");
    await expect.poll(() => first.innerText()).toContain("Pay a charge as a simulated payer");
    await dialog.getByRole("combobox").fill("pay");
    await dialog
      .getByRole("group", { name: "On this page" })
      .getByRole("option", { name: "Pay", exact: true })
      .waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("header.page-head .status").innerText()).toContain("Paid");
  });

  test("a question mark opens the sheet of keys, and the palette leads to it too", async () => {
    const page = await open.open("/console/webhooks?view=event");
    await page.locator("main h1").waitFor();
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Next error on the page").waitFor();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect.poll(() => sheet.count()).toBe(0);
    await page.keyboard.press("/");
    await page.getByRole("dialog").getByRole("combobox").fill("show the keyboard");
    await page.keyboard.press("Enter");
    await sheet.waitFor();
  });

  test("the palette opens the form of any operation, sends it, and shows the answer", async () => {
    const page = await open.open("/console/clock", { scheme: "dark" });
    await page.keyboard.press("Control+k");
    const field = page.getByRole("combobox", { name: "Page, command, id" });
    await emulator.charge({ customer: { name: "Zulmira Prado" } });
    await field.fill("zulmira");
    await page.getByRole("option", { name: "Zulmira Prado" }).first().waitFor();
    await field.fill("charges create");
    await page.getByRole("option", { name: /qa-pay charges create/ }).click();
    const dialog = page.getByRole("dialog", { name: "charges create" });
    await dialog.getByLabel("amount", { exact: true }).fill("4242");
    await dialog.getByLabel("customer-name", { exact: true }).fill(HOSTILE);
    await dialog.getByText(`qa-pay charges create --amount 4242 --customer-name '${HOSTILE}'`).waitFor();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText("Answer").waitFor();
    await expect.poll(async () => (await payments())[0]).toMatchObject({ amount: 4242, customerName: HOSTILE });
    await dialog.getByLabel("amount", { exact: true }).fill("-1");
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByText(/^Refused:/).waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.keyboard.press("Control+k");
    const before = Date.parse((await emulator.sandbox("/clock")).now);
    await field.fill("Advance the clock by 10");
    await page.keyboard.press("Enter");
    await expect.poll(async () => Date.parse((await emulator.sandbox("/clock")).now) - before).toBe(600_000);
    await page.keyboard.press("Control+k");
    await field.fill("Português");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Relógio", level: 1 }).waitFor();
    expect(open.errors).toEqual([]);
  });
});
