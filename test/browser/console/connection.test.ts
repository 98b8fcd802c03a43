import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import { PATIENCE_MS } from "../../../src/web/console/browser/state/reading.js";
import { describeInBrowser } from "../../support/browser.js";
import { consoleUrlOf } from "../../support/console.js";
import { isLive, launchConsole, sharedConsole } from "../../support/console-browser.js";
import { startEmulator } from "../../support/emulator.js";
import { ownEmulator, sharedEmulator } from "../../support/shared.js";

/** Counts the readings of a page from now on, by what they ask, and those that are over. */
function countReadings(page: Page) {
  const counted = new Map<string, number>();
  let answered = 0;
  const onReading = (then: (what: string) => void) => (request: Request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/console/api/") && !pathname.endsWith("/stream")) then(pathname + search);
  };
  page.on(
    "request",
    onReading((what) => counted.set(what, (counted.get(what) ?? 0) + 1)),
  );
  const isOver = onReading(() => {
    answered += 1;
  });
  page.on("requestfinished", isOver).on("requestfailed", isOver);
  return { counted, answered: () => answered };
}

/** Lets a time that is longer than all pauses of a page pass at once, again and again until the page reads nothing more. */
async function isQuiet(page: Page, { counted, answered }: ReturnType<typeof countReadings>): Promise<void> {
  const total = () => [...counted.values()].reduce((sum, count) => sum + count, 0);
  for (let before = -1; before !== total(); ) {
    before = total();
    await expect.poll(() => total() - answered()).toBe(0);
    await page.clock.runFor(3_500);
  }
}

const CLOCK = "/console/api/_sandbox/clock";

/**
 * On a busy machine the stream may begin after a page has stopped waiting for it. Then the page reads everything again, as it
 * should. With this the page waits for the stream as long as the test does.
 */
const WAIT_FOR_THE_STREAM = `{
  const setTimer = window.setTimeout;
  window.setTimeout = (run, delay, ...rest) => setTimer(run, delay === ${PATIENCE_MS} ? 30_000 : delay, ...rest);
}`;

/** What a page reads when it is loaded. */
async function readingsOf(page: Page, address: string): Promise<ReadonlyMap<string, number>> {
  const readings = countReadings(page);
  await page.goto(address);
  await isLive(page);
  await isQuiet(page, readings);
  for (const event of ["request", "requestfinished", "requestfailed"]) page.removeAllListeners(event);
  return readings.counted;
}

describeInBrowser("the connection of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  test("seven windows of one browser all hear of a new charge, although a browser has six connections", async () => {
    const first = await open.open("/console/webhooks?view=event&follow=tail");
    const others = await Promise.all([1, 2, 3, 4, 5, 6].map(() => first.context().newPage()));
    for (const page of others) await page.goto(`${emulator.url}/console/webhooks?view=event&follow=tail`);
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
    await first.context().clock.install();
    await first.context().addInitScript(WAIT_FOR_THE_STREAM);
    const beside = await first.context().newPage();
    const paths = ["/console/", "/console/charges"];
    const others = [
      "requests",
      "med",
      "clock",
      "webhooks",
      "webhooks?view=event",
      "endpoints",
      "faults",
      `charges/${id}`,
    ];
    for (const [page, all] of [
      [first, [...paths, ...others.map((name) => `/console/${name}`)]],
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
    const first = await open.open("/console/webhooks?view=event&follow=tail");
    await isLive(first);
    await first.context().clock.install();
    const second = await first.context().newPage();
    const readings = countReadings(second);
    await second.goto(`${emulator.url}/console/webhooks?view=event&follow=tail`);
    await isLive(second);
    await isQuiet(second, readings);
    const before = await second.locator("main a.row").count();
    readings.counted.clear();
    const done = readings.answered();
    const isTaken = second.waitForRequest("**/_sandbox/stream");
    await first.close();
    expect((await isTaken).headers()["last-event-id"]).toMatch(/:\d+$/);
    await isQuiet(second, { ...readings, answered: () => readings.answered() - done });
    expect([...readings.counted]).toEqual([]);
    await emulator.charge();
    await expect.poll(() => second.locator("main a.row").count()).toBe(before + 2);
    await second.context().close();
  });

  test("a window that lost the server says so and disables its actions, and goes on without a reload after a new login", async () => {
    const server = await startEmulator({ frozen: true });
    const { port } = new URL(server.url);
    const window = await launchConsole(executablePath, server);
    const page = await window.open("/console/webhooks?view=event");
    await page.evaluate("window.isSamePage = true");
    await server.close();
    await page.getByText("Disconnected").waitFor();
    await expect.poll(() => page.locator(".banner").innerText()).toContain("qa-pay console");
    await expect.poll(() => page.getByRole("button", { name: "Move the clock" }).isDisabled()).toBe(true);

    const next = await ownEmulator({ frozen: true, port: Number(port) });
    await page.getByText("Logged out").waitFor();
    await expect.poll(() => page.locator(".banner").innerText()).toContain("qa-pay console");
    const login = await page.context().newPage();
    await login.goto(consoleUrlOf(next));
    await login.close();
    await isLive(page);
    await next.charge();
    await page.locator("main a.row").first().waitFor();
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    await expect.poll(() => page.locator(".banner").count()).toBe(0);
    await window.close();
  });
});
