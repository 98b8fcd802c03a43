import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, launchConsole } from "../../support/console-browser.js";
import { openCase, paidCharge } from "../../support/med.js";
import { shared, sharedEmulator } from "../../support/shared.js";

const BOARD = "/console/med?view=board";

describeInBrowser("the board of the MED desk", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = shared(() => launchConsole(executablePath, emulator));
  const ids: Record<"soon" | "late" | "appealed" | "accepted", string> = {
    soon: "",
    late: "",
    appealed: "",
    accepted: "",
  };

  async function newCase(days: number): Promise<string> {
    const { id } = await paidCharge(emulator, { customer: { name: `Cliente ${days}` } });
    const now = Date.parse((await emulator.call("GET", "/_sandbox/clock")).body.now);
    const deadline = new Date(now + days * 86_400_000).toISOString();
    return (await openCase(emulator, { charge_id: id, response_deadline: deadline })).id;
  }

  beforeAll(async () => {
    ids.soon = await newCase(2);
    ids.late = await newCase(9);
    ids.appealed = await newCase(3);
    ids.accepted = await newCase(4);
    await emulator.call("POST", `/v1/med/cases/${ids.appealed}/appeal`, { body: { reason: "Pedido entregue" } });
    await emulator.call("POST", `/v1/med/cases/${ids.accepted}/accept`, { body: {} });
  });

  afterAll(() => {
    expect(open.errors).toEqual([]);
  });

  /** The ids of the cards of each column. */
  async function columns(page: Page): Promise<Record<string, string[]>> {
    await page.locator(".board a.row").first().waitFor();
    const found = await page.locator(".board-column").all();
    const entries = found.map(async (column) => {
      const state = (await column.locator("h2 .status").getAttribute("title")) ?? "";
      return [state, await column.locator("a.row").allInnerTexts()] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  }

  test("has a column for each state, with what is due first at the top of its column", async () => {
    const page = await open.open("/console/med");
    await page.getByRole("link", { name: "Board" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?view=board");
    await expect
      .poll(() => columns(page))
      .toEqual({
        open: [ids.soon, ids.late],
        appealed: [ids.appealed],
        accepted: [ids.accepted],
        rejected: [],
        closed: [],
      });
    await expect
      .poll(() => page.locator(".card").first().innerText())
      .toMatch(/R\$ 19,90[\s\S]*2 d[\s\S]*Appeal or accept/);
  });

  test.each(["/console/med", BOARD])("reads its cases and their customers by one request: %s", async (address) => {
    const page = await open.open("/console/settings");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.replace("/console/api", "")));
    await page.goto(emulator.url + address);
    for (const days of [2, 3, 4, 9]) await page.locator("main").getByText(`Cliente ${days}`).waitFor();
    // The frame of every page counts the open cases.
    const about = asked.filter((path) => /^\/(v1|_sandbox)\/.*(med|payments|charges|search)/.test(path));
    expect(about.toSorted()).toEqual(["/_sandbox/med-cases", "/v1/med/cases"]);
  });

  test("counts on the emulated clock, and moves a card when its case moves", async () => {
    const page = await open.open(BOARD);
    const card = page.locator(".card", { hasText: ids.late });
    await card.getByText("9 d").waitFor();
    await emulator.sandbox("/clock/advance", { seconds: 86_400 });
    await card.getByText("8 d").waitFor();
    await emulator.sandbox(`/med-cases/${ids.appealed}/decide`, { outcome: "upheld" });
    await expect.poll(async () => (await columns(page)).rejected).toEqual([ids.appealed]);
    await expect.poll(async () => (await columns(page)).appealed).toEqual([]);
  });

  test("is reached and left by the keyboard, and is there again on the way back", async () => {
    const page = await open.open("/console/med");
    await page.getByRole("link", { name: "Board" }).press("Enter");
    await page.locator(".board a.row").first().waitFor();
    await page.locator("main h1").press("j");
    await page.keyboard.press("Enter");
    await page.locator("main h1:focus", { hasText: "R$ 19,90" }).waitFor();
    await page.locator(".above", { hasText: ids.soon }).waitFor();
    await page.locator("article .above a").first().press("Enter");
    await page.locator(".board a.row").first().waitFor();
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe(BOARD);
  });

  test("shows one column for a filtered state", async () => {
    const page = await open.open(`${BOARD}&status=accepted`);
    await expect.poll(() => columns(page)).toEqual({ accepted: [ids.accepted] });
  });

  test("is accessible, wide and at 360 pixels, where its columns stand below each other", async () => {
    const page = await open.open(BOARD, { language: "pt-BR", scheme: "dark" });
    await columns(page);
    await expectAccessible(page);
    const widest =
      "Math.max(...[...document.querySelectorAll('.board *')].map((one) => one.getBoundingClientRect().right))";
    await expect.poll(() => page.evaluate(widest)).toBeLessThanOrEqual(1_280);
    await page.setViewportSize({ width: 360, height: 900 });
    await expectAccessible(page);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
    const lefts =
      "new Set([...document.querySelectorAll('.board-column')].map((one) => one.getBoundingClientRect().left)).size";
    await expect.poll(() => page.evaluate(lefts)).toBe(1);
  });
});
