import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

const HOSTILE = "<img src=x onerror=alert(1)>";
const CPF = "52998224725";

describeInBrowser("charges in the console", (executablePath) => {
  const receiver = sharedReceiver();
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  beforeAll(async () => {
    await subscribe(emulator, receiver.url, ["charge.paid", "charge.failed", "charge.expired", "payment.refunded"]);
  });

  const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read);
  const button = (page: Page, name: string) => page.locator("main").getByRole("button", { name, exact: true });
  const dialogButton = (page: Page, name: string) =>
    page.getByRole("dialog").getByRole("button", { name, exact: true });
  const head = (page: Page) => page.locator("header:has(> h1)");
  const statusOf = async (id: string) => (await emulator.call("GET", `/v1/charges/${id}`)).body.status as string;

  /** Opens the page of a charge, once it is there. */
  async function openCharge(id: string, query = ""): Promise<Page> {
    const page = await open.open(`/console/charges/${id}${query}`);
    await page.locator(".timeline, main .tabs").first().waitFor();
    return page;
  }

  /** What the page says of an action that is not possible now; null for one that is. */
  const whyNot = async (page: Page, name: string) => {
    const told = page.locator(".impossible > div").filter({ has: page.getByText(name, { exact: true }) });
    return (await told.count()) === 0 ? null : told.locator("dd").textContent();
  };

  /** Chooses an action of the head that is behind its button. */
  async function more(page: Page, name: string): Promise<void> {
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name }).click();
  }

  async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, text] of Object.entries(fields)) {
      await page.getByRole("dialog").getByLabel(label, { exact: true }).fill(text);
    }
  }

  test("the empty list says how the first charge is made, and the form makes it and leads to it", async () => {
    const page = await open.open("/console/charges");
    await page.locator(".empty").waitFor();
    await button(page, "New charge").click();
    await expectAccessible(page);
    await fill(page, { Amount: "19,9" });
    await dialogButton(page, "New charge").click();
    await page.getByText("Write 19,90").waitFor();
    await page.getByLabel("Amount", { exact: true }).and(page.locator("[aria-invalid=true]:focus")).waitFor();
    const script = page.getByLabel("Paid after (seconds)");
    await soon(() => script.isVisible()).toBe(false);
    await page.locator("summary", { hasText: "Script" }).click();
    await soon(() => script.isVisible()).toBe(true);
    await fill(page, {
      Amount: "19,90",
      "Customer name": HOSTILE,
      "Customer CPF or CNPJ": "123",
      "Paid after (seconds)": "60",
    });
    await dialogButton(page, "New charge").click();
    await page.getByLabel("Customer CPF or CNPJ").and(page.locator("[aria-invalid=true]:focus")).waitFor();
    await expectAccessible(page);
    await fill(page, { "Customer CPF or CNPJ": CPF });
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
    await page.locator("main h1", { hasText: "R$ 19,90" }).waitFor();
    await soon(() => head(page).innerText()).toContain(id);
    await soon(() => head(page).innerText()).toContain("Waiting");
    expect(open.errors).toEqual([]);
  });

  test("a new charge is made by Enter alone, in a form whose button is always in sight, and paid by the key P", async () => {
    const page = await open.open("/console/charges");
    await button(page, "New charge").click();
    await page.getByLabel("Amount", { exact: true }).and(page.locator(":focus")).waitFor();
    for (const height of [900, 500]) {
      await page.setViewportSize({ width: 1280, height });
      const end = await dialogButton(page, "New charge").boundingBox();
      expect((end?.y ?? height) + (end?.height ?? 0)).toBeLessThanOrEqual(height);
    }
    await page.keyboard.press("Enter");
    await page.locator("main h1", { hasText: "R$ 19,90" }).waitFor();
    await page.keyboard.press("p");
    await soon(() => head(page).innerText()).toContain("Paid");
    expect(open.errors).toEqual([]);
  });

  test("the scenario of a new charge is chosen in its form", async () => {
    const page = await open.open("/console/charges");
    await button(page, "New charge").click();
    await page.getByLabel("Then", { exact: true }).selectOption("refused by the provider (AC06)");
    await dialogButton(page, "New charge").click();
    await soon(() => head(page).innerText()).toContain("Refused");
    await page.goto(`${emulator.url}/console/charges`);
    await button(page, "New charge").click();
    await page.getByLabel("Then", { exact: true }).selectOption("paid after 5 seconds");
    await page.locator("summary", { hasText: "Script" }).click();
    await fill(page, { "Paid after (seconds)": "60" });
    await dialogButton(page, "New charge").click();
    await page.waitForURL(/\/console\/charges\/ch_/);
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const { body } = await emulator.call("GET", `/v1/charges/${id}`);
    const due: Loose[] = (await emulator.sandbox(`/clock/due?subject=${id}`)).data;
    const { at } = due.find(({ kind }) => kind === "transaction.pay") ?? {};
    expect(Date.parse(at) - Date.parse(body.created_at)).toBe(60_000);
  });

  test("a paid charge is shown by its receiver, its head and its timeline without a reload", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    const before = receiver.received.length;
    await button(page, "Pay").click();
    const received = await receiver.waitFor(before + 1);
    expect(received.at(-1)?.body).toMatchObject({ type: "charge.paid", data: { object: { id } } });
    await soon(() => head(page).innerText()).toContain("Paid");
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await soon(() => story.innerText()).toMatch(/charge.paid.*payment.completed.*payment.status_changed/s);
    expect(await statusOf(id)).toBe("paid");
    await soon(() => button(page, "Pay").count()).toBe(0);
    await soon(() => whyNot(page, "Pay")).toBe("Not possible: the status is Paid, only in Pending, Waiting");
    await page.getByRole("button", { name: /^\d+ actions are not possible now/ }).click();
    await soon(() => button(page, "Pay").getAttribute("aria-disabled")).toBe("true");
    await page.getByText("Not possible: the status is Paid, only in Pending, Waiting").first().waitFor();
    // A day has no time of its own, and an instant is told in the time of the reader.
    await soon(() => page.locator(".t-day").innerText()).toMatch(/^\p{L}+,? \d+ \p{L}+$/u);
    await soon(() => story.innerText()).toMatch(/payable until \d+ \p{L}+ \d\d:\d\d\s/u);
    expect(open.errors).toEqual([]);
  });

  test("a button says which events it sends before it is pressed", async () => {
    const { id } = await emulator.charge();
    const page = await openCharge(id);
    const described = await button(page, "Expire").getAttribute("aria-describedby");
    await soon(() => page.locator(`[id="${described}"]`).textContent()).toBe(
      "Sends charge.expired, payment.expired, payment.failed, payment.status_changed.",
    );
    await button(page, "Expire").click();
    await soon(() => statusOf(id)).toBe("expired");
  });

  test.each([
    ["another document", "11144477735", "refunded"],
    ["no document", "null", "processing"],
  ])("a payer with %s leaves the charge as the contract says", async (_, document, status) => {
    const { id } = await emulator.charge({ customer: { name: "Ana", document: CPF }, expected_payer_tax_id: CPF });
    const page = await openCharge(id);
    await button(page, "Pay with changes…").click();
    await fill(page, { "Payer CPF or CNPJ": document });
    await dialogButton(page, "Pay with changes…").click();
    await soon(() => statusOf(id)).toBe(status);
  });

  test.each([
    ["Approve", "paid"],
    ["Reject", "refunded"],
  ])("a held payment is decided by %s, and nothing else can decide one that is not held", async (name, status) => {
    const { id } = await emulator.charge({ customer: { name: "Ana", document: CPF }, expected_payer_tax_id: CPF });
    const page = await openCharge(id);
    await soon(() => whyNot(page, name)).toContain("Nothing is under review");
    await emulator.sandbox(`/charges/${id}/pay`, { payer_document: null });
    await button(page, name).waitFor();
    await soon(() => whyNot(page, "Expire")).toContain("under review");
    await button(page, name).click();
    await soon(() => statusOf(id)).toBe(status);
  });

  test("a refused charge carries the code, and a cancelled one asks first", async () => {
    const [first, second] = [await emulator.charge(), await emulator.charge()];
    const page = await openCharge(first.id);
    await button(page, "Refuse").click();
    await fill(page, { "Provider code": "AC07" });
    await dialogButton(page, "Refuse").click();
    await soon(() => statusOf(first.id)).toBe("failed");
    const { body } = await emulator.call("GET", `/v1/charges/${first.id}`);
    expect(JSON.stringify(body.metadata.failure)).toContain("AC07");
    const other = await openCharge(second.id);
    await more(other, "Cancel payment");
    expect(await statusOf(second.id)).toBe("pending");
    await dialogButton(other, "Cancel payment").click();
    await soon(() => statusOf(second.id)).toBe("cancelled");
  });

  test("a late payment goes back", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/expire`);
    const page = await openCharge(id);
    await button(page, "Pay after it ended…").click();
    await dialogButton(page, "Pay after it ended…").click();
    await page.getByText("The money went back to its payer.").waitFor();
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
    await page.getByText("Refund accepted:").waitFor();
    await button(page, "Start").click();
    await soon(() => whyNot(page, "Start")).toContain("Not possible");
    await button(page, "Complete").click();
    const raw = id.replace("ch_", "");
    const refunds = async () => (await emulator.call("GET", `/v1/payments/${raw}/refunds`)).body;
    await soon(refunds).toMatchObject([{ amount: 500, status: "REFUNDED" }]);
    await soon(() => whyNot(page, "Fail")).toContain("Not possible");
    await page.getByRole("link", { name: "Money", exact: true }).click();
    const journals = await emulator.sandbox(`/ledger/journals?reference=${id}`);
    expect(journals.data.length).toBeGreaterThan(0);
    const table = page.locator("main .main-column table");
    await table.waitFor();
    await soon(() => table.innerText()).toContain("+R$ 5,00");
    await soon(() => page.locator("[data-command]").innerText()).toContain(`sandbox ledger list --reference ${id}`);
    await expectAccessible(page);
  });

  test("a MED case is opened with its amount and leads to it", async () => {
    const { id } = await paid();
    const page = await openCharge(id);
    await button(page, "Open MED case").click();
    await page.getByRole("dialog").getByLabel("What the payer claims").selectOption("scam");
    await fill(page, { Amount: "10,00", Reason: HOSTILE });
    await dialogButton(page, "Open MED case").click();
    await page.waitForURL(/\/console\/med\/med_/);
    const cases = await emulator.call("GET", "/v1/med/cases");
    expect(JSON.stringify(cases.body)).toContain('"amount":1000');
    await page.locator(".page-head .line").getByRole("link").click();
    await soon(() => head(page).innerText()).toContain("Disputed");
  });

  test("filters hide kinds of items, and the address names them and a marked item", async () => {
    const { id } = await paid();
    const page = await openCharge(id);
    const story = page.getByRole("list", { name: "What happened, oldest first" });
    await page.getByText("Show in the timeline").click();
    await button(page, "Money").click();
    await soon(() => story.innerText()).not.toContain("became available");
    await soon(() => new URL(page.url()).searchParams.get("hide")).toBe("money");
    await page.goto(page.url());
    await story.waitFor();
    await soon(() => story.innerText()).not.toContain("became available");
    const timeline = await emulator.sandbox(`/timeline/${id}`);
    const event = timeline.items.find(({ kind }: Loose) => kind === "event").id;
    const marked = await openCharge(id, `?at=${event}`);
    await soon(() => marked.locator('[aria-current="true"]', { hasText: "charge.created" }).count()).toBe(1);
  });

  test("the tabs show both wire formats, what changed between events, and the fields of the code", async () => {
    const { id } = await emulator.charge({ customer: { name: "Ana", document: CPF } });
    const page = await openCharge(id, "?tab=pix");
    const object = page.locator("main .main-column");
    await object.getByText(": right").waitFor();
    await soon(() => object.locator("table").innerText()).toContain("br.gov.bcb.pix");
    const image = object.locator("img.qr");
    const width = () => image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth);
    await soon(width).toBeGreaterThan(0);
    await expectAccessible(page);
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await object.getByText("Minute (UTC)").waitFor();
    await page.getByRole("link", { name: "Object", exact: true }).click();
    await object.getByText("As a charge (/v1/charges)").waitFor();
    await soon(() => object.getByText("As a payment (/v1/payments)").count()).toBe(1);
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
    await button(before, "More actions").click();
    await before.getByRole("menuitem", { name: "Cancel payment" }).waitFor();
    await soon(() => before.getByRole("menuitem", { name: "Receipt (PDF)" }).count()).toBe(0);
    const { id } = await paid();
    const page = await openCharge(id);
    const downloading = page.waitForEvent("download");
    await more(page, "Receipt (PDF)");
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
    const shown = () => page.locator("main").innerText();
    await soon(shown).toContain(`/console/charges/${id}`);
    await soon(shown).toContain("(test)");
    await soon(shown).toContain("charge expires unpaid");
    await soon(() => button(page, "Pay").isVisible()).toBe(false);
    const event = page.locator(".t-row", { hasText: "charge.created" }).first();
    await soon(() => event.isVisible()).toBe(true);
  });

  test("a payment without Pix has one address too, and the page of its method", async () => {
    const body = { amount: 25_000, currency: "BRL", paymentMethods: ["BOLETO"], idempotencyKey: "console-boleto-1" };
    const made = await emulator.call("POST", "/v1/payments", {
      body: { ...body, customerName: "Rui", customerDocument: CPF, customerEmail: "rui@example.com" },
    });
    expect(made.status).toBe(201);
    await emulator.sandbox("/clock/advance", { seconds: 5 });
    const page = await openCharge(`tx_${made.body.id}`);
    await page.waitForURL(`**/console/charges/ch_${made.body.id}`);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Boleto (PDF)" }).waitFor();
    await page.goto(`${emulator.url}/console/charges?method=BOLETO`);
    await page.locator(`a.row[href^="/console/charges/ch_${made.body.id}"]`).waitFor();
  });

  test("an id of nothing says so", async () => {
    const page = await open.open("/console/charges/ch_01a201ab-21af-7001-acb4-000000000000");
    await page.getByText("Not in this account's Test book.").waitFor();
  });

  test("everything is there in Portuguese, in the dark and on a phone", async () => {
    const { id } = await paid();
    const page = await open.open(`/console/charges/${id}`, { language: "pt-BR", scheme: "dark", width: 360 });
    await page.getByText("Simular próximo passo").waitFor();
    await soon(() => page.locator("main .main-column").innerText()).toMatch(/paga \(pagador:/i);
    await soon(() => page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
    expect(open.errors).toEqual([]);
  });
});
