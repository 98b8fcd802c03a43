import { expect, test } from "vitest";
import { describeInBrowser, noteErrors } from "../support/browser.js";
import { shared, sharedEmulator } from "../support/shared.js";
import { testBrowser } from "../support/windows.js";

describeInBrowser("the pages about the service in a real browser", (executablePath) => {
  const emulator = sharedEmulator();
  const browser = shared(() => testBrowser(executablePath));

  test.each([
    ["/", 360],
    ["/", 1280],
    ["/?lang=pt-BR", 360],
    ["/docs", 360],
    ["/docs", 1280],
  ])("%s fits a width of %d, loads nothing else and has no error, without script", async (path, width) => {
    const page = await browser.fresh({ viewport: { width, height: 800 }, javaScriptEnabled: false });
    const errors: string[] = [];
    const asked: string[] = [];
    noteErrors(page, errors);
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(emulator.url + path);
    const heading = page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    await expect.poll(() => heading.count()).toBe(1);
    expect(asked).toEqual([emulator.url + path]);
    expect(errors).toEqual([]);
    const box = await page.locator("body").boundingBox();
    expect(box?.width).toBeLessThanOrEqual(width);
    const main = await page.locator("main").boundingBox();
    expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(width);
    await browser.leave(page);
  });

  test("nothing on the reference scrolls sideways but blocks of code", async () => {
    const page = await browser.fresh({ viewport: { width: 360, height: 800 } });
    await page.goto(`${emulator.url}/docs`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
    await page.goto(`${emulator.url}/docs#payments.refund`);
    const top = (await page.locator('[id="payments.refund"]').boundingBox())?.y ?? -1;
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(400);
    await browser.leave(page);
  });
});
