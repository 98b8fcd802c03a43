import { expect, test } from "vitest";
import { progressReporter } from "../../../src/checks/survive/report-progress.js";
import type { ShortenedFailure } from "../../../src/checks/survive/run-schedules.js";
import { partsOf, wordsOf } from "../../../src/checks/survive/words.js";
import { FACTS } from "../../checks/survive/report-facts.js";
import { describeInBrowser } from "../../support/browser.js";
import { expectAccessible, isLive, sharedConsole } from "../../support/console-browser.js";
import { sharedEmulator } from "../../support/shared.js";

/** The page of a run of `survive`, while it goes on. */

const STEPS = [
  { id: 0, order: 0, disturbed: [], do: "buy", amount: 1_990, document: "12345678909", letters: false },
  { id: 1, order: 0, disturbed: [{ fault: "late", behind: 2 }], do: "pay", how: "right" },
  { id: 2, order: 0, disturbed: [], do: "expire" },
] as const;

describeInBrowser("the page of survive", (executablePath) => {
  const emulator = sharedEmulator({ frozen: true });
  const open = sharedConsole(executablePath, emulator);

  test("says how to start a run where there is none", async () => {
    const page = await open.open("/console/survive");
    await page.getByText("qa-pay survive --buy /buy --orders /orders -- node shop.js").waitFor();
    await page.getByRole("row", { name: "duplicate a webhook comes more than once" }).waitFor();
  });

  test("follows a run in both languages and themes, and sends nothing that changes anything", async () => {
    const { id: charge } = await emulator.charge();
    const [made] = FACTS.survival.failures;
    const found: ShortenedFailure = {
      ...(made as ShortenedFailure),
      steps: wordsOf(STEPS),
      parts: partsOf(STEPS),
      charge,
    };
    const soFar = { ...FACTS.survival, failures: [] };
    const { onSoFar, onShortening, end } = progressReporter(emulator.reportSurvival, 100);
    onSoFar({ ...soFar, schedules: 0, survived: 0, failed: 0, faults: {} });
    const page = await open.open("/console/survive", { width: 360, language: "pt-BR", scheme: "dark" });
    const wide = await open.open("/console/survive");
    const changes: string[] = [];
    for (const one of [page, wide]) {
      one.on("request", (request) => {
        if (request.method() !== "GET") changes.push(`${request.method()} ${request.url()}`);
      });
      await isLive(one);
    }
    await wide.getByRole("heading", { name: "The first schedule runs" }).waitFor();
    await wide.getByRole("status").getByText("Nothing has failed so far.").waitFor();

    onShortening(17, "fulfilled_twice");
    await wide.getByRole("status").getByText("Schedule 17 failed: fulfilled_twice.").waitFor();

    onSoFar({ ...soFar, failures: [found] });
    await wide.getByRole("heading", { name: "1 of 2 faults survived" }).waitFor();
    await wide.getByText("100 of 100 schedules").waitFor();
    await wide.getByRole("status").getByText("3 schedules have failed.").waitFor();
    const row = wide.getByRole("row", { name: /^duplicate/ });
    await expect
      .poll(() => row.getByRole("cell").allTextContents())
      .toEqual(["40", "38", "3", "a webhook comes more than once"]);
    const steps = "main ol:has(li) > li";
    await expect.poll(() => wide.locator(steps).allTextContents()).toEqual(wordsOf(STEPS));
    await page.getByRole("heading", { name: "1 de 2 falhas suportadas" }).waitFor();
    await expect
      .poll(() => page.locator(steps).allTextContents())
      .toEqual([
        "o cliente compra por R$ 19,90",
        "o cliente paga; os seus webhooks chegam atrasados, depois disto: o prazo da cobrança acaba",
        "o prazo da cobrança acaba",
      ]);
    await expectAccessible(page);
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(360);

    end();
    await wide.getByRole("status").getByText("The run is over.").waitFor();
    await wide.getByRole("link", { name: charge }).click();
    await wide.locator("main h1", { hasText: "R$" }).waitFor();
    expect(changes).toEqual([]);
    expect(open.errors).toEqual([]);
  });
});
