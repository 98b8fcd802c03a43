import type { Page, Route } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import { pageAddresses, viewAddresses } from "../../support/console-menu.js";
import { openCase, paidCharge } from "../../support/med.js";
import { paidPayment, refund } from "../../support/refunds.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

/** What a page shows stays where it is while the rest of it is read, and what stands in one line has room there. */

/** In the page: how much of the window has moved since the page was opened, and how far, as browsers sum it up. */
const SHIFT = `new Promise((done) => {
  let sum = 0;
  const add = (entries) => {
    for (const { value, hadRecentInput } of entries) if (!hadRecentInput) sum += value;
  };
  const hearing = new PerformanceObserver((list) => add(list.getEntries()));
  hearing.observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => (add(hearing.takeRecords()), done(sum)))));
})`;

/** In the page: in how many lines the filters of a list stand, and the names of those whose text is cut. */
const FILTERS = `(() => {
  const shown = [...document.querySelectorAll(".filters :is(select, input, button)")].filter((one) => one.checkVisibility());
  const middles = shown.map((one) => one.getBoundingClientRect()).map(({ y, height }) => Math.round(y + height / 2));
  const isCut = (one) => {
    // A copy of a choice has what is chosen alone, and may be as wide. The text of an empty field is measured as its value.
    const isChoice = one.localName === "select";
    const width = isChoice ? "max-content" : one.offsetWidth + "px";
    const copy = one.cloneNode(true);
    if (isChoice) copy.replaceChildren(one.selectedOptions[0].cloneNode(true));
    else copy.value = one.value || one.placeholder;
    copy.style.cssText = "position: absolute; max-width: none; width: " + width;
    one.after(copy);
    const isShort = isChoice ? copy.offsetWidth > one.offsetWidth : copy.scrollWidth > copy.clientWidth;
    copy.remove();
    return isShort;
  };
  const cut = shown.filter((one) => one.localName !== "button" && isCut(one)).map(({ name }) => name);
  return { lines: new Set(middles).size, cut };
})()`;

const TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))";

/** Lets the answers of a page come one after the other, each in a picture of its own: the most that a page can move. */
async function oneByOne(page: Page): Promise<() => number> {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  const pass = async (route: Route) => {
    await route.continue();
    await (await route.request().response())?.finished();
    await page.evaluate(TWO_FRAMES);
  };
  await page.route(/\/console\/api\/(?!.*\/stream)/, (route) => {
    waiting += 1;
    // A page that is left takes its requests with it.
    last = last.then(() => pass(route)).catch(() => undefined);
    return last.then(() => {
      waiting -= 1;
    });
  });
  return () => waiting;
}

describeInBrowser("the pages of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const receiver = sharedReceiver();
  const open = sharedConsole(executablePath, emulator);
  const menu = [...pageAddresses, ...viewAddresses];

  beforeAll(async () => {
    receiver.respond = () => ({ status: 500, body: "locked" });
    await subscribe(emulator, receiver.url, ["charge.created", "charge.paid", "med_case.created", "payout.created"]);
    const customer = { name: "Panificadora e Confeitaria Aurora" };
    const { id } = await paidCharge(emulator, { customer });
    await openCase(emulator, { charge_id: id, reason: "Não reconheço esta transação" });
    await refund(emulator, (await paidPayment(emulator, { amount: 5_000 })).id, { amount: 100 });
    await emulator.charge({ customer, description: "Pedido 1041" });
    await emulator.sandbox("/payouts", { amount: 700 });
    await emulator.sandbox("/accounts", { name: "Loja de Roupas" });
    await emulator.sandbox("/snapshots", { name: "before" });
    await emulator.call("GET", "/v1/payments?sort=nothing");
    await emulator.sandbox("/faults", { match: { path: "/v1/nothing" }, effect: { status: 503 } });
    await settle(emulator);
    await emulator.sandbox("/webhooks/chaos", { duplicate: 0.2 });
  });

  test.each([360, 1280])("stand still at a width of %d while their answers come one by one", async (width) => {
    const page = await open.open("/console/", { width });
    const waiting = await oneByOne(page);
    const row = page.locator("main a.row").first();
    const shiftAt = async (address: string) => {
      await page.goto(emulator.url + address);
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.getByText(/Loading…/).count()).toBe(0);
      await expect.poll(waiting).toBe(0);
      return page.evaluate<number>(SHIFT);
    };
    const moved: Record<string, number> = {};
    const nouns = ["charges", "refunds", "payouts", "med", "webhooks", "endpoints", "requests", "accounts"];
    const ofObjects = [...nouns.map((noun) => `/console/${noun}`), "/console/webhooks?view=event"];
    for (const address of menu) {
      moved[address] = await shiftAt(address);
      if (!ofObjects.includes(address)) continue;
      const object = (await row.getAttribute("href")) ?? "";
      moved[object] = await shiftAt(object);
    }
    expect(Object.keys(moved)).toHaveLength(menu.length + ofObjects.length);
    expect(Object.entries(moved).filter(([, value]) => value >= 0.02)).toEqual([]);
  });

  test("show their titles while the service takes long to answer", async () => {
    const page = await open.open("/console/settings");
    await page.route(/\/console\/api\/(?!.*\/stream)/, () => undefined);
    for (const name of ["charges", "scenarios"]) {
      await page.goto(`${emulator.url}/console/${name}`);
      await page.locator("main h1").waitFor();
    }
    await open.leaveAll();
  });

  test("begin their list within 200 pixels", async () => {
    const page = await open.open("/console/settings");
    const tops: Record<string, number> = {};
    const lists = ["charges", "refunds", "payouts", "med", "wallets", "webhooks", "webhooks?view=event", "endpoints"];
    for (const name of [...lists, "requests", "accounts"]) {
      await page.goto(`${emulator.url}/console/${name}`);
      const row = page.locator("main tbody tr").first();
      await row.waitFor();
      tops[name] = (await row.boundingBox())?.y ?? Number.NaN;
    }
    expect(Object.entries(tops).filter(([, top]) => !(top <= 200))).toEqual([]);
  });

  test("have their filters whole on a tablet, in two lines at most", async () => {
    for (const language of ["en", "pt-BR"] as const) {
      const page = await open.open("/console/charges", { width: 768, language });
      for (const name of ["charges", "requests", "med", "webhooks"]) {
        await page.goto(`${emulator.url}/console/${name}`);
        await page.locator("main a.row").first().waitFor();
        const { lines, cut } = await page.evaluate<{ lines: number; cut: string[] }>(FILTERS);
        expect([name, lines <= 2, cut]).toEqual([name, true, []]);
      }
      await open.leaveAll();
    }
  });
});
