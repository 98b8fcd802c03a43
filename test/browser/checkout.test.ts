import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../support/browser.js";
import { DOCUMENTS } from "../support/charges.js";
import { type Loose, startEmulator } from "../support/emulator.js";
import { shared, sharedEmulator } from "../support/shared.js";
import { expectText, setHidden, startPayerBrowser } from "./payer-pages.js";

const isStream = (url: string) => new URL(url).pathname.endsWith("/stream");
const isStatus = (url: string) => new URL(url).pathname.endsWith("/status");

describeInBrowser("a checkout that follows its payment, in a real browser", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const browser = shared(() => startPayerBrowser(executablePath));

  const advance = (seconds: number) => emulator.sandbox("/clock/advance", { seconds });
  const heading = (page: Page, name: string) => page.getByRole("heading", { name, level: 1 }).waitFor();
  /** A page whose timers go on only when the test says so. */
  const withTimers = (page: Page) => page.clock.install();

  test("the countdown stands still with a frozen clock, and an advance of 300 s moves it by 300", async () => {
    const { checkout_url: url } = await emulator.charge({ expires_in: 900 });
    const page = await browser.open(url, {}, withTimers);
    await expectText(page, "[role=timer]", "Expira em 15:00");
    await page.clock.runFor(20_000);
    await expect.poll(() => page.locator("[role=timer]").innerText()).toBe("Expira em 15:00");
    await advance(300);
    await expectText(page, "[role=timer]", "Expira em 10:00");
    const progress = page.locator("progress");
    await expect.poll(() => progress.evaluate((bar: Loose) => [bar.value, bar.max])).toEqual([600, 900]);
    await browser.leave(page);
  });

  test("the countdown runs with a running clock, second by second", async () => {
    const running = await startEmulator();
    try {
      const { checkout_url: url } = await running.charge({ expires_in: 900 });
      const page = await browser.open(url, {}, (opened) => opened.clock.install());
      const left = async () => {
        const [, minutes = "", seconds = ""] =
          /(\d\d):(\d\d)/.exec(await page.locator("[role=timer]").innerText()) ?? [];
        return Number(minutes) * 60 + Number(seconds);
      };
      await expectText(page, "[role=timer]", /Expira em 1[45]:\d\d/);
      await page.clock.pauseAt(Date.now() + 60_000);
      const before = await left();
      await page.clock.runFor(10_000);
      expect(before - (await left())).toBe(10);
      await running.sandbox("/clock/freeze");
      await expectText(page, "#clock", "parado");
      const frozen = await left();
      await page.clock.runFor(10_000);
      expect(await left()).toBe(frozen);
      await browser.leave(page);
    } finally {
      await running.close();
    }
  });

  test("the last minute is announced once, outside of the countdown", async () => {
    const { checkout_url: url } = await emulator.charge({ expires_in: 130 });
    const page = await browser.open(url);
    const announced = () => page.locator("#announcer").innerText();
    await advance(69);
    await expectText(page, "[role=timer]", "01:01");
    expect(await announced()).toBe("");
    await advance(1);
    await expectText(page, "[role=timer]", "01:00");
    await expect.poll(announced).toBe("Falta um minuto para o prazo de pagamento terminar.");
    await expect.poll(() => page.locator("[role=status] [role=timer], [aria-live] [role=timer]").count()).toBe(0);
    await page.evaluate("document.getElementById('announcer').textContent = ''");
    await advance(10);
    await expectText(page, "[role=timer]", "00:50");
    expect(await announced()).toBe("");
    await browser.leave(page);
  });

  test("more than an hour before its end, the page says when, and then counts down", async () => {
    const { checkout_url: url } = await emulator.charge({ expires_in: 7_200 });
    const page = await browser.open(url, { locale: "en-GB" });
    await expectText(page, "[role=timer]", /^Expires (at|on \d+ \w+ at) \d\d:\d\d \(Brasília time\)$/);
    await advance(3_600);
    await expectText(page, "[role=timer]", "Expires in 60:00");
    await browser.leave(page);
  });

  test("being paid changes the page without a reload, moves the focus, and ends the stream permanently", async () => {
    const charge = await emulator.charge();
    const streams: string[] = [];
    const page = await browser.open(charge.checkout_url, {}, async (opened) => {
      opened.on("request", (request) => void (isStream(request.url()) && streams.push(request.url())));
      await opened.clock.install();
    });
    await page.evaluate("window.isSamePage = true");
    await emulator.sandbox(`/charges/${charge.id}/pay`, { payer_name: "<img src=x onerror=alert(1)>" });
    await heading(page, "Pagamento confirmado");
    await expect.poll(() => page.evaluate("[window.isSamePage, document.activeElement.id]")).toEqual([true, "outcome"]);
    const text = () => page.locator("main").innerText();
    await expect.poll(text).toContain("<img src=x onerror=alert(1)>");
    await expect.poll(text).not.toContain(charge.pix.br_code);
    await expect.poll(() => page.locator("h1").filter({ visible: true }).count()).toBe(1);
    const href = await page.getByRole("link", { name: "Abrir comprovante (PDF)" }).getAttribute("href");
    expect((await page.request.get(emulator.url + href)).headers()["content-type"]).toBe("application/pdf");
    await page.clock.runFor(120_000);
    expect(streams).toHaveLength(1);
    await browser.leave(page);
  });

  test("expiring by an advance of the clock changes the page without a reload, with a way back to the shop", async () => {
    const charge = await emulator.charge({ metadata: { returnUrl: "https://shop.example/cart" } });
    const page = await browser.open(charge.checkout_url);
    await page.evaluate("window.isSamePage = true");
    await advance(3_600);
    await heading(page, "Cobrança expirada");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    const back = page.getByRole("link", { name: "Voltar à loja" });
    await expect.poll(() => back.getAttribute("href")).toContain("https://shop.example/cart?transaction_id=tx_");
    await browser.leave(page);
  });

  test("when a time ends before the server reports it, the page requests the status", async () => {
    const running = await startEmulator();
    try {
      const charge = await running.charge({ expires_in: 600 });
      const asked: string[] = [];
      const page = await browser.open(charge.checkout_url, {}, async (opened) => {
        opened.on("request", (request) => void (isStatus(request.url()) && asked.push(request.url())));
        await opened.clock.install();
      });
      await expectText(page, "[role=timer]", /Expira em/);
      await page.clock.fastForward(601_000);
      await expect.poll(() => asked.length).toBeGreaterThan(0);
      await expectText(page, "[role=timer]", /Expira em (10:00|09:\d\d)/);
      await browser.leave(page);
    } finally {
      await running.close();
    }
  });

  test("a hidden tab holds no stream, and catches up when it is shown again", async () => {
    const charge = await emulator.charge();
    const page = await browser.open(charge.checkout_url);
    await expectText(page, "[role=timer]", "Expira em");
    const ended = page.waitForEvent("requestfailed", (request) => isStream(request.url()));
    await setHidden(page, true);
    await ended;
    await emulator.sandbox(`/charges/${charge.id}/pay`);
    await expect.poll(() => page.locator("#outcome").isVisible()).toBe(false);
    await setHidden(page, false);
    await heading(page, "Pagamento confirmado");
    await browser.leave(page);
  });

  test("a stream that fails is opened again after growing waits, and the status is requested before", async () => {
    const charge = await emulator.charge();
    const tries: string[] = [];
    const page = await browser.open(charge.checkout_url, {}, async (opened) => {
      await opened.clock.install();
      await opened.clock.pauseAt(Date.now() + 60_000);
      await opened.route(
        (url) => isStream(url.href) || isStatus(url.href),
        (route) => {
          const kind = isStream(route.request().url()) ? "stream" : "status";
          tries.push(kind);
          return kind === "stream" && tries.length < 5 ? route.fulfill({ status: 503, body: "" }) : route.continue();
        },
      );
    });
    // The page sets its next timer when the refusal has come, which is no matter of its clock.
    const after = async (count: number) => {
      if (tries.length < count) await page.clock.runFor(1_000);
      return tries.length;
    };
    for (const count of [3, 5]) await expect.poll(() => after(count)).toBe(count);
    expect(tries).toEqual(["stream", "status", "stream", "status", "stream"]);
    await emulator.sandbox(`/charges/${charge.id}/fail`);
    await heading(page, "Cobrança indisponível");
    await browser.leave(page);
  });

  test("a server that does not answer is said so, until it does", async () => {
    const charge = await emulator.charge();
    let isDown = true;
    const page = await browser.open(charge.checkout_url, {}, async (opened) => {
      await opened.clock.install();
      await opened.route(
        (url) => isStream(url.href) || isStatus(url.href),
        (route) => (isDown ? route.fulfill({ status: 503, body: "" }) : route.continue()),
      );
    });
    await page.clock.runFor(2_000);
    await page.getByText("Sem conexão. Tentando de novo…").waitFor();
    isDown = false;
    await page.clock.runFor(4_000);
    await page.getByText("Sem conexão. Tentando de novo…").waitFor({ state: "hidden" });
    await browser.leave(page);
  });

  test("a payment that a reset has removed is shown as gone, and is not requested any more", async () => {
    const own = await startEmulator({ frozen: true });
    try {
      const { checkout_url: url } = await own.charge();
      const page = await browser.open(url, {}, withTimers);
      await expectText(page, "#clock", "parado");
      const ended = page.waitForEvent("requestfinished", (request) => isStream(request.url()));
      await own.sandbox("/reset");
      await ended;
      await page.clock.runFor(2_000);
      await heading(page, "Cobrança não encontrada");
      await browser.leave(page);
    } finally {
      await own.close();
    }
  });

  test("a restored snapshot shows the methods again", async () => {
    const own = await startEmulator({ frozen: true });
    try {
      const customer = { name: "Maria", document: DOCUMENTS.cpf };
      const charge = await own.charge({ customer, expected_payer_tax_id: DOCUMENTS.cpf });
      await own.sandbox("/snapshots", { name: "open" });
      const page = await browser.open(charge.checkout_url);
      await expectText(page, "#clock", "parado");
      await own.sandbox(`/charges/${charge.id}/pay`, { payer_document: null });
      await heading(page, "Pagamento em análise");
      await own.sandbox("/snapshots/open/restore", {});
      await heading(page, "Pague com Pix");
      await expect.poll(() => page.locator("main").innerText()).toContain(charge.pix.br_code);
      await browser.leave(page);
    } finally {
      await own.close();
    }
  });

  test("no error, and no request to another origin", () => {
    // A refused stream is an error of the network in the console, and two tests make one.
    expect(browser.faults.filter((fault) => !fault.includes("503") && !fault.includes("404"))).toEqual([]);
  });
});
