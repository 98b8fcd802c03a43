import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import { openCase, paidCharge } from "../../support/med.js";
import { sharedEmulator } from "../../support/shared.js";

/** What the lists of money and the first page say of each object, at every width. */

const NAME = "Panificadora e Confeitaria Aurora de Nossa Senhora Ltda";

describeInBrowser("the lists of money", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);
  /** Contested and not decided; contested and lost. */
  const ids = { open: "", lost: "" };

  beforeAll(async () => {
    await emulator.charge({ amount: 700 });
    for (const name of ["open", "lost"] as const) {
      const { id } = await paidCharge(emulator, { customer: { name: NAME } });
      ids[name] = id;
      const medCase = await openCase(emulator, { charge_id: id });
      if (name === "lost") await emulator.sandbox(`/med-cases/${medCase.id}/decide`, { outcome: "upheld" });
    }
  });

  const toneOf = (page: Page, place: string) => page.locator(`${place} .status`).first().getAttribute("class");

  test("a contested charge needs somebody until it is decided, and a lost one is an error", async () => {
    const page = await open.open("/console/charges");
    const row = (id: string) => `main tr:has(a[href*="${id}"])`;
    await expect.poll(() => toneOf(page, row(ids.lost))).toBe("status status-bad");
    expect(await toneOf(page, row(ids.open))).toBe("status status-warn");
    await page.locator(`main a.row[href*="${ids.lost}"]`).click();
    await expect.poll(() => toneOf(page, ".page-head")).toBe("status status-bad");
    await page.goto(`${emulator.url}/console/charges/${ids.open}`);
    await expect.poll(() => toneOf(page, ".page-head")).toBe("status status-warn");
  });

  test("contested charges share two questions, and ask for themselves only when there are too many cases", async () => {
    const page = await open.open("/console/refunds");
    const asked: string[] = [];
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith("/v1/med/cases")) asked.push(searchParams.get("status") ?? "one charge");
    });
    const tones = async () => {
      asked.length = 0;
      await page.goto(`${emulator.url}/console/charges`);
      await expect.poll(() => toneOf(page, `main tr:has(a[href*="${ids.lost}"])`)).toBe("status status-bad");
      return toneOf(page, `main tr:has(a[href*="${ids.open}"])`);
    };
    expect(await tones()).toBe("status status-warn");
    // Every page asks for the open ones.
    expect(asked.filter((one) => one !== "open")).toEqual(["appealed"]);
    await page.route("**/v1/med/cases?*status=open*", (route) =>
      route.fulfill({ json: { object: "list", data: [], has_more: true, next_cursor: "more" } }),
    );
    expect(await tones()).toBe("status status-warn");
    expect(asked).toContain("one charge");
  });

  test("the search stands first among the filters, and a customer that nobody named is a dash", async () => {
    const page = await open.open("/console/charges");
    await page.locator("main tbody tr").nth(2).waitFor();
    const first = page.locator("search input").first();
    await expect.poll(() => first.getAttribute("name")).toBe("q");
    await expect.poll(() => page.locator("main tr", { hasText: "R$ 7,00" }).locator("td").nth(2).innerText()).toBe("—");
  });

  test("on a tablet the button of a new charge stands beside the title, and each charge has its time", async () => {
    for (const language of ["en", "pt-BR"] as const) {
      const page = await open.open("/console/charges", { width: 768, language });
      await page.locator("main tbody tr").nth(2).waitFor();
      const middle = async (selector: string) => {
        const box = await page.locator(selector).first().boundingBox();
        return Math.round(((box?.y ?? 0) + (box?.height ?? 0) / 2) / 10);
      };
      expect(await middle(".head-actions button")).toBe(await middle("main h1"));
      await expect.poll(() => page.locator("main tbody tr").first().locator("time").isVisible()).toBe(true);
      await open.leaveAll();
    }
  });

  test("the first page names customers whole, on a phone and on a desktop", async () => {
    for (const width of [360, 1280]) {
      const page = await open.open("/console/", { width });
      const name = page.locator(".lines .whole", { hasText: NAME }).first();
      await name.waitFor();
      expect(await name.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    }
  });

  test("no view of a charge is wider than a phone, and its money shows amounts without scrolling", async () => {
    const page = await open.open(`/console/charges/${ids.open}`, { width: 360, language: "pt-BR" });
    for (const name of ["Linha do tempo", "Objeto", "Pix", "Dinheiro"]) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator(".tabs [aria-current]", { hasText: name }).waitFor();
      await expect.poll(() => page.getByText("Carregando…").count()).toBe(0);
      const excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
      await expect.poll(() => page.evaluate(excess), { message: name }).toBe(0);
    }
    const frame = page.locator("main .table-frame").first();
    await frame.getByText("+R$ 19,90").first().waitFor();
    await expect.poll(() => frame.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    // An arrow leads from the amount of an entry to the balance after it.
    const label = "getComputedStyle(document.querySelector('main td.second.number'), '::before').content";
    expect(await page.evaluate(label)).toContain("→");
  });

  test("the page of an object reads its list only where there is room beside it", async () => {
    const page = await open.open("/console/faults");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const lists = () => asked.filter((path) => path.endsWith("/_sandbox/payments")).length;
    await page.goto(`${emulator.url}/console/charges/${ids.open}`);
    await page.getByText("Simulate next").waitFor();
    expect(lists()).toBe(0);
    await page.setViewportSize({ width: 1800, height: 900 });
    await page.locator(".split-list a.row").first().waitFor();
    expect(lists()).toBe(1);
    await page.setViewportSize({ width: 1280, height: 900 });
    await expect.poll(() => page.locator(".split-list").count()).toBe(0);
  });

  test.each(["ledger/balances", "clock/due"])("wallets without %s say so, and can be read again", async (failing) => {
    const page = await open.open("/console/charges");
    const address = `**/console/api/_sandbox/${failing}**`;
    await page.route(address, (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto(`${emulator.url}/console/wallets`);
    await page.locator("main .problem-line").waitFor();
    await expect.poll(() => page.locator(".bucket-amount").count()).toBe(0);
    await page.unroute(address);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator(".bucket-amount").first().waitFor();
  });

  test("the reason of a journal is in words, and its code in the title", async () => {
    for (const [language, words] of [
      ["en", "Settlement"],
      ["pt-BR", "Liquidação"],
    ] as const) {
      const page = await open.open("/console/wallets/BRL", { language });
      const reason = page.locator("main td").getByText(words, { exact: true }).first();
      await expect.poll(() => reason.getAttribute("title")).toBe("settlement");
      await open.leaveAll();
    }
  });
});
