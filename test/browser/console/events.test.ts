import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { follow, launchConsole, sharedConsole } from "../../support/console-browser.js";
import { ownEmulator, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

describeInBrowser("the events in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const receiver = sharedReceiver();
  const open = sharedConsole(executablePath, emulator);

  test("an event of a new charge, with its amount and customer, waits behind a button with the number of new rows, and comes at once in the mode Tail", async () => {
    await emulator.charge();
    const page = await open.open("/console/webhooks?view=event");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await emulator.charge();
    await page.getByRole("button", { name: "2 new" }).click();
    await expect.poll(() => rows.count()).toBe(4);
    await follow(page, "Follow");
    await expect.poll(() => page.url()).toContain("follow=tail");
    await emulator.charge();
    await expect.poll(() => rows.count()).toBe(6);
    await emulator.charge({ amount: 4_590, customer: { name: "Ana Souza", document: "11144477735" } });
    await page
      .getByRole("row", { name: "charge.created" })
      .filter({ hasText: /R\$\s45,90 Ana Souza/ })
      .waitFor();
    expect(open.errors).toEqual([]);
  });

  test("rows that come while the mode is changed are shown in the new mode, and after a pause what was missed", async () => {
    await emulator.charge();
    const page = await open.open("/console/webhooks?view=event");
    const rows = page.locator("main a.row");
    await rows.first().waitFor();
    const before = await rows.count();
    // The page waits a moment before it reads what has changed.
    await emulator.charge();
    await follow(page, "Follow");
    await expect.poll(() => rows.count()).toBe(before + 2);
    await follow(page, "Paused");
    await expect.poll(() => page.url()).toContain("follow=paused");
    await emulator.charge();
    await follow(page, "Auto-update");
    await page.getByRole("button", { name: "2 new" }).waitFor();
    await expect.poll(() => rows.count()).toBe(before + 2);
  });

  test("the mode Tail ends when the reader scrolls away, so that new rows do not push away what they read", async () => {
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => emulator.charge()));
    const page = await open.open("/console/webhooks?view=event&follow=tail");
    await page.setViewportSize({ width: 1280, height: 320 });
    const rows = page.locator("main a.row");
    await rows.nth(10).scrollIntoViewIfNeeded();
    await expect.poll(() => page.url()).not.toContain("follow=");
    const before = await rows.count();
    await emulator.charge();
    await page.getByRole("button", { name: "2 new" }).waitFor();
    await expect.poll(() => rows.count()).toBe(before);
  });

  test("say what became of each, by one read for all rows", async () => {
    const sending = await ownEmulator({ frozen: true });
    await sending.charge();
    await subscribe(sending, receiver.url, ["charge.created", "charge.paid"]);
    await subscribe(sending, "http://127.0.0.1:9/erp", ["charge.paid"]);
    const { id } = await sending.charge();
    await sending.sandbox(`/charges/${id}/pay`);
    await settle(sending);
    const own = await launchConsole(executablePath, sending);
    const page = await own.open("/console/settings");
    const read: string[] = [];
    page.on("request", (request) => {
      if (/\/_sandbox\/(events|webhooks\/deliveries)/.test(request.url())) read.push(new URL(request.url()).pathname);
    });
    await page.goto(`${sending.url}/console/webhooks?view=event`);
    const outcome = (type: string, row = 0) =>
      page.getByRole("row", { name: type }).nth(row).getByRole("cell").nth(1).innerText();
    await page.locator("main a.row").first().waitFor();
    await expect.poll(() => outcome("charge.paid")).toBe("1 of 2 arrived\nrefused · next try in 10 s");
    expect(await outcome("charge.created")).toBe("1 of 1 arrived");
    expect(await outcome("charge.created", 1)).toBe("no endpoint");
    expect(read).toEqual(["/console/api/_sandbox/events"]);
    await sending.sandbox("/clock/advance", { seconds: 30 * 86_400 });
    await expect.poll(() => outcome("charge.paid")).toBe("1 of 2 arrived\nrefused · no more attempts");
    await own.close();
  });
});
