import type { Page, Route } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { isLive, sharedConsole } from "../../support/console-browser.js";
import { pageAddresses, viewAddresses } from "../../support/console-menu.js";
import { openCase, paidCharge } from "../../support/med.js";
import { sharedEmulator } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

/** What a page shows while nothing can be read: one sentence, one button that reads it again, and no old promise. */

const READS = /\/console\/api\/(?!.*\/stream)/;

const FAILED = { error: { type: "api_error", code: "internal_error", message: "The disk is full." }, request_id: "r" };
const WITHOUT_SESSION = { error: { type: "x", code: "unauthorized", message: "Log in first." }, request_id: "r" };

const FAILURES: Readonly<Record<"answered 500" | "refused" | "answered 401", (route: Route) => Promise<void>>> = {
  "answered 500": (route) => route.fulfill({ status: 500, json: FAILED }),
  refused: (route) => route.abort("connectionrefused"),
  "answered 401": (route) => route.fulfill({ status: 401, json: WITHOUT_SESSION }),
};

/** Pages that show all they have without reading. */
const READS_NOTHING = ["/console/scenarios", "/console/endpoints?view=bench", "/console/scenarios?view=record"];

describeInBrowser("a page of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);
  const addresses = [...pageAddresses, ...viewAddresses];

  beforeAll(async () => {
    await subscribe(emulator, "http://127.0.0.1:9/erp", ["charge.paid"]);
    const { id } = await paidCharge(emulator);
    const { id: medCase } = await openCase(emulator, { charge_id: id });
    const { data } = (await emulator.call("GET", "/_sandbox/webhooks/deliveries?limit=1")).body;
    const { data: events } = (await emulator.call("GET", "/_sandbox/events?limit=1")).body;
    addresses.push(`/console/charges/${id}`, `/console/med/${medCase}`);
    addresses.push(`/console/webhooks/${data[0].id}`, `/console/webhooks/${events[0].id}`);
  });

  const buttons = (page: Page) => page.getByRole("button", { name: "Try again" });
  const isRead = async (page: Page) => {
    const message = page.url();
    await expect.poll(() => page.locator(".problem-line").count(), { message }).toBe(0);
    await expect.poll(() => page.getByText(/Loading…/).count(), { message }).toBe(0);
  };

  test("says once that its reads are answered 500, and reads again at the press of one button", async () => {
    const page = await open.open("/console/settings");
    const counts: Record<string, number> = {};
    for (const address of addresses) {
      await page.route(READS, FAILURES["answered 500"]);
      await page.goto(emulator.url + address);
      await page.locator("main h1").waitFor();
      await expect.poll(() => page.getByText(/Loading…/).count(), { message: address }).toBe(0);
      counts[address] = await buttons(page).count();
      await page.unroute(READS);
      if (counts[address] === 1) await buttons(page).click();
      await isRead(page);
    }
    const wanted = addresses.map((address) => [address, READS_NOTHING.includes(address) ? 0 : 1]);
    expect(counts).toEqual(Object.fromEntries(wanted));
    expect(open.errors).toEqual([]);
  });

  test.each(["refused", "answered 401"] as const)(
    "has one band with one button while its reads are %s, and goes on as soon as they are answered",
    async (failure) => {
      const page = await open.open("/console/settings", { width: 360 });
      const bands: Record<string, unknown> = {};
      for (const address of addresses) {
        await page.route(READS, FAILURES[failure]);
        await page.goto(emulator.url + address);
        await page.locator(".banner").waitFor();
        await page.locator("main h1").waitFor();
        bands[address] = [await page.locator(".problem-line").count(), await buttons(page).count()];
        await page.unroute(READS);
        await buttons(page).click();
        await isLive(page);
        await isRead(page);
      }
      expect(bands).toEqual(Object.fromEntries(addresses.map((address) => [address, [1, 1]])));
      expect(open.errors).toEqual([]);
    },
  );
});
