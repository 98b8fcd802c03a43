import { createServer, type Server } from "node:http";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenOnLoopback } from "../../src/base/platform/listening.js";
import { describeInBrowser } from "../support/browser.js";
import { consoleUrlOf } from "../support/console.js";
import { isLive } from "../support/console-browser.js";
import { sharedEmulator } from "../support/shared.js";
import { type TestBrowser, testBrowser } from "../support/windows.js";

/** The session of the console as a real browser keeps it, and what a page of another port can do with it. */

/** In the page: the part of the session that only pages of this origin can read. */
const PART = 'localStorage.getItem("qa-pay-console-session")';

/** In the page: the options of a request that makes a charge, with that part. */
const create = (part: string) => `{
  method: "POST",
  credentials: "include",
  headers: { "content-type": "application/json", "x-qa-console": ${part}, "idempotency-key": "from-a-browser" },
  body: JSON.stringify({ amount: 5, payment_method: "pix" }),
}`;

describeInBrowser("the session of the console in a browser", (executablePath) => {
  const emulator = sharedEmulator();
  let browser: TestBrowser;
  let context: BrowserContext;
  let foreign: Server;
  let elsewhere: string;

  beforeAll(async () => {
    foreign = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>another server</title>");
    });
    const port = await listenOnLoopback(foreign);
    elsewhere = `http://127.0.0.1:${port}`;
    browser = await testBrowser(executablePath);
    const page = await browser.fresh();
    context = page.context();
    await page.goto(consoleUrlOf(emulator));
    expect(page.url()).toBe(`${emulator.url}/console/`);
    await page.close();
  });

  afterAll(async () => {
    await browser?.close();
    foreign?.close();
  });

  const total = async () => (await emulator.call("GET", "/v1/payments?limit=1")).body.total;

  test("the page of the console reads and changes with it", async () => {
    const page = await context.newPage();
    await page.goto(`${emulator.url}/console/charges`);
    const before = await total();
    const statusOf = (path: string, options: string) =>
      page.evaluate<number>(`fetch("/console/api${path}", ${options}).then(({ status }) => status)`);
    expect(await statusOf("/v1/charges", create(PART))).toBe(201);
    expect(await statusOf("/v1/wallets", `{ headers: { "x-qa-console": ${PART} } }`)).toBe(200);
    expect(await statusOf("/v1/wallets", "{}")).toBe(401);
    expect(await statusOf("/v1/charges", create('"1"'))).toBe(401);
    expect(await total()).toBe(before + 1);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.close();
  });

  test("all tabs of the browser share it without a new link, and a reload keeps it", async () => {
    const tabs = [await context.newPage(), await context.newPage()];
    for (const tab of tabs) {
      await tab.goto(`${emulator.url}/console/settings`);
      await isLive(tab);
      await tab.reload();
      await isLive(tab);
    }
    for (const tab of tabs) await tab.close();
  });

  test("two links that are opened at once both lead to a page with a session", async () => {
    const first = await browser.fresh();
    const second = await first.context().newPage();
    await Promise.all([first, second].map((page) => page.goto(consoleUrlOf(emulator))));
    for (const page of [first, second]) {
      await page.reload();
      await isLive(page);
    }
  });

  test("a page that has the cookie alone says how to log in, and shows nothing", async () => {
    const page = await browser.fresh();
    await page.goto(consoleUrlOf(emulator));
    await page.evaluate("localStorage.clear()");
    await page.goto(`${emulator.url}/console/charges`);
    await page.getByText("logged out").waitFor();
    const banner = page.locator(".banner");
    await expect.poll(() => banner.innerText()).toMatch(/no console session.*qa-pay console\nTry again$/);
    await expect.poll(() => page.locator("main a.row").count()).toBe(0);
    await page.goto(consoleUrlOf(emulator));
    await isLive(page);
  });

  test("a page of another port reads and changes nothing, with any request", async () => {
    const page = await context.newPage();
    await page.goto(elsewhere);
    const before = await total();
    // The worst case: that page knows the part of the session that it cannot read.
    const own = await context.newPage();
    await own.goto(`${emulator.url}/console/`);
    const part = JSON.stringify(await own.evaluate(PART));
    await own.close();
    const url = `${emulator.url}/console/api/v1/charges`;
    const statusOf = (call: string) =>
      page.evaluate(`${call}.then(({ type, status }) => type + status, () => "failed")`);
    expect(await statusOf(`fetch("${url}", ${create(part)})`)).toBe("failed");
    const simple = '{ method: "POST", mode: "no-cors", credentials: "include", body: \'{"amount":5}\' }';
    expect(await statusOf(`fetch("${url}", ${simple})`)).toBe("failed");
    expect(await statusOf(`fetch("${emulator.url}/console/api/v1/wallets", { credentials: "include" })`)).toBe(
      "failed",
    );
    const answered = page.waitForResponse((response) => response.url() === url);
    await page.evaluate(`{
      const form = document.createElement("form");
      form.method = "post";
      form.action = "${url}";
      document.body.append(form);
      // After the answer to this evaluation: the page that is asked goes away with the form.
      setTimeout(() => form.submit());
    }`);
    expect((await answered).status()).toBe(403);
    // A window that is closed while it goes to another page may stay open.
    await page.waitForURL(url);
    expect(await total()).toBe(before);
    await page.close();
  });

  test("a page of another port cannot show the console in a frame", async () => {
    const page = await context.newPage();
    await page.goto(elsewhere);
    await page.evaluate(`{
      const frame = document.createElement("iframe");
      frame.src = "${emulator.url}/console/";
      document.body.append(frame);
      new Promise((done) => { frame.onload = done; });
    }`);
    await page.waitForLoadState("networkidle");
    const shown = page.frames().find((frame) => frame !== page.mainFrame());
    await expect.poll(() => shown?.locator("#app").count()).toBe(0);
    await page.close();
  });
});
