import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { consoleUrlOf } from "../../support/console.js";
import { type ConsoleBrowser, launchConsole } from "../../support/console-browser.js";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";

/** Counts the readings of a page from now on, by what they ask. */
function countReadings(page: Page): Map<string, number> {
  const counted = new Map<string, number>();
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith("/console/api/") || pathname.endsWith("/stream")) return;
    counted.set(pathname + search, (counted.get(pathname + search) ?? 0) + 1);
  });
  return counted;
}

/** Waits until a page has not read anything for a while that is longer than all its pauses. */
async function isQuiet(page: Page, counted: ReadonlyMap<string, number>): Promise<void> {
  const total = () => [...counted.values()].reduce((sum, count) => sum + count, 0);
  const QUIET_MS = 600;
  for (let before = -1; before !== total(); ) {
    before = total();
    await page.waitForTimeout(QUIET_MS);
  }
}

const CLOCK = "/console/api/_sandbox/clock";

/**
 * What a page reads when it is loaded. On a busy machine the stream may begin after the page has stopped waiting for it. Then
 * the page reads everything again, the clock too, as it should. Such a visit says nothing, and is made again, at most twice.
 */
async function readingsOf(page: Page, address: string, visits = 3): Promise<ReadonlyMap<string, number>> {
  const counted = countReadings(page);
  await page.goto(address);
  await isLive(page);
  await isQuiet(page, counted);
  page.removeAllListeners("request");
  const wasLate = (counted.get(CLOCK) ?? 0) > 1;
  return wasLate && visits > 1 ? readingsOf(page, address, visits - 1) : counted;
}

const isLive = (page: Page) => page.locator(".connection", { hasText: "live" }).waitFor();

describeInBrowser("the connection of the console", (executablePath) => {
  let emulator: TestEmulator;
  let open: ConsoleBrowser;

  beforeAll(async () => {
    emulator = await startEmulator({ frozen: true });
    open = await launchConsole(executablePath, emulator);
  });

  afterAll(async () => {
    await open?.close();
    await emulator?.close();
  });

  // A page that stays open reads everything again after each change of a later test.
  afterEach(() => open.leaveAll());

  test("seven windows of one browser all hear of a new charge, although a browser has six connections", async () => {
    const first = await open.open("/console/events?follow=tail");
    const others = await Promise.all([1, 2, 3, 4, 5, 6].map(() => first.context().newPage()));
    for (const page of others) await page.goto(`${emulator.url}/console/events?follow=tail`);
    const pages = [first, ...others];
    for (const page of pages) await isLive(page);
    const before = await first.locator("main a.row").count();
    await emulator.charge();
    for (const page of pages) await expect.poll(() => page.locator("main a.row").count()).toBe(before + 2);
    await first.context().close();
  });

  test("a page reads each thing once when it is loaded, in the first window and in one beside it", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox("/faults", { match: { path: "/v1/nothing" }, effect: { status: 503 } });
    const first = await open.open("/console/settings");
    const beside = await first.context().newPage();
    const paths = ["/console/", "/console/charges", "/console/requests", "/console/med", "/console/clock"];
    const others = ["/console/deliveries", "/console/endpoints", "/console/faults", `/console/charges/${id}`];
    for (const [page, all] of [
      [first, [...paths, ...others]],
      [beside, paths],
    ] as const) {
      for (const path of all) {
        const counted = await readingsOf(page, emulator.url + path);
        expect(counted.has(CLOCK), path).toBe(true);
        const again = [...counted].filter(([, count]) => count > 1);
        expect(again, path).toEqual([]);
      }
    }
    await emulator.call("DELETE", "/_sandbox/faults");
    await first.context().close();
  });

  test("a change that comes before a late stream has begun is not missed", async () => {
    const page = await open.open("/console/settings");
    let begin = () => {};
    const isAllowed = new Promise<void>((done) => {
      begin = done;
    });
    await page.route("**/_sandbox/stream", async (route) => {
      await isAllowed;
      await route.continue();
    });
    await page.goto(`${emulator.url}/console/charges?follow=tail`);
    await page.locator("main a.row").first().waitFor();
    const { id } = await emulator.charge();
    begin();
    await page.locator(`main a.row[href*="${id.slice(3)}"]`).waitFor();
    await page.context().close();
  });

  test("a window that takes over the stream reads nothing again, and misses nothing", async () => {
    const first = await open.open("/console/events?follow=tail");
    await isLive(first);
    const second = await first.context().newPage();
    const counted = countReadings(second);
    await second.goto(`${emulator.url}/console/events?follow=tail`);
    await isLive(second);
    await isQuiet(second, counted);
    const before = await second.locator("main a.row").count();
    counted.clear();
    const isTaken = second.waitForRequest("**/_sandbox/stream");
    await first.close();
    expect((await isTaken).headers()["last-event-id"]).toMatch(/:\d+$/);
    await isQuiet(second, counted);
    expect([...counted]).toEqual([]);
    await emulator.charge();
    await expect.poll(() => second.locator("main a.row").count()).toBe(before + 2);
    await second.context().close();
  });

  test("a window that lost the server says so and disables its actions, and goes on without a reload after a new login", async () => {
    const server = await startEmulator({ frozen: true });
    const { port } = new URL(server.url);
    const window = await launchConsole(executablePath, server);
    const page = await window.open("/console/events");
    await page.evaluate("window.isSamePage = true");
    await server.close();
    await page.getByText("cut off").waitFor();
    expect(await page.locator(".banner").innerText()).toContain("qa-pay console");
    expect(await page.getByLabel("Advance the clock").isDisabled()).toBe(true);

    const next = await startEmulator({ frozen: true, port: Number(port) });
    await page.getByText("logged out").waitFor();
    expect(await page.locator(".banner").innerText()).toContain("qa-pay console");
    const login = await page.context().newPage();
    await login.goto(consoleUrlOf(next));
    await login.close();
    await isLive(page);
    await next.charge();
    await page.locator("main a.row").first().waitFor();
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    expect(await page.locator(".banner").count()).toBe(0);
    await window.close();
    await next.close();
  });

  test("two emulators side by side in one browser do not end each other's sessions", async () => {
    const other = await startEmulator({ frozen: true });
    const page = await open.open("/console/events");
    const beside = await page.context().newPage();
    await beside.goto(consoleUrlOf(other));
    await beside.goto(`${other.url}/console/events`);
    await isLive(beside);
    await page.reload();
    await isLive(page);
    await other.charge();
    await beside.locator("main a.row").first().waitFor();
    await page.context().close();
    await other.close();
  });

  test("a page of another port cannot use the session, neither to read nor to change", async () => {
    const other = await startEmulator();
    const page = await open.open("/console/events");
    const foreign = await page.context().newPage();
    // A page without a policy of its own, on the same host.
    await foreign.goto(`${other.url}/openapi.json`);
    const clockNow = async () => (await emulator.call("GET", "/_sandbox/clock")).body.now;
    const before = await clockNow();
    const read = await foreign.evaluate(`(async () => {
      const address = ${JSON.stringify(`${emulator.url}/console/api/_sandbox/clock`)};
      const options = { credentials: "include", mode: "no-cors" };
      const body = new Blob(['{"seconds":60}'], { type: "text/plain" });
      await fetch(address + "/advance", { ...options, method: "POST", body }).catch(() => undefined);
      return fetch(address, { credentials: "include" }).then((answer) => answer.text(), () => "nothing");
    })()`);
    expect(read).toBe("nothing");
    expect(await clockNow()).toBe(before);
    await page.context().close();
    await other.close();
  });
});
