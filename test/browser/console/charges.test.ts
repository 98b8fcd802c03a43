import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, expectAccessible, launchConsole } from "../../support/console-browser.js";
import { type Loose, startEmulator, type TestEmulator } from "../../support/emulator.js";
import { type Receiver, startReceiver } from "../../support/receiver.js";
import { subscribe } from "../../support/webhooks.js";

const HOSTILE = "<img src=x onerror=alert(1)>";
const CPF = "52998224725";

describeInBrowser("charges in the console", (executablePath) => {
  let emulator: TestEmulator;
  let receiver: Receiver;
  let open: ConsoleBrowser;

  beforeAll(async () => {
    receiver = await startReceiver();
    emulator = await startEmulator({ frozen: true });
    await subscribe(emulator, receiver.url, ["charge.paid", "charge.failed", "charge.expired", "payment.refunded"]);
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    await open?.close();
    await emulator?.close();
    await receiver?.close();
  });

  // Windows that stay open read everything again after each change of a later test.
  afterEach(() => open.leaveAll());

  const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);
  const button = (page: Page, name: string) => page.locator("main").getByRole("button", { name, exact: true });
  const dialogButton = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });
  const head = (page: Page) => page.locator("header:has(> h1)");
  const statusOf = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).body.status as string;

  /** Opens the page of a charge, once it is there. */
  async function openCharge(id: string, query = ""): Promise<Page> {
    const page = await open.open(`/console/charges/${id}${query}`);
    await page.getByRole("button", { name: "Pay", exact: true }).waitFor();
    return page;
  }

  async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await page.getByRole("dialog").getByLabel(label, { exact: true }).fill(text);
    }
  }

  test("the empty list says how the first charge is made, and the form makes it and leads to it", async () => {
    const page = await open.open("/console/charges");
    await page.getByText("qa-pay charges create --amount 1990").waitFor();
    await expectAccessible(page);
    await button(page, "New charge").click();
    await expectAccessible(page);
    await fill(page, { Amount: "19,9" });
    await dialogButton(page, "New charge").click();
    await page.getByText("Write 19,90").waitFor();
    await fill(page, {
      Amount: "19,90",
      "Customer: name": HOSTILE,
      "Customer: CPF or CNPJ": CPF,
      "Script: paid after (seconds)": "60",
    });
    await dialogButton(page, "New charge").click();
    await page.waitForURL(/\/console\/charges\/ch_/);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { body } = await emulator.call("GET", `/v1/charges/${id}`);
    expect(body).toMatchObject({
      amount: 1990,
      customer: { name: HOSTILE },
    });
    const due = await emulator.sandbox(`/clock/due?subject=${id}`);
    expect(due.data.map(({ kind }: Loose) => kind)).toContain("transaction.pay");
    await page.locator("main h1", { hasText: id }).waitFor();
    await soon(() => head(page).innerText()).toContain("R$ 19,90");
    expect(await head(page).innerText()).toContain("WAITING_PAYMENT");
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("a paid charge is told by its receiver, its head and its timeline without a reload", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    const before = receiver.received.length;
    await button(page, "Pay").click();
    const received = await receiver.waitFor(before + 1);
    expect(received.at(-1)?.body).toMatchObject({ type: "charge.paid", data: { object: { id } } });
    await soon(() => head(page).innerText()).toContain("PAID");
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(() => story.innerText()).toContain("charge.paid, payment.completed, payment.status_changed");
    expect(await statusOf(id)).toBe("paid");
    expect(await button(page, "Pay").getAttribute("aria-disabled")).toBe("true");
    const described = await button(page, "Pay").getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe(
      "Not possible in the state PAID, only in PENDING, WAITING_PAYMENT",
    );
    expect(open.errors).toEqual([]);
  });

  test("a button says which events it sends before it is pressed", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    const described = await button(page, "Expire").getAttribute("aria-describedby");
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe(
      "Sends charge.expired, payment.expired, payment.failed, payment.status_changed.",
    );
    await button(page, "Expire").click();
    await soon(() => statusOf(id)).toBe("expired");
  });

  test.each([
    ["another document", { payer_kind: "other", document: "11144477735" }, "refunded"],
    ["no document", { payer_kind: "none", document: "" }, "processing"],
  ])("a payer with %s leaves the charge as the contract says", async (_, payer, status) => {
    const { id } = await emulator.charge({ customer: { name: "Ana", document: CPF }, expected_payer_tax_id: CPF });
    const page = await openCharge(id);
    await button(page, "Pay otherwise").click();
    await page.getByRole("dialog").getByLabel("Document that the bank reports").selectOption(payer.payer_kind);
    if (payer.document !== "") await fill(page, { "Other document (CPF or CNPJ)": payer.document });
    await dialogButton(page, "Pay otherwise").click();
    await soon(() => statusOf(id)).toBe(status);
  });

  test("a payment of another amount goes back and changes nothing", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    await button(page, "Pay otherwise").click();
    await fill(page, { Amount: "1,00" });
    await dialogButton(page, "Pay otherwise").click();
    await page.getByText("The money: returned.").waitFor();
    expect(await statusOf(id)).toBe("pending");
  });

  test.each([
    ["Approve", "paid"],
    ["Reject", "refunded"],
  ])("a held payment is decided by %s, and nothing else can decide one that is not held", async (name, status) => {
    const { id } = await emulator.charge({ customer: { name: "Ana", document: CPF }, expected_payer_tax_id: CPF });
    const page = await openCharge(id);
    expect(await button(page, name).getAttribute("aria-disabled")).toBe("true");
    await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
    await soon(() => button(page, name).getAttribute("aria-disabled")).toBeNull();
    expect(await button(page, "Expire").getAttribute("aria-disabled")).toBe("true");
    await button(page, name).click();
    await soon(() => statusOf(id)).toBe(status);
  });

  test("a refused charge carries the code, and a cancelled one asks first", async () => {
    const [first, second] = [await emulator.charge(), await emulator.charge()];
    const page = await openCharge(first.id);
    await button(page, "Fail").click();
    await fill(page, { "Code of the provider": "AC07" });
    await dialogButton(page, "Fail").click();
    await soon(() => statusOf(first.id)).toBe("failed");
    const { body } = await emulator.call("GET", `/v1/charges/${first.id}`);
    expect(JSON.stringify(body.metadata.failure)).toContain("AC07");
    const other = await openCharge(second.id);
    await button(other, "Cancel payment").click();
    expect(await statusOf(second.id)).toBe("pending");
    await dialogButton(other, "Cancel payment").click();
    await soon(() => statusOf(second.id)).toBe("cancelled");
  });

  test("a late payment goes back", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/expire`);
    const page = await openCharge(id);
    await button(page, "Late payment").click();
    await dialogButton(page, "Late payment").click();
    await page.getByText("The money: returned.").waitFor();
    expect(await statusOf(id)).toBe("expired");
  });

  async function paid(amount = 1990): Promise<Loose> {
    const charge = await emulator.charge({ amount, customer: { name: HOSTILE, document: CPF } });
    await emulator.sandbox(`/charges/${charge.id}/pay`, {});
    return charge;
  }

  test("a part is refunded, its steps are taken, and the journals add up in the tab Money", async () => {
    const { id } = await paid();
    const page = await openCharge(id);
    await button(page, "Refund").click();
    await fill(page, { Amount: "5,00" });
    await dialogButton(page, "Refund").click();
    await page.getByText("The refund is accepted:").waitFor();
    await button(page, "In progress").click();
    await soon(() => button(page, "In progress").getAttribute("aria-disabled")).toBe("true");
    await button(page, "Refunded").click();
    const raw = id.replace("ch_", "");
    const refunds = async () => (await emulator.call("GET", `/v1/payments/${raw}/refunds`)).body;
    await soon(refunds).toMatchObject([{ amount: 500, status: "REFUNDED" }]);
    await soon(() => button(page, "FAILED").getAttribute("aria-disabled")).toBe("true");
    await page.getByRole("link", { name: "Money", exact: true }).click();
    const journals = await emulator.sandbox(`/ledger/journals?reference=${id}`);
    expect(journals.data.length).toBeGreaterThan(0);
    const table = page.locator("main .split-object table");
    await table.waitFor();
    expect(await table.innerText()).toContain("+R$ 5,00");
    expect(await page.locator("[data-command]").innerText()).toContain(`sandbox ledger list --reference ${id}`);
    await expectAccessible(page);
  });

  test("a refund fails and gives the money back", async () => {
    const { id } = await paid();
    const raw = id.replace("ch_", "");
    const refund = { idempotencyKey: "console-refund-1", amount: 100 };
    await emulator.call("POST", `/v1/payments/${raw}/refund`, { body: refund });
    const page = await openCharge(id);
    await button(page, "FAILED").click();
    const statuses = async () => (await emulator.call("GET", `/v1/payments/${raw}/refunds`)).body[0].status;
    await soon(statuses).toBe("FAILED");
  });

  test("a MED case is opened with its amount and leads to it", async () => {
    const { id } = await paid();
    const page = await openCharge(id);
    await button(page, "Open MED case").click();
    await page.getByRole("dialog").getByLabel("What the payer alleges").selectOption("scam");
    await fill(page, { Amount: "10,00", Reason: HOSTILE });
    await dialogButton(page, "Open MED case").click();
    await page.getByText("The case is open:").waitFor();
    const cases = await emulator.call("GET", "/v1/med/cases");
    expect(JSON.stringify(cases.body)).toContain('"amount":1000');
    await soon(() => head(page).innerText()).toContain("DISPUTE");
  });

  test("a failed delivery opens its burst with the request and the answer, a good one stays folded", async () => {
    const { id } = await emulator.charge();
    receiver.replies.push({ status: 500, body: HOSTILE });
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await emulator.sandbox("/clock/advance", { seconds: 0 });
    const page = await openCharge(id);
    const failed = page.locator("details.t-burst", { hasText: "1 failed attempt" });
    await failed.waitFor();
    expect(await failed.getAttribute("open")).not.toBeNull();
    await failed.getByText("request · answer").first().click();
    const text = await failed.innerText();
    expect(text).toContain(`POST ${receiver.url}`);
    expect(text).toContain(HOSTILE);
    expect(await page.locator("main img").count()).toBe(0);
    const good = page.locator("details.t-burst", { hasText: "charge.created" });
    expect(await good.getAttribute("open")).toBeNull();
    expect(open.errors).toEqual([]);
  });

  test("Jump moves the clock to what is due, and the gap says that the clock was advanced", async () => {
    const { id } = await emulator.charge({ expires_in: 600 });
    const page = await openCharge(id);
    expect(await head(page).innerText()).toContain("expires in 10 min");
    await page
      .getByRole("button", { name: /^Jump to/ })
      .last()
      .click();
    await soon(() => statusOf(id)).toBe("expired");
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(() => story.innerText()).toMatch(/the clock was advanced: \+10 min/);
    await page.getByText("Nothing more: this state is final.").waitFor();
  });

  test("filters hide kinds of items, and the address names them and a marked item", async () => {
    const { id } = await paid();
    const page = await openCharge(id);
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await button(page, "Money").click();
    await soon(() => story.innerText()).not.toContain("money (settlement)");
    expect(new URL(page.url()).searchParams.get("hide")).toBe("money");
    await page.goto(page.url());
    await story.waitFor();
    expect(await story.innerText()).not.toContain("money (settlement)");
    const timeline = await emulator.sandbox(`/timeline/${id}`);
    const event = timeline.items.find(({ kind }: Loose) => kind === "event").id;
    const marked = await openCharge(id, `?at=${event}`);
    expect(await marked.locator('[aria-current="true"]', { hasText: "charge.created" }).count()).toBe(1);
  });

  test("the tabs show both wire formats, what changed between events, and the fields of the code", async () => {
    const { id } = await emulator.charge({ customer: { name: "Ana", document: CPF } });
    const page = await openCharge(id, "?tab=pix");
    const object = page.locator("main .split-object");
    await object.getByText(": right").waitFor();
    expect(await object.locator("table").innerText()).toContain("br.gov.bcb.pix");
    const image = object.locator("img.qr");
    expect(
      await image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth),
    ).toBeGreaterThan(0);
    await expectAccessible(page);
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await object.getByText("Minute (UTC)").waitFor();
    await page.getByRole("link", { name: "Object", exact: true }).click();
    await object.getByText("As a charge (/v1/charges)").waitFor();
    expect(await object.getByText("As a payment (/v1/payments)").count()).toBe(1);
    await page.getByLabel("Earlier event").selectOption({ index: 0 });
    await page.getByLabel("Later event").selectOption({ index: 2 });
    await soon(() => object.locator("table").innerText()).toContain('"paid"');
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });

  test("the export is one file without scripts and secrets that opens offline", async () => {
    const { id, checkout_url } = await paid();
    const page = await openCharge(id);
    const downloading = page.waitForEvent("download");
    await button(page, "Export HTML").click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe(`${id}.html`);
    const html = readFileSync(await download.path(), "utf8");
    expect(html).toContain("charge.paid");
    expect(html).not.toContain(HOSTILE);
    expect(html).not.toContain(new URL(checkout_url).searchParams.get("k"));
    const asJson = page.waitForEvent("download");
    await button(page, "Export JSON").click();
    const json = JSON.parse(readFileSync(await (await asJson).path(), "utf8"));
    expect(json.timeline.subject).toBe(id);
  });

  test("the receipt of a paid charge is a PDF, and there is none before", async () => {
    const waiting = await emulator.charge();
    const before = await openCharge(waiting.id);
    expect(await button(before, "Receipt (PDF)").getAttribute("aria-disabled")).toBe("true");
    const { id } = await paid();
    const page = await openCharge(id);
    const downloading = page.waitForEvent("download");
    await button(page, "Receipt (PDF)").click();
    expect(
      readFileSync(await (await downloading).path())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-");
  });

  test("on paper all parts are open, and the head names account, mode, instant and address", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    await page.emulateMedia({ media: "print" });
    const shown = await page.locator("main").innerText();
    expect(shown).toContain(`/console/charges/${id}`);
    expect(shown).toContain("(test)");
    expect(shown).toContain("charge expires unpaid");
    expect(await button(page, "Pay").isVisible()).toBe(false);
    const event = page.locator("details.t-burst li", { hasText: "charge.created" }).first();
    expect(await event.isVisible()).toBe(true);
  });

  test("status, search and method limit the list, and the address keeps them", async () => {
    const { id } = await paid(123_456);
    const page = await open.open("/console/charges?status=PAID");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    const texts = await page.locator("main tbody tr").allInnerTexts();
    expect(texts.every((text) => text.includes("PAID"))).toBe(true);
    await page.getByLabel("Search", { exact: true }).fill("R$ 1.234,56");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await soon(() => rows.count()).toBe(1);
    expect(await rows.first().getAttribute("href")).toMatch(`/console/charges/${id}?`);
    expect(new URL(page.url()).searchParams.get("q")).toBe("R$ 1.234,56");
    await page.goto(`${emulator.url}/console/charges?method=BOLETO`);
    await page.getByText("No charge fits these filters.").waitFor();
    await expectAccessible(page);
  });

  test("a payment without Pix is shown by its tx id, with the page of its method", async () => {
    const body = { amount: 25_000, currency: "BRL", paymentMethods: ["BOLETO"], idempotencyKey: "console-boleto-1" };
    const made = await emulator.call("POST", "/v1/payments", {
      body: { ...body, customerName: "Rui", customerDocument: CPF, customerEmail: "rui@example.com" },
    });
    expect(made.status).toBe(201);
    await emulator.sandbox("/clock/advance", { seconds: 5 });
    const page = await openCharge(`tx_${made.body.id}`);
    await page.getByRole("link", { name: "Boleto (PDF)" }).waitFor();
    await page.goto(`${emulator.url}/console/charges?method=BOLETO`);
    await page.locator(`a.row[href^="/console/charges/tx_${made.body.id}"]`).waitFor();
  });

  test("an id of nothing says so", async () => {
    const page = await open.open("/console/charges/ch_01a201ab-21af-7001-acb4-000000000000");
    await page.getByText("There is no such object here.").waitFor();
    await expectAccessible(page);
  });

  test("everything is there in Portuguese, in the dark and on a phone", async () => {
    const { id } = await paid();
    const page = await open.open(`/console/charges/${id}`, { language: "pt-BR", scheme: "dark", width: 360 });
    await page.getByText("O que pode acontecer agora").waitFor();
    expect(await page.locator("main .split-object").innerText()).toContain("paga (pagador:");
    expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    await expectAccessible(page);
    expect(open.errors).toEqual([]);
  });
});
