import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

/** The bar of the emulated time, which is on every page. Each effect is seen through the API. */

describeInBrowser("the time bar", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const marks = (page: Page) => page.locator(".time-mark");
  const knob = (page: Page) => page.getByRole("slider", { name: "Move the emulated clock" });
  const forecast = (page: Page) => page.locator(".time-forecast");
  const statusOf = async (id: string): Promise<string> => (await emulator.call("GET", `/v1/charges/${id}`)).body.status;
  const now = async () => Date.parse((await emulator.sandbox("/clock")).now);

  /** Charges that expire about a duration from now, and no others. */
  async function expiring(count: number, expires_in: number): Promise<readonly Loose[]> {
    await emulator.sandbox("/clock/advance", { seconds: 2 * 86_400 });
    return Promise.all(Array.from({ length: count }, (_none, at) => emulator.charge({ expires_in: expires_in + at })));
  }

  test("counts what is due at one place, and a press of the mark runs all of it", async () => {
    const charges = await expiring(25, 3_000);
    const page = await open.open("/console/charges");
    await expect.poll(() => marks(page).allTextContents()).toEqual(["25"]);
    await marks(page).hover();
    await expect.poll(() => forecast(page).innerText()).toContain("25 charges expire");
    expect(await statusOf(charges[0]?.id)).toBe("pending");
    await marks(page).click();
    await page.locator(".notice", { hasText: "25 charges expired." }).waitFor();
    for (const { id } of charges) expect(await statusOf(id)).toBe("expired");
    await expect.poll(() => marks(page).count()).toBe(0);
    expect(open.errors).toEqual([]);
  });

  test("says what would happen while it is dragged, and moves the clock when it is released", async () => {
    const [first, ...rest] = await expiring(3, 3_000);
    const page = await open.open("/console/wallets");
    const box = await page.locator(".time-future").boundingBox();
    const { x = 0, y = 0, width = 0 } = box ?? {};
    await knob(page).hover({ position: { x: 6, y: 6 } });
    await page.mouse.down();
    await page.mouse.move(x + width * 0.7, y + 10, { steps: 4 });
    await expect
      .poll(() => forecast(page).innerText())
      .toMatch(/In 1 d.*\n\n?3 charges expire\n\n?Release to go there/s);
    await expect.poll(() => page.locator("[data-command]").innerText()).toContain("sandbox clock advance --to 20");
    await expectAccessible(page, "all", "whole");
    expect(await statusOf(first?.id)).toBe("pending");
    await page.mouse.up();
    for (const { id } of [first, ...rest] as Loose[]) await expect.poll(() => statusOf(id)).toBe("expired");
    expect(open.errors).toEqual([]);
  });

  test("stays where it is when the drag ends by Escape", async () => {
    await expiring(1, 3_000);
    const before = await now();
    const page = await open.open("/console/wallets");
    const box = await page.locator(".time-future").boundingBox();
    await knob(page).hover({ position: { x: 6, y: 6 } });
    await page.mouse.down();
    await page.mouse.move((box?.x ?? 0) + 300, (box?.y ?? 0) + 10, { steps: 3 });
    await forecast(page).waitFor();
    await page.keyboard.press("Escape");
    await forecast(page).waitFor({ state: "detached" });
    await page.mouse.up();
    await page.getByRole("link", { name: "Charges" }).first().click();
    await page.locator("main h1", { hasText: "Charges" }).waitFor();
    expect(await now()).toBe(before);
  });

  test("goes by arrow keys from mark to mark, by Enter to the chosen instant, and by one key to the next due", async () => {
    const [first] = await expiring(1, 600);
    const later = await emulator.charge({ expires_in: 7_200 });
    const page = await open.open("/console/");
    await expect.poll(() => marks(page).count()).toBe(2);
    await knob(page).focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => knob(page).getAttribute("aria-valuetext")).toBe("In 2 h: 2 charges expire");
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => knob(page).getAttribute("aria-valuetext")).toBe("In 10 min: 1 charge expires");
    await forecast(page).getByRole("button", { name: "Go there" }).waitFor();
    await expectAccessible(page, "all", "whole");
    await page.keyboard.press("Enter");
    await expect.poll(() => statusOf(first?.id)).toBe("expired");
    expect(await statusOf(later.id)).toBe("pending");
    await page.locator("main h1").press(">");
    await expect.poll(() => statusOf(later.id)).toBe("expired");
    expect(open.errors).toEqual([]);
  });

  test("has the next due in its menu too, and asks the server once for all parts of a page", async () => {
    const [charge] = await expiring(1, 600);
    const page = await open.open("/console/charges");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${emulator.url}/console/clock`);
    await page.getByText("1 charge expires").waitFor();
    expect(asked.filter((path) => path.endsWith("/_sandbox/clock/due"))).toHaveLength(1);
    await page.getByRole("button", { name: "Move the clock" }).click();
    await page.getByRole("menuitem", { name: "To the next task" }).click();
    await expect.poll(() => statusOf(charge?.id)).toBe("expired");
  });

  test("counts what happened on its past part, the worst in its colour, by one request and without moving anything", async () => {
    await emulator.sandbox("/clock/advance", { seconds: 40 * 86_400 });
    for (let made = 0; made < 3; made += 1) {
      const { id } = await emulator.charge();
      await emulator.sandbox(`/charges/${id}/pay`, {});
      if (made > 0) continue;
      const opened = await emulator.sandbox("/med-cases", { charge_id: id });
      // An open case would have a mark in the future.
      await emulator.sandbox(`/med-cases/${opened.id}/withdraw`, {});
    }
    await emulator.sandbox("/clock/advance", { seconds: 7_200 });
    const page = await open.open("/console/wallets");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    const bar = () => page.locator(".time-future").boundingBox();
    await page.goto(`${emulator.url}/console/wallets`);
    const before = await bar();
    const past = page.locator(".past-mark");
    await expect.poll(() => past.allTextContents()).toEqual(["7"]);
    expect(await bar()).toEqual(before);
    expect(asked.filter((path) => path.endsWith("/_sandbox/clock/past"))).toHaveLength(1);
    await expect.poll(() => past.getAttribute("class")).toContain("tone-warn");
    await past.hover();
    await expect
      .poll(() => forecast(page).innerText())
      .toMatch(/^2 h ago.*1 MED case opened, 3 charges paid, 3 charges created$/s);
    await page
      .locator(".time-bar .visually-hidden", { hasText: "Happened: 1 MED case opened, 3 charges paid" })
      .waitFor({ state: "attached" });
    await expectAccessible(page, "all", "whole");
    await page.mouse.move(600, 600);
    await forecast(page).waitFor({ state: "detached" });
    expect(open.errors).toEqual([]);
  });

  test("is one line on a phone, where a touch shows what would happen before anything moves", async () => {
    const [charge] = await expiring(2, 3_000);
    const page = await open.open("/console/charges", { width: 360, language: "pt-BR" });
    await expect.poll(() => marks(page).allTextContents()).toEqual(["2"]);
    const height = () => page.locator(".time-bar").evaluate((bar) => bar.getBoundingClientRect().height);
    expect(await height()).toBeLessThanOrEqual(36);
    const { x = 0, y = 0, width = 0 } = (await marks(page).boundingBox()) ?? {};
    const at = {
      clientX: x + width / 2,
      clientY: y + 8,
      pointerId: 7,
      pointerType: "touch",
      button: 0,
      isPrimary: true,
    };
    await page.locator(".time-track").dispatchEvent("pointerdown", at);
    await page.locator(".time-track").dispatchEvent("pointerup", at);
    await forecast(page).getByText("2 cobranças expiram").waitFor();
    expect(await statusOf(charge?.id)).toBe("pending");
    await forecast(page).getByRole("button", { name: "Ir até lá" }).click();
    await expect.poll(() => statusOf(charge?.id)).toBe("expired");
  });
});
