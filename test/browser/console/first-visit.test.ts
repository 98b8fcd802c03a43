import type { CDPSession, Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { LANGUAGES } from "../../../src/base/kernel/language.js";
import { describeInBrowser } from "../../support/browser.js";
import { sharedConsole } from "../../support/console-browser.js";
import { pageAddresses, viewAddresses } from "../../support/console-menu.js";
import { sharedEmulator } from "../../support/shared.js";

/** A page of the console is shown soon, also over a slow network: a first visit gets little, and nothing twice. */

/** In every language: a page loads the texts of its own, and those of no other. */
const MOST_BYTES = 200_000;

interface Visit {
  readonly bytes: number;
  readonly twice: readonly string[];
}

/** Counts what a page gets, as sent. The stream of what happens stays open, and has nothing in a server that is at rest. */
async function countsOf(page: Page): Promise<{ session: CDPSession; visit(address: string): Promise<Visit> }> {
  const session = await page.context().newCDPSession(page);
  const open = new Set<string>();
  let asked: string[] = [];
  let bytes = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.includes("/stream")) return;
    open.add(requestId);
    asked.push(`${request.method} ${request.url}`);
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (open.delete(requestId)) bytes += encodedDataLength;
  });
  session.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
  await session.send("Network.enable");
  // Each page is the first that somebody opens.
  await session.send("Network.setCacheDisabled", { cacheDisabled: true });
  const visit = async (address: string) => {
    asked = [];
    bytes = 0;
    // A request that the page before left open may never report its end.
    open.clear();
    await page.goto(address);
    await page.locator("main h1").waitFor();
    await expect.poll(() => page.getByText(/Loading…|Carregando…/).count()).toBe(0);
    await expect.poll(() => open.size, { timeout: 10_000 }).toBe(0);
    return { bytes, twice: asked.filter((one, index) => asked.indexOf(one) !== index) };
  };
  return { session, visit };
}

describeInBrowser("a first visit of the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  beforeAll(async () => {
    for (let row = 1; row <= 50; row += 1) await emulator.charge({ description: `Pedido ${row}` });
  });

  test.each(LANGUAGES)("gets few bytes of each page, and nothing twice: %s", async (language) => {
    const page = await open.open("/console/", { language });
    const { session, visit } = await countsOf(page);
    const visits = new Map<string, Visit>();
    for (const address of [...pageAddresses, ...viewAddresses])
      visits.set(address, await visit(emulator.url + address));
    await session.detach();
    expect([...visits].filter(([, { bytes }]) => bytes < 50_000 || bytes >= MOST_BYTES)).toEqual([]);
    expect([...visits].filter(([, { twice }]) => twice.length > 0)).toEqual([]);
  });
});
