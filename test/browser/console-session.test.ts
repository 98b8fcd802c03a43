import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeInBrowser } from "../support/browser.js";
import { consoleUrlOf } from "../support/console.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { type TestBrowser, testBrowser } from "../support/windows.js";

/** The session of the console as a real browser keeps it, and what a page of another port can do with it. */

const CREATE = `{
  method: "POST",
  credentials: "include",
  headers: { "content-type": "application/json", "x-qa-console": "1", "idempotency-key": "from-a-browser" },
  body: JSON.stringify({ amount: 5, payment_method: "pix" }),
}`;

describeInBrowser("the session of the console in a browser", (executablePath) => {
  let emulator: TestEmulator;
  let browser: TestBrowser;
  let context: BrowserContext;
  let foreign: Server;
  let elsewhere: string;

  beforeAll(async () => {
    emulator = await startEmulator();
    foreign = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>another server</title>");
    });
    await new Promise<void>((done) => foreign.listen(0, "127.0.0.1", done));
    elsewhere = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`;
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
    await emulator?.close();
  });

  const total = async () => (await emulator.call("GET", "/v1/payments?limit=1")).body.total;

  test("the page of the console reads and changes with it", async () => {
    const page = await context.newPage();
    await page.goto(`${emulator.url}/console/charges`);
    const before = await total();
    expect(await page.evaluate(`fetch("/console/api/v1/charges", ${CREATE}).then(({ status }) => status)`)).toBe(201);
    expect(await page.evaluate('fetch("/console/api/v1/wallets").then(({ status }) => status)')).toBe(200);
    expect(await total()).toBe(before + 1);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.close();
  });

  test("a page of another port reads and changes nothing, however it asks", async () => {
    const page = await context.newPage();
    await page.goto(elsewhere);
    const before = await total();
    const url = `${emulator.url}/console/api/v1/charges`;
    const statusOf = (call: string) =>
      page.evaluate(`${call}.then(({ type, status }) => type + status, () => "failed")`);
    expect(await statusOf(`fetch("${url}", ${CREATE})`)).toBe("failed");
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
    expect(await shown?.locator("#app").count()).toBe(0);
    await page.close();
  });
});
