import { afterAll, beforeAll, expect, test } from "vitest";
import { createEmulator, type Emulator } from "../../src/programs/start/emulator.js";
import { describeInBrowser } from "../support/browser.js";
import { isLive } from "../support/console-browser.js";
import { SELF_SIGNED } from "../support/self-signed.js";
import { type TestBrowser, testBrowser } from "../support/windows.js";

describeInBrowser("a server with TLS in a browser that believes its certificate", (executablePath) => {
  let emulator: Emulator;
  let browser: TestBrowser;

  beforeAll(async () => {
    emulator = await createEmulator({ tls: SELF_SIGNED });
    browser = await testBrowser(executablePath);
  });
  afterAll(async () => {
    await browser?.close();
    await emulator?.close();
  });

  test("has the console with its session and its stream, also after a reload", async () => {
    const page = await browser.fresh({ ignoreHTTPSErrors: true });
    await page.goto(emulator.consoleUrl ?? "");
    expect(page.url()).toBe(`${emulator.url}/console/`);
    await isLive(page);
    await page.reload();
    await isLive(page);
    expect(await page.context().cookies()).toMatchObject([{ secure: true, httpOnly: true, domain: "localhost" }]);
    await page.close();
  });
});
