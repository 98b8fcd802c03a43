import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { type ConsoleBrowser, launchConsole } from "../../support/console-browser.js";
import {
  addEvidence,
  caseIn,
  emails,
  evidenceOf,
  openCase,
  PNG,
  paidCharge,
  purse,
  readCase,
} from "../../support/med.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

const HOSTILE = '<img src=x onerror="document.title=1">';

describeInBrowser("the MED desk", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const receiver = sharedReceiver();
  let open: ConsoleBrowser;
  let page: Page;

  beforeAll(async () => {
    await subscribe(emulator, receiver.url, ["med.resolved", "med_case.created", "med_case.updated"]);
    open = await launchConsole(executablePath, emulator);
    page = await open.open("/console/med");
  });

  afterAll(async () => {
    expect(open.errors).toEqual([]);
    await open?.close();
  });

  const button = (name: string) => page.locator("main").getByRole("button", { name, exact: true });

  async function openDesk(id: string): Promise<void> {
    await page.goto(`${emulator.url}/console/med/${id}`);
    await button("Decide for the payer").waitFor();
  }

  /** What the receiver got about a case, in the order of arrival. */
  async function toldOf(id: string): Promise<string[]> {
    await settle(emulator);
    return receiver.received.filter(({ raw }) => raw.includes(id)).map(({ type }) => type);
  }

  test("a case is opened by its button, which leads to it, and its row shows the time that is left", async () => {
    const charge = await paidCharge(emulator, { customer: { name: "Maria Silva" } });
    await page.getByRole("button", { name: "Open MED case" }).click();
    await page.getByLabel("Charge or payment").fill(charge.id);
    await page.getByLabel("What the payer claims").selectOption("scam");
    await page.getByRole("dialog").getByLabel("Reason").fill(HOSTILE);
    await page.getByRole("dialog").getByRole("button", { name: "Open MED case" }).click();
    await page.locator(".page-head .line", { hasText: `Maria Silva · Disputed payment ${charge.id}` }).waitFor();
    await page.getByText(HOSTILE).first().waitFor();
    const id = page.url().replace(/.*\//, "");
    await page.goBack();
    const row = page.locator("main tbody tr", { hasText: id });
    await expect.poll(() => row.textContent()).toMatch(/R\$ 19,90.*Open.*(6|7) d/);
    expect(await readCase(emulator, id)).toMatchObject({ charge_id: charge.id, reason: HOSTILE, status: "open" });
    expect(await toldOf(id)).toEqual(["med_case.created"]);
  });

  test("an appeal with its files and its reason reaches the service, and the desk follows the bank's decision", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    const head = page.locator(".split-object .page-head");
    const step = page.getByRole("list", { name: "Steps of the case" }).locator('[aria-current="step"]');
    expect([await step.textContent(), await head.innerText()]).toEqual([
      "Open",
      expect.stringMatching(/Answer within (7|6) d/),
    ]);
    const left = () => head.getByRole("progressbar").evaluate((bar) => (bar as unknown as { value: number }).value);
    expect(await left()).toBeGreaterThan(6 * 86_400_000);
    const before = await left();
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    await expect.poll(left).toBe(before - 86_400_000);
    await button("Appeal").click();
    await expect.poll(() => page.locator(":focus").getAttribute("name")).toBe("reason");
    await page.keyboard.type("Delivered and signed for.");
    const recibo = { name: "recibo.png", mimeType: "image/png", buffer: PNG };
    await page.getByRole("dialog").locator('input[type="file"]').setInputFiles(recibo);
    await page.getByText("recibo.png is uploaded and confirmed.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Appeal" }).click();
    await page.locator(".page-head .facts").getByText("Appealed").waitFor();
    expect(await readCase(emulator, id)).toMatchObject({
      appeal_reason: "Delivered and signed for.",
      evidence_count: 1,
    });
    await page.getByRole("link", { name: "recibo.png" }).waitFor();
    const [available, held] = await purse(emulator);
    await emulator.sandbox(`/med-cases/${id}/decide`, { outcome: "refunded_to_merchant" });
    await page.locator(".page-head .facts").getByText("closed").waitFor();
    await head.getByText("Won: the merchant keeps the money").waitFor();
    await expect.poll(() => step.textContent()).toBe("Decided");
    // What an action before has answered is over with the state that it was made in.
    await expect.poll(() => page.locator("main output:not(:empty)").count()).toBe(0);
    await expect.poll(() => head.getByRole("progressbar").count()).toBe(0);
    await page.getByText("Decided for the merchant. R$ 19,90 released.").waitFor();
    await page.locator("dd").getByText("nothing", { exact: true }).waitFor();
    expect(await purse(emulator)).toEqual([available + 1990, held - 1990]);
    expect(await toldOf(id)).toEqual(["med_case.created", "med_case.updated", "med_case.updated", "med.resolved"]);
  });

  test("a case that is upheld before an answer is closed, and the page says that the money does not come back", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    const advice = page.getByText("Before an answer, a decision for the payer closes the case");
    await advice.waitFor();
    const [available, held] = await purse(emulator);
    await button("Decide for the payer").click();
    await page.locator("main .over", { hasText: "Closed without refund. R$ 19,90 left the wallet." }).waitFor();
    await expect.poll(() => advice.count()).toBe(0);
    expect(await readCase(emulator, id)).toMatchObject({ status: "closed", money_outcome: "closed_without_refund" });
    expect(await purse(emulator)).toEqual([available, held - 1_990]);
  });

  test("a file of a case is a disabled button until its address is known, and then a link", async () => {
    const { id } = await openCase(emulator);
    await addEvidence(emulator, id, { file_name: "nota.png" });
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    await page.route("**/console/api/tickets/**", async (route) => {
      await answered;
      await route.continue();
    });
    await openDesk(id);
    const waiting = page.getByRole("button", { name: "nota.png" });
    await expect.poll(() => waiting.isDisabled()).toBe(true);
    answer();
    await page.getByRole("link", { name: "nota.png" }).waitFor();
    await expect.poll(() => waiting.count()).toBe(0);
    await page.unroute("**/console/api/tickets/**");
  });

  test("an accepted loss is confirmed first, and gives the held money to the payer", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    await button("Accept the loss").click();
    await page.getByRole("dialog").getByText("The loss is permanent").waitFor();
    expect(await readCase(emulator, id)).toMatchObject({ status: "open" });
    await page.getByRole("dialog").getByRole("button", { name: "Accept the loss" }).click();
    await page.locator(".page-head .facts").getByText("Lost: the payer gets the money").waitFor();
    expect(await readCase(emulator, id)).toMatchObject({ status: "accepted", money_outcome: "lost" });
  });

  test.each([
    ["Decide for the payer", "rejected", "lost"],
    ["Decide for the merchant", "closed", "refunded_to_merchant"],
    ["Close without refund", "closed", "closed_without_refund"],
    ["Payer withdraws", "closed", "refunded_to_merchant"],
  ])("the bank's button %s makes an appealed case %s", async (name, status, outcome) => {
    const { id } = await caseIn(emulator, "appealed");
    await openDesk(id);
    await button(name).click();
    await page.locator(".page-head .facts").getByText(status).waitFor();
    expect(await readCase(emulator, id)).toMatchObject({ status, money_outcome: outcome });
    expect(await toldOf(id)).toContain("med.resolved");
  });

  test("the bank requests evidence, and the case shows since when", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    await button("Request evidence").click();
    await page.getByText("Evidence requested", { exact: true }).waitFor();
    expect((await readCase(emulator, id)).evidence_requested_at).not.toBeNull();
  });

  test("a final case has one line in place of its moves", async () => {
    const { id } = await caseIn(emulator, "accepted");
    await page.goto(`${emulator.url}/console/med/${id}`);
    await page.locator("main .over", { hasText: "Decided for the payer. R$ 19,90 left the wallet." }).waitFor();
    await expect.poll(() => page.locator("main .side-merchant, main .side-bank, main .drop").count()).toBe(0);
  });

  test("an appealed case offers what is possible, and says where the appeal is", async () => {
    const { id } = await caseIn(emulator, "appealed");
    await openDesk(id);
    await page.getByText("The appeal is with the bank.").waitFor();
    await expect.poll(() => page.locator("main [aria-disabled=true]").count()).toBe(0);
    await expect.poll(() => button("Appeal").count()).toBe(0);
  });

  test("a case with evidence and an appeal is decided in six clicks from any page", async () => {
    const { id } = await openCase(emulator);
    await page.goto(`${emulator.url}/console/charges`);
    await page.getByRole("link", { name: /^MED cases/ }).click();
    await page.locator(`main a.row[href*="${id}"]`).click();
    await button("Appeal").click();
    await page.keyboard.type("Delivered and signed for.");
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("dialog").locator(".file-button").click();
    await (await chosen).setFiles({ name: "recibo.png", mimeType: "image/png", buffer: PNG });
    await page.getByText("recibo.png is uploaded and confirmed.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Appeal" }).click();
    await button("Decide for the merchant").click();
    await page.locator("main .over", { hasText: "Decided for the merchant. R$ 19,90 released." }).waitFor();
    expect(await readCase(emulator, id)).toMatchObject({
      appeal_reason: "Delivered and signed for.",
      evidence_count: 1,
      money_outcome: "refunded_to_merchant",
    });
  });

  test("a button says which events it sends", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    await expect.poll(() => button("Appeal").getAttribute("title")).toBe("Sends med_case.updated.");
    await expect
      .poll(() => button("Decide for the payer").getAttribute("title"))
      .toBe("Sends med_case.updated, med.resolved.");
  });

  test("chosen files become evidence: a picture is shown, a PDF opens in a tab", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    const pdf = Buffer.from("%PDF-1.4\n%%EOF\n");
    await page.locator('main input[type="file"]').setInputFiles([
      { name: "nota fiscal.png", mimeType: "image/png", buffer: PNG },
      { name: "contrato.pdf", mimeType: "application/pdf", buffer: pdf },
    ]);
    const picture = page.getByRole("link", { name: "nota fiscal.png" }).locator("img");
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => page.evaluate("document.querySelector('.slot img').naturalWidth")).toBe(1);
    const link = page.getByRole("link", { name: "contrato.pdf" });
    await expect.poll(() => link.getAttribute("target")).toBe("_blank");
    const file = await page.evaluate(
      (href) => fetch(href).then((answer) => answer.text()),
      (await link.getAttribute("href")) ?? "",
    );
    expect(file).toBe(pdf.toString());
    const names = (await evidenceOf(emulator, id)).map(({ file_name }) => file_name);
    expect(names.toSorted()).toEqual(["contrato.pdf", "nota fiscal.png"]);
  });

  test("a file that is dropped becomes evidence, and one of another type is refused before anything is sent", async () => {
    const { id } = await openCase(emulator);
    await openDesk(id);
    const drop = async (name: string, type: string) => {
      const file = `new File(["x"], ${JSON.stringify(name)}, { type: ${JSON.stringify(type)} })`;
      const dataTransfer = await page.evaluateHandle(
        `(() => { const data = new DataTransfer(); data.items.add(${file}); return data; })()`,
      );
      await page.locator(".drop").dispatchEvent("drop", { dataTransfer });
    };
    await drop("virus.exe", "application/x-msdownload");
    await page.getByText("virus.exe is not a PNG").waitFor();
    expect(await evidenceOf(emulator, id)).toEqual([]);
    await drop("recibo.png", "image/png");
    await page.getByText("recibo.png is uploaded and confirmed.").waitFor();
    expect(await evidenceOf(emulator, id)).toMatchObject([{ file_name: "recibo.png", file_size: 1 }]);
  });

  test("the mail of a case leads to the mailbox: HTML in a frame without scripts, text, source and headers", async () => {
    const { id } = await openCase(emulator, {
      charge_id: (await paidCharge(emulator)).id,
      reason: "<script>top.location='/console/'</script>",
    });
    const [mail] = await emails(emulator, `?case_id=${id}`);
    await openDesk(id);
    await page
      .locator("aside")
      .getByRole("link", { name: mail.subject.replace(` (${id})`, ""), exact: true })
      .click();
    const frame = page.frameLocator("iframe.mail");
    await frame.getByText(id).first().waitFor();
    await frame.getByText("<script>top.location").waitFor();
    await expect.poll(() => page.locator("iframe.mail").getAttribute("sandbox")).toBe("");
    await page.getByRole("link", { name: "Headers" }).click();
    await page.getByRole("cell", { name: mail.to }).waitFor();
    await page.getByRole("link", { name: "Source" }).click();
    await page.getByText("MIME-Version: 1.0").waitFor();
    await page.getByRole("link", { name: "Text" }).click();
    await page.locator("pre").getByText(id).waitFor();
    await page.getByText("Kept here; no mail server is set").waitFor();
    await expect
      .poll(() => page.locator("[data-command]").textContent())
      .toContain(`qa-pay api GET /_sandbox/emails/${mail.id} `);
  });

  test("a new message comes into the mailbox at once in the mode Tail, and filters are in the address", async () => {
    await page.goto(`${emulator.url}/console/med?view=mail&follow=tail&kind=MED%20opened`);
    await page.locator("main a.row").first().waitFor();
    const { id } = await openCase(emulator);
    const [mail] = await emails(emulator, `?case_id=${id}`);
    await page.locator(`main a.row[href*="${mail.id}"]`).waitFor();
    await expect.poll(() => page.locator("main tbody tr").filter({ hasText: "concluída" }).count()).toBe(0);
  });
});
