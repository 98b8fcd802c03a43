import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/browser.js";
import { openConsole } from "../../support/console.js";
import { expectAccessible, filterBy, sharedConsole } from "../../support/console-browser.js";
import type { Loose } from "../../support/emulator.js";
import { sharedEmulator } from "../../support/shared.js";

const HOSTILE = "<img src=x onerror=alert(1)> Zé's";
const CHARGE = { amount: 1990, payment_method: "pix", customer: { name: HOSTILE } };

describeInBrowser("the requests in the console", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  const latest = async (): Promise<Loose> => (await emulator.sandbox("/requests?limit=1")).data[0];
  async function send(body: unknown, key: string): Promise<Loose> {
    await emulator.call("POST", "/v1/charges", { body, headers: { "idempotency-key": key } });
    return latest();
  }

  test("an empty log says what makes the first request, and follows it", async () => {
    const page = await open.open("/console/requests", { language: "pt-BR", scheme: "dark" });
    await page.locator("main .empty code", { hasText: "qa-pay charges create --amount 1990" }).waitFor();
    await emulator.charge(CHARGE);
    await page.locator("main a.row").first().waitFor();
  });

  test("refusals are grouped behind their number, and filters act at once and stand in the address", async () => {
    await send({ ...CHARGE, amount: 0 }, "refused-1");
    const { number } = await send({ ...CHARGE, amount: 0 }, "refused-2");
    const page = await open.open("/console/requests");
    await filterBy(page, "Status", "400");
    await expect.poll(() => page.locator("main a.row").count()).toBe(2);
    await expect.poll(() => new URL(page.url()).searchParams.get("status")).toBe("400");
    await page.getByLabel("Search", { exact: true }).fill("/v1/payments");
    await page.getByText("Nothing matches these filters.").waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("");
    await page.getByRole("button", { name: "2 refused" }).click();
    const group = page.getByRole("menuitem");
    await expect.poll(() => group.innerText()).toMatch(/^2 ×\s+400\s+invalid_amount\s+POST \/v1\/charges/);
    await group.click();
    await page.getByRole("heading", { level: 1, name: `#${number}` }).waitFor();
  });

  test("what my app requested in the last minute is one click, and the console's own requests are not among it", async () => {
    await emulator.call("GET", "/v1/wallets", { headers: { "user-agent": "loja/2.3" } });
    await emulator.call("GET", "/v1/payments", { headers: { "user-agent": "qa-pay/0.1.0 (payments list)" } });
    const page = await open.open("/console/requests");
    const own = await openConsole(emulator);
    await own.charge();
    await page.getByRole("link", { name: "My app, last minute" }).click();
    const texts = () => page.locator("main tbody tr").allInnerTexts();
    await expect.poll(async () => (await texts()).some((text) => text.includes("My app loja/2.3"))).toBe(true);
    await expect.poll(async () => (await texts()).every((text) => text.includes("My app"))).toBe(true);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ caller: "app", since: "1m" });
    const command = page.locator("[data-command]");
    await expect.poll(() => command.innerText()).toMatch(/sandbox requests --caller-kind app --within-seconds 60/);
    await page.getByRole("group", { name: "Caller" }).getByRole("button", { name: "CLI" }).click();
    await expect.poll(async () => (await texts()).map((text) => text.includes("CLI payments list"))).toEqual([true]);
    await page.getByRole("button", { name: "Console", exact: true }).click();
    await expect.poll(async () => (await texts()).every((text) => text.includes("Console"))).toBe(true);
    await page.getByRole("button", { name: "1 h", exact: true }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?caller=console&since=1h");
    await page.getByRole("group", { name: "Time" }).getByRole("button", { name: "All" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe("?caller=console");
  });

  test("a tablet shows time, duration and caller of each request, and no number", async () => {
    await emulator.charge(CHARGE);
    const page = await open.open("/console/requests", { width: 768 });
    const row = page.locator("main tbody tr").first();
    await row.waitFor();
    for (const shown of ["time", ".nowrap", ".late .short-line"]) {
      const box = await row.locator(shown).first().boundingBox();
      expect(box?.x ?? 768, shown).toBeLessThan(740);
      expect(box?.width, shown).toBeGreaterThan(10);
    }
    expect((await row.locator(".row-id .id").boundingBox())?.width).toBeLessThanOrEqual(1);
    const frame = page.locator("main .table-frame");
    expect(await frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  });

  test("the name of each filter fits into its button, in Portuguese too", async () => {
    const page = await open.open("/console/requests", { language: "pt-BR" });
    await page.locator("search .chip").first().waitFor();
    const cut = await page
      .locator("search button")
      .evaluateAll((buttons) =>
        (buttons as unknown as { innerText: string; scrollWidth: number; clientWidth: number }[])
          .filter((one) => one.scrollWidth > one.clientWidth)
          .map(({ innerText }) => innerText),
      );
    expect(cut).toEqual([]);
  });

  test("the failing field of a refused request is marked in its body", async () => {
    const { number } = await send({ ...CHARGE, amount: 0 }, "refused-3");
    const page = await open.open(`/console/requests/${number}`);
    await expect.poll(() => page.locator("mark").allInnerTexts()).toEqual(["amount"]);
    await page.getByText("because of amount").waitFor();
    await expect.poll(() => page.locator("main h1").innerText()).toContain(`#${number}`);
    await expect.poll(() => page.locator("main").innerText()).toContain(HOSTILE);
    await expect.poll(() => page.locator("main img").count()).toBe(0);
  });

  test("a key that was used for another body shows the differing fields of both requests", async () => {
    const first = await send(CHARGE, "order-7-try-1");
    const { number } = await send({ ...CHARGE, amount: 2990 }, "order-7-try-1");
    const page = await open.open(`/console/requests/${number}`);
    const row = page.getByRole("row").filter({ hasText: "1990" });
    await row.waitFor();
    await expect.poll(() => row.innerText()).toMatch(/amount\s+1990\s+2990/);
    await page.getByRole("link", { name: `First request #${first.number}` }).waitFor();
    await expectAccessible(page);
  });

  test("the whole list is seen in a window of 1280 pixels, also what a fault rule hit, and a duration has the comma of Portuguese", async () => {
    await emulator.sandbox("/faults", { match: { path: "/v1/payments" }, effect: { status: 429 }, times: 1 });
    await emulator.call("GET", "/v1/payments");
    const page = await open.open("/console/requests", { language: "pt-BR" });
    const hit = page.locator("tbody tr", { hasText: "rate_limited" });
    await hit.locator(".status-warn", { hasText: "Falha simulada" }).waitFor();
    const { duration_ms: took } = await latest();
    await expect.poll(() => hit.innerText()).toContain(`${new Intl.NumberFormat("pt-BR").format(took)} ms`);
    const frame = page.locator("main .table-frame");
    await expect.poll(() => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    // On a phone the code of an error is no larger than the rest of its card.
    await page.setViewportSize({ width: 360, height: 900 });
    await expect
      .poll(() => hit.locator(".outcome-line").evaluate((line) => getComputedStyle(line).fontSize))
      .toBe("13px");
  });

  test("a request is sent again: with its key the answer is replayed, with a new one the service does it anew", async () => {
    const { number, response_body: made } = await send(CHARGE, "order-8-try-1");
    const page = await open.open(`/console/requests/${number}`);
    await page.getByRole("button", { name: "Send with the same key" }).click();
    await page.getByText("idempotent-replayed: true").waitFor();
    expect(await latest()).toMatchObject({ idempotency: "replayed", response_body: { id: made.id } });
    await page.getByRole("button", { name: "Send with a new key" }).click();
    await page.getByText("The service carried it out again.").waitFor();
    const again = await latest();
    expect(again).toMatchObject({ idempotency: "new", status: 201, request_body: CHARGE });
    expect(again.response_body.id).not.toBe(made.id);
    await page.getByRole("link", { name: `Request #${again.number}` }).click();
    await page.getByRole("heading", { level: 1, name: `#${again.number}` }).waitFor();
  });

  test("a request whose body holds a secret cannot be sent again, and the page says why", async () => {
    await emulator.call("POST", "/v1/auth/login", {
      body: { email: "owner@qa-pay.test", password: "wrong" },
      key: null,
    });
    const before = await latest();
    const page = await open.open(`/console/requests/${before.number}`);
    const button = page.getByRole("button", { name: "Send again" });
    await page.getByText("It holds a secret").waitFor();
    await button.click({ force: true });
    expect((await latest()).number).toBe(before.number);
  });

  test("a request can be copied in five forms, without the key", async () => {
    const { number } = await send(CHARGE, "order-9-try-1");
    const page = await open.open(`/console/requests/${number}`, { width: 360 });
    const code = page.locator(".snippets pre");
    for (const [name, begin] of [
      ["PowerShell", "Invoke-RestMethod -Method POST"],
      ["qa-pay api", "qa-pay api POST /v1/charges"],
      ["Client", 'await client["charges.create"]'],
      ["Vitest", 'import { createEmulator } from "qa-pay";'],
      ["curl", "curl -X POST"],
    ] as const) {
      await page.locator(".snippets").getByRole("button", { name, exact: true }).click();
      await expect.poll(() => code.innerText()).toContain(begin);
      await expect.poll(() => code.innerText()).not.toContain(emulator.key);
    }
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(open.errors).toEqual([]);
  });
});
