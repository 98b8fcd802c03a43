import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, filterBy, sharedConsole } from "../../support/console-browser.js";
import { openCase, paidCharge } from "../../support/med.js";
import { payment, REQUESTS } from "../../support/payments.js";
import { refund } from "../../support/refunds.js";
import { sharedEmulator } from "../../support/shared.js";

/** What all lists have: short ids, filters that act at once, a first row near the top, and a way out of an empty one. */

const NAME = "Luíza Cavalcanti";

const EMPTY = ["charges", "requests", "refunds", "payouts", "med"];

describeInBrowser("an empty list", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  test("begins with its button, then a command and a request, and has no filters", async () => {
    const page = await open.open("/console/charges");
    const empty = page.locator("main .empty");
    await empty.getByRole("button", { name: "New charge" }).waitFor();
    await expect.poll(() => page.getByRole("button", { name: "New charge" }).count()).toBe(1);
    await expect.poll(() => page.locator("main :is(search, .toolbar, .tabs)").count()).toBe(0);
    const lines = empty.locator("code");
    await expect.poll(() => lines.allInnerTexts()).toHaveLength(2);
    await expect.poll(() => lines.first().innerText()).toMatch(/^qa-pay charges create --amount 1990 --base-url/);
    await expect.poll(() => lines.last().innerText()).toMatch(/^curl -X POST \S+\/v1\/charges/);
    const [button, line] = [await empty.locator("button.main").boundingBox(), await lines.first().boundingBox()];
    expect(button?.y ?? 999).toBeLessThan(line?.y ?? 0);
  });

  test.each(EMPTY)("of %s is accessible in both languages, wide and on a phone", async (name) => {
    for (const language of ["en", "pt-BR"] as const) {
      const page = await open.open(`/console/${name}`, { language, width: language === "en" ? 1280 : 360 });
      await expectAccessible(page);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      await open.leaveAll();
    }
  });

  test("keeps the dialog of its button when the first row arrives", async () => {
    const page = await open.open("/console/payouts");
    await page.locator(".empty button.main").click();
    await page.getByRole("dialog").getByLabel("Amount").fill("12,34");
    await emulator.sandbox("/payouts", { amount: 100, overdraw: true });
    await page.locator("main tbody tr").waitFor();
    await expect.poll(() => page.getByRole("dialog").getByLabel("Amount").inputValue()).toBe("12,34");
  });
});

describeInBrowser("a list with rows", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);
  let paid = "";

  beforeAll(async () => {
    ({ id: paid } = await paidCharge(emulator, {
      amount: 34_900,
      customer: { name: NAME },
      description: "Pedido #2041",
    }));
    const card = await payment(emulator, { ...REQUESTS.CREDIT_CARD, amount: 20_437_300 - 34_900 });
    await emulator.sandbox(`/charges/${card.id}/pay`);
    await emulator.charge({ amount: 700 });
    const { id: returned } = await paidCharge(emulator, { amount: 1_000, customer: { name: NAME } });
    const { id } = await refund(emulator, returned.replace("ch_", ""), { reason: "Produto com defeito" });
    await emulator.sandbox(`/refunds/${id}/advance`, { to: "REFUNDED" });
    const { id: contested } = await paidCharge(emulator, { amount: 5_000 });
    await openCase(emulator, {
      charge_id: contested,
      reason: "I did not make this payment, and I know no such merchant",
    });
    await emulator.sandbox("/payouts", { amount: 100 });
  });

  const rowOf = (page: Page, id: string) => page.locator(`main tbody tr:has(a[href*="${id}"])`);

  test("shows the beginning and the end of each id, and copies the whole one by pointer and by keyboard", async () => {
    const page = await open.open("/console/charges");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: emulator.url });
    const row = rowOf(page, paid);
    const shown = "getComputedStyle(document.querySelector('main .row-id .id'), '::before').content";
    await row.waitFor();
    expect(await page.evaluate(shown)).toContain("ch_…");
    const copy = row.getByRole("button", { name: "Copy the id", includeHidden: true });
    const copied = () => page.evaluate("navigator.clipboard.readText()");
    await page.mouse.move(-1, -1);
    await expect.poll(() => copy.isVisible()).toBe(false);
    await row.hover();
    await copy.click();
    await expect.poll(copied).toBe(paid);
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.mouse.move(-1, -1);
    await row.locator("a.row").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(copied).toBe(paid);
    expect(new URL(page.url()).pathname).toBe("/console/charges");
  });

  test("of charges has the purpose below the customer, paid and approved as one state, and what they add up to", async () => {
    const asked: string[] = [];
    const page = await open.open("/console/med");
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole("link", { name: "Charges", exact: true }).click();
    await expect.poll(() => rowOf(page, paid).locator("td").nth(2).innerText()).toBe(`${NAME}\nPedido #2041`);
    await expect.poll(() => page.locator(".list-sum").innerText()).toMatch(/^2 paid · R\$\s204\.373,00$/);
    expect(asked.filter((path) => path.endsWith("/_sandbox/payments"))).toHaveLength(1);
    expect(asked.filter((path) => /metrics|stats/.test(path))).toEqual([]);
    await expect.poll(() => page.getByRole("link", { name: /^Approved/ }).count()).toBe(0);
    await page.getByRole("link", { name: "Paid 2" }).click();
    const states = () => page.locator("main tbody .status").allInnerTexts();
    await expect.poll(async () => (await states()).map((text) => text.trim()).toSorted()).toEqual(["Approved", "Paid"]);
    await filterBy(page, "Method", "Card");
    await expect.poll(() => page.locator("main tbody tr").count()).toBe(1);
    await expect.poll(() => page.locator(".list-sum").count()).toBe(0);
  });

  test("takes the usual days from a menu, and any others from two fields", async () => {
    const page = await open.open("/console/charges");
    const given = () => Object.fromEntries(new URL(page.url()).searchParams);
    await filterBy(page, "Date", "Today");
    await expect.poll(() => page.locator("search").getByRole("button", { name: "Date: Today" }).count()).toBe(1);
    expect(Object.keys(given())).toEqual(["from", "to"]);
    expect(given().from).toBe(given().to);
    await filterBy(page, "Date", "Any");
    await expect.poll(given).toEqual({});
    await filterBy(page, "Date", "Choose days…");
    await page.getByLabel("From").fill("1/2/2026");
    await page.keyboard.press("Enter");
    await expect.poll(given).toEqual({ from: "2026-02-01" });
  });

  test("of refunds names the customer, has one id, and a refund that arrived is a success", async () => {
    const page = await open.open("/console/refunds");
    const row = page.locator("main tbody tr").first();
    await expect.poll(() => row.locator("td").nth(2).innerText()).toBe(`${NAME}\nProduto com defeito`);
    await expect.poll(() => row.locator(".id").count()).toBe(1);
    await expect.poll(() => row.locator(".status").getAttribute("class")).toBe("status status-good");
    await row.locator("a.row").click();
    await expect.poll(() => page.locator(".page-head .status").getAttribute("class")).toBe("status status-good");
  });

  test("of MED cases has a word for a customer without a name, the whole reason, and what comes next", async () => {
    const page = await open.open("/console/med", { width: 1440 });
    const row = page.locator("main tbody tr").first();
    await expect.poll(() => row.locator(".grows > :first-child").innerText()).toBe("— no name");
    await expect.poll(() => row.innerText()).toMatch(/(7 d|6 d 23 h)\s+Appeal or accept/);
    const reason = row.locator(".grows > .under");
    expect(await reason.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    await expect.poll(() => page.locator("main thead th").allInnerTexts()).not.toContain("Type");
  });

  test.each([
    ["en", 1440],
    ["pt-BR", 1280],
    ["pt-BR", 768],
    ["pt-BR", 360],
  ] as const)("has its first row within 200 pixels from the top, in %s at %d pixels", async (language, width) => {
    const page = await open.open("/console/charges", { language, width });
    for (const name of EMPTY) {
      await page.goto(`${emulator.url}/console/${name}`);
      const row = page.locator("main tbody tr").first();
      await row.waitFor();
      expect((await row.boundingBox())?.y, name).toBeLessThanOrEqual(200);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), name).toBeLessThanOrEqual(0);
    }
  });

  test("stays while the rows of another filter are read", async () => {
    const page = await open.open("/console/charges");
    await rowOf(page, paid).waitFor();
    let answer = () => {};
    const answered = new Promise<void>((done) => {
      answer = done;
    });
    await page.route("**/_sandbox/payments?*q=*", async (route) => {
      await answered;
      await route.continue();
    });
    await page.getByLabel("Search", { exact: true }).fill("Pedido");
    await page.locator(".list[aria-busy=true]").waitFor();
    await expect.poll(() => rowOf(page, paid).count()).toBe(1);
    answer();
    await page.locator(".list[aria-busy=false]").waitFor();
    await expect.poll(() => page.locator("main tbody tr").count()).toBe(1);
  });

  test("leads back from an object that is not in the account", async () => {
    const page = await open.open("/console/charges?status=PAID");
    for (const name of ["charges/ch_", "refunds/rf_", "med/med_", "payouts/po_"]) {
      await page.goto(`${emulator.url}/console/${name}01a2425e-3540-7100-8a91-740e12345678`);
      await page.getByText("Not in this account's Test book.").waitFor();
      await expect.poll(() => page.locator("main h1").innerText()).toBe("Not found");
      await expect.poll(() => page.getByRole("button", { name: "Try again" }).count()).toBe(0);
      await page.locator("main .empty").getByRole("link", { name: "Back" }).click();
      await page.waitForURL(`**/console/${name.split("/")[0]}`);
    }
  });
});
