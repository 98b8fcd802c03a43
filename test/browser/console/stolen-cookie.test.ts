import { createServer, type Server } from "node:http";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenOnLoopback } from "../../../src/base/platform/listening.js";
import { describeInBrowser } from "../../support/browser.js";
import { consoleUrlOf } from "../../support/console.js";
import { isLive } from "../../support/console-browser.js";
import { addEvidence, emails, evidenceOf, openCase } from "../../support/med.js";
import { sharedEmulator } from "../../support/shared.js";
import { type TestBrowser, testBrowser } from "../../support/windows.js";

/**
 * Another local server that a browser with a session visits. Cookies do not know ports, so that server gets the cookie of
 * the session, and can use it without a browser, with every header that it likes.
 */

/** A server that notes every request, and whose page asks for `/console/api/x` of its own. */
async function startThief(): Promise<{ server: Server; port: number; heard: string[] }> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]));
    response.writeHead(200, { "content-type": "text/html" });
    response.end('<!doctype html><title>a lure</title><script>fetch("/console/api/x")</script>');
  });
  const port = await listenOnLoopback(server);
  return { server, port, heard };
}

describeInBrowser("a cookie that another local server has got hold of", (executablePath) => {
  const emulator = sharedEmulator();
  let browser: TestBrowser;
  let context: BrowserContext;
  let page: Page;
  let thief: Awaited<ReturnType<typeof startThief>>;
  const files: string[] = [];

  /** The cookies that the thief was sent. */
  const stolen = () => {
    const cookies = thief.heard.map((one) => (JSON.parse(one) as [string, { cookie?: string }])[1].cookie);
    return cookies.filter((cookie) => cookie !== undefined).at(-1) ?? "";
  };

  /** A request without a browser, which pretends to be the page. */
  const pretend = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(emulator.url + path, {
      method,
      redirect: "manual",
      headers: {
        cookie: stolen(),
        origin: emulator.url,
        referer: `${emulator.url}/console/`,
        "sec-fetch-site": "same-origin",
        "x-qa-console": "1",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  beforeAll(async () => {
    thief = await startThief();
    const { id: caseId } = await openCase(emulator);
    await addEvidence(emulator, caseId);
    await emulator.sandbox("/snapshots", { name: "kept" });
    const [mail] = await emails(emulator);
    const [piece] = await evidenceOf(emulator, caseId);
    files.push(`/console/api/mail/${mail.id}`, `/console/api/files/evidence/${piece.id}`);
    files.push("/console/api/files/snapshot/kept");
    browser = await testBrowser(executablePath);
    page = await browser.fresh();
    context = page.context();
    await page.goto(consoleUrlOf(emulator));
    await isLive(page);
  });

  afterAll(async () => {
    await browser?.close();
    thief?.server.closeAllConnections();
    thief?.server.close();
  });

  test.each([
    ["a visit", async (lure: Page, port: number) => lure.goto(`http://127.0.0.1:${port}/`)],
    [
      "a page of another host that leads there",
      async (lure: Page, port: number) => {
        await lure.goto(`http://localhost:${port}/`);
        await lure.evaluate(`location.href = "http://127.0.0.1:${port}/led"`);
      },
    ],
  ])(
    "is gained by %s, and opens nothing: no list, no change, no key, no stream, no picture, no file",
    async (_how, visit) => {
      thief.heard.length = 0;
      const lure = await context.newPage();
      await visit(lure, thief.port);
      await expect.poll(stolen).toContain("qa_pay_console_");
      await lure.close();
      const keys = async () => (await emulator.sandbox("/audit")).data.length;
      const before = await keys();

      const tries = [
        pretend("GET", "/console/api/v1/wallets"),
        pretend("GET", "/console/api/_sandbox/stream", { accept: "text/event-stream" }),
        pretend("POST", "/console/api/v1/api-keys", {}, { test: false, label: "stolen" }),
        ...files.flatMap((path) => [pretend("GET", path), pretend("GET", `${path}?ticket=x`)]),
      ];
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses).toEqual(tries.map(() => 401));
      expect(await keys()).toBe(before);
      expect((await pretend("GET", "/console/open")).status).toBe(403);
      // The session of the person goes on.
      await page.reload();
      await isLive(page);
    },
  );

  test("is all that the other server gets: the part that the page keeps never comes there, and no page holds it", async () => {
    const kept = await page.evaluate<string>("Object.values(localStorage).find((value) => value.length === 32)");
    expect(kept).toMatch(/^[\w-]{32}$/);
    expect(thief.heard.length).toBeGreaterThan(0);
    expect(thief.heard.join()).not.toContain(kept);
    for (const path of ["/console/", "/console/open", "/console/charges", "/console/assets/main.js", "/"]) {
      const answer = await pretend("GET", path);
      expect((await answer.text()) + JSON.stringify([...answer.headers])).not.toContain(kept);
    }
    expect(page.url()).toBe(`${emulator.url}/console/`);
  });
});
