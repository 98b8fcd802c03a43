import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { signature } from "../../../src/service/features/webhooks/envelope.js";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

describeInBrowser("the endpoints in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);
  const receiver = sharedReceiver();

  const endpoints = async (): Promise<Loose[]> => (await emulator.call("GET", "/v1/webhooks/endpoints")).body.data;
  const added = async (): Promise<Loose> =>
    (await emulator.call("POST", "/v1/webhooks/endpoints", { body: { url: receiver.url, events: ["charge.created"] } }))
      .body;

  /** Chooses an action behind the button More actions, whose focus comes back when the dialog is closed. */
  async function choose(page: Page, name: string): Promise<void> {
    await page.locator(".head-actions [aria-haspopup=menu]").click();
    await page.getByRole("menuitem", { name }).click();
  }

  test("an endpoint is added with a URL and events, its secret is shown, and its row appears", async () => {
    const page = await open.open("/console/endpoints", { width: 360, language: "en", scheme: "dark" });
    await page.getByText("No endpoints yet.").waitFor();
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByLabel("Events").fill("charge.created");
    await dialog.getByRole("button", { name: "charge.paid", exact: true }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await page.getByText("Added. Its secret:").waitFor();
    const [one] = await endpoints();
    expect(one).toMatchObject({ url: receiver.url, events: ["charge.created", "charge.paid"] });
    await page.locator(`main a[href*="${one.id}"]`).waitFor();
    await emulator.charge();
    const [event] = await receiver.waitFor(1);
    const secret = await page.locator("output code").innerText();
    const t = Number(/^t=(\d+)/.exec(String(event?.headers["x-qa-signature"]))?.[1]);
    expect(event?.headers["x-qa-signature"]).toBe(signature("charge.created", secret, event?.raw ?? "", t * 1_000));
  });

  test("a bad URL is refused in the dialog, and nothing is added", async () => {
    const before = await endpoints();
    const page = await open.open("/console/endpoints");
    await page.getByRole("button", { name: "Add endpoint" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill("ftp://127.0.0.1/x");
    await dialog.getByRole("button", { name: "Add endpoint" }).click();
    await dialog.getByText("Refused:").waitFor();
    expect(await endpoints()).toEqual(before);
  });

  test("a secret is revealed on request, and rotated after a confirmation", async () => {
    const { id, secret } = await added();
    const page = await open.open(`/console/endpoints/${id}`);
    await page.getByRole("button", { name: "Reveal" }).waitFor();
    await expect.poll(() => page.locator("main").innerText()).not.toContain(secret);
    await page.getByRole("button", { name: "Reveal" }).click();
    await page.getByText(secret).waitFor();
    await choose(page, "Rotate secret");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
    await page.getByText("The new secret:").waitFor();
    const shown = await page.locator("output code").innerText();
    expect(shown).not.toBe(secret);
    const { body } = await emulator.call("POST", `/_sandbox/webhooks/endpoints/${id}/reveal`);
    expect(body.secret).toBe(shown);
  });

  test("an endpoint is paused, activated, given other events, and deleted after a question", async () => {
    const { id } = await added();
    const find = async () => (await endpoints()).find((one) => one.id === id);
    const page = await open.open(`/console/endpoints/${id}`, { language: "pt-BR" });
    await page.getByRole("button", { name: "Pausar entregas" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pausar entregas" }).click();
    await page.locator("header.page-head").getByText("Pausado", { exact: true }).waitFor();
    expect((await find())?.status).toBe("INACTIVE");
    await page.getByRole("button", { name: "Ativar" }).click();
    await expect.poll(async () => (await find())?.status).toBe("ACTIVE");
    await choose(page, "Alterar eventos");
    await page.getByRole("dialog").getByRole("button", { name: "payment.created", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Alterar eventos" }).click();
    await expect.poll(async () => (await find())?.events).toEqual(["charge.created", "payment.created"]);
    await choose(page, "Excluir endpoint");
    expect(await find()).toBeDefined();
    await page.getByRole("dialog").getByRole("button", { name: "Excluir endpoint" }).click();
    await expect.poll(find).toBeUndefined();
  });

  test("its head has two actions and the rest behind one button, by keyboard alone, with the focus back after a dialog", async () => {
    const { id } = await added();
    const page = await open.open(`/console/endpoints/${id}`, { width: 360 });
    const shown = page.locator(".head-actions button:visible");
    await expect.poll(() => shown.allInnerTexts()).toEqual(["Reveal secret", "Pause deliveries", ""]);
    const more = page.getByRole("button", { name: "More actions" });
    await more.focus();
    await page.keyboard.press("ArrowDown");
    await expect
      .poll(() => page.getByRole("menuitem").allInnerTexts())
      .toEqual(["Rotate secret", "Change events", "Change URL", "Delete endpoint"]);
    await expectAccessible(page);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByLabel("URL").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await more.and(page.locator(":focus")).waitFor();
    expect((await endpoints()).find((one) => one.id === id)?.url).toBe(receiver.url);
  });

  test("the palette has what is behind the button More actions too", async () => {
    const { id } = await added();
    const page = await open.open(`/console/endpoints/${id}`);
    await page.getByRole("button", { name: "More actions" }).waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("dialog");
    await palette.getByRole("combobox").fill("change url");
    await palette.getByRole("group", { name: "On this page" }).getByRole("option", { name: "Change URL" }).click();
    await page.getByRole("dialog", { name: "Change URL" }).getByLabel("URL").fill(`${receiver.url}/moved`);
    await page.getByRole("dialog").getByRole("button", { name: "Change URL" }).click();
    await expect.poll(async () => (await endpoints()).find((one) => one.id === id)?.url).toBe(`${receiver.url}/moved`);
  });

  test("its last attempts are dots and crosses below twice the 95th percentile, figures and a table that follow new attempts", async () => {
    const { id } = await added();
    receiver.respond = () => ({ status: 503 });
    await emulator.charge();
    const page = await open.open(`/console/endpoints/${id}`);
    await page.getByRole("img", { name: /^The last 1 attempts, .+; 1 failed\.$/ }).waitFor();
    await page.locator(".page-head .status-bad", { hasText: "0 of 1 arrived · 503" }).waitFor();
    receiver.respond = null;
    await emulator.charge();
    await page.getByRole("img", { name: /^The last 2 attempts, .+; 1 failed\.$/ }).waitFor();
    await page.locator(".page-head .status-warn", { hasText: "1 of 2 arrived · 503" }).waitFor();
    await expect.poll(() => page.locator(".dots circle").count()).toBe(1);
    await expect.poll(() => page.locator(".dots .cross").count()).toBe(1);
    await expect.poll(() => page.locator(".dots .hint").innerText()).toMatch(/0 ms$/);
    await page.locator(".buckets", { hasText: /Failed\s*1 of 2/ }).waitFor();
    await expect.poll(() => page.locator("main").innerText()).toContain("503");
  });

  test("an endpoint that nothing reaches is red in the list, a good one that needed another attempt is amber and says how often", async () => {
    const dead = await subscribe(emulator, "http://127.0.0.1:9/erp", ["charge.expired"]);
    const good = await subscribe(emulator, receiver.url, ["charge.expired"]);
    receiver.respond = () => ({ status: 500 });
    await emulator.charge({ expires_in: 60 });
    await emulator.sandbox("/clock/advance", { seconds: 61 });
    receiver.respond = null;
    await emulator.sandbox("/clock/advance", { seconds: 3_600 });
    const page = await open.open("/console/endpoints");
    const row = (id: string) => page.locator("tbody tr", { has: page.locator(`a[href*="${id}"]`) });
    await row(dead.id)
      .locator(".status-bad", { hasText: /0 of \d+ arrived · refused/ })
      .waitFor();
    await row(good.id)
      .locator(".status-warn", { hasText: /\d+ arrived · [\d.]+ % retried/ })
      .waitFor();
    for (const { id } of [dead, good]) await emulator.call("DELETE", `/v1/webhooks/endpoints/${id}`);
  });

  test("the receiver check shows a verdict for each case, with what to do", async () => {
    const { id } = await added();
    const page = await open.open(`/console/endpoints/${id}`);
    await page.getByRole("button", { name: "Check the receiver" }).click();
    await page.getByText(/\d+ of \d+ checks failed/).waitFor();
    const rows = page.getByRole("table", { name: "Checks" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(25);
    await expect.poll(() => rows.first().innerText()).toContain("failed");
    const row = (name: string) => rows.filter({ has: page.getByText(name, { exact: true }) });
    await expect.poll(() => row("wrong-signature").innerText()).toContain("4xx");
    await expect.poll(() => row("charge.paid").innerText()).toContain("a charge.paid, signed");
    await expectAccessible(page);
  });

  test("the check of a URL where nobody listens says so", async () => {
    const page = await open.open("/console/endpoints?view=check", { scheme: "dark" });
    await page.getByRole("button", { name: "Check a URL" }).click();
    await page.getByRole("dialog").getByLabel("URL").fill("http://127.0.0.1:9/webhooks");
    await page.getByRole("dialog").getByRole("button", { name: "Check a URL" }).click();
    await page.getByText("Nothing is listening at 127.0.0.1:9.").waitFor();
  });

  test("the signature bench verifies, and says why it refuses", async () => {
    const page = await open.open("/console/endpoints?view=bench", { width: 360 });
    const body = '{"id":"evt_1"}';
    const secret = "0123456789abcdef".repeat(4);
    const fill = async (header: string, text: string) => {
      await page.getByLabel("X-QA-Signature").fill(header);
      await page.getByLabel("Secret of the endpoint").fill(secret);
      await page.getByLabel("Body, exactly as received").fill(text);
      await page.getByRole("button", { name: "Verify" }).click();
    };
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByLabel("X-QA-Signature").and(page.locator("[aria-invalid=true]:focus")).waitFor();
    await expect
      .poll(() => page.locator(".bench .problem").allInnerTexts())
      .toEqual(["required", "required", "required"]);
    await fill(signature("charge.paid", secret, body, Date.now()), body);
    await page.getByText("Verified:").waitFor();
    await fill(signature("charge.paid", secret, body, Date.now() - 600_000), body);
    await page.getByText(/the timestamp is 60\d seconds old: more than 300 seconds/).waitFor();
    await fill(signature("payment.created", secret, body, 0), `${body} `);
    await page.getByText("a line end that was not sent").waitFor();
    await expect.poll(() => page.locator("main").innerText()).toContain("qa-pay webhooks verify body.json");
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("the receiver check shows each case with its right answer before it runs", async () => {
    await added();
    const page = await open.open("/console/endpoints?view=check");
    const rows = page.getByRole("table", { name: "Checks" }).locator("tbody tr");
    await expect.poll(() => rows.count()).toBe(25);
    const row = (name: string) => rows.filter({ has: page.getByText(name, { exact: true }) });
    await expect.poll(() => row("charge.paid").innerText()).toMatch(/2xx\s+a charge\.paid, signed/);
    await expect.poll(() => row("no-signature").innerText()).toContain("4xx");
    await expect.poll(() => row("future-timestamp").innerText()).toContain("2xx or 4xx");
    await expectAccessible(page);
  });

  test("the signature bench takes the last webhook with the secret of its endpoint, and shows its parts", async () => {
    const empty = await open.open("/console/endpoints?view=bench&mode=live");
    await empty.getByRole("button", { name: "Use the last webhook" }).click();
    await empty.getByText("No webhook has been sent yet.").waitFor();
    const { secret } = await added();
    await emulator.charge();
    const page = await open.open("/console/endpoints?view=bench");
    await page.getByRole("button", { name: "Use the last webhook" }).click();
    await expect.poll(() => page.getByLabel("Secret of the endpoint").inputValue()).toBe(secret);
    await page.getByText("The signature, taken apart").waitFor();
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("Verified: secret, timestamp and body are right.").waitFor();
    await expectAccessible(page);
  });

  test("the page of an endpoint lists its latest deliveries, and its row marks each of them", async () => {
    const dead = await subscribe(emulator, "http://127.0.0.1:9/erp", ["charge.created"]);
    await emulator.charge();
    const page = await open.open("/console/endpoints");
    const row = page.locator("tbody tr", { has: page.locator(`a[href*="${dead.id}"]`) });
    await expect.poll(() => row.locator("rect.bad").count()).toBe(1);
    await expect.poll(() => row.innerText()).toContain("charge.created");
    await expect
      .poll(() => row.locator(".path").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
      .toBe(0);
    await row.locator("a.row").click();
    const deliveries = page.getByRole("table", { name: "Latest deliveries" }).locator("tbody tr");
    await expect.poll(() => deliveries.count()).toBe(1);
    await deliveries.locator("a.row").click();
    await page.locator("main h1", { hasText: "charge.created" }).waitFor();
    await emulator.call("DELETE", `/v1/webhooks/endpoints/${dead.id}`);
  });

  test("the signature bench is there when the endpoints cannot be read, which the check of a receiver says", async () => {
    const page = await open.open("/console/");
    await page.route("**/v1/webhooks/endpoints", (route) =>
      route.fulfill({ status: 500, json: { error: { code: "api_error", message: "boom" } } }),
    );
    await page.goto(`${emulator.url}/console/endpoints?view=check`);
    await page.locator("main").getByText("boom").waitFor();
    await page.getByRole("link", { name: "Signature" }).click();
    await page.getByLabel("Secret of the endpoint").fill("0123456789abcdef");
    await expectAccessible(page);
  });
});
