import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestCli, testCli } from "../support/cli.js";
import { startEmulator, type TestEmulator } from "../support/emulator.js";
import { paidPayment, postAdvance, refund, refundsOf } from "../support/refunds.js";
import { startHost } from "../support/running.js";

/** The question before a refund with a live key says how much money it returns. */

let emulator: TestEmulator;
let cli: TestCli;
const live = () => ({ key: emulator.live });
beforeAll(async () => {
  emulator = await startEmulator({ frozen: true });
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.live });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

/** The only question of a command line. The answer is no, and the command changes nothing. */
async function asked(...words: string[]): Promise<string> {
  const questions: string[] = [];
  const { code, out, err } = await cli.run(words, { answers: [false], asked: questions });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("Nothing was sent.");
  expect(questions).toHaveLength(1);
  return questions[0] ?? "";
}

describe("the question before a refund", () => {
  it("shows the whole payment when no amount is given", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990 }, {}, live());
    const host = new URL(emulator.url).host;
    const question = `POST /v1/payments/${id}/refund on ${host} (LIVE mode, R$ 19,90). Go ahead?`;
    expect(await asked("payments", "refund", id)).toBe(question);
    expect(await asked("api", "POST", `/v1/payments/${id}/refund`, "--data", "{}")).toBe(question);
    expect((await emulator.call("GET", `/v1/payments/${id}/refunds`, live())).body).toEqual([]);
  });

  it("shows what other refunds have left; failed refunds do not count", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990 }, {}, live());
    await refund(emulator, id, { amount: 490 }, live());
    const failed = await refund(emulator, id, { amount: 500 }, live());
    expect(await asked("payments", "refund", id)).toContain("(LIVE mode, R$ 10,00)");
    expect((await postAdvance(emulator, failed.id, "FAILED", live())).status).toBe(200);
    expect(await asked("payments", "refund", id)).toContain("(LIVE mode, R$ 15,00)");
  });

  it("shows the amount that is refunded when the person says yes", async () => {
    const { id } = await paidPayment(emulator, { amount: 700 }, {}, live());
    await refund(emulator, id, { amount: 1 }, live());
    const questions: string[] = [];
    const answered = { answers: [true], asked: questions };
    const { code, out } = await cli.run(["payments", "refund", id, "--json"], answered);
    expect([code, JSON.parse(out).amount, questions]).toEqual([0, 699, [expect.stringContaining("R$ 6,99)")]]);
  });

  it("shows a given amount in the currency of the payment", async () => {
    const { id } = await paidPayment(
      emulator,
      { amount: 1990, currency: "EUR", paymentMethods: ["CREDIT_CARD"] },
      {},
      live(),
    );
    expect(await asked("payments", "refund", id, "--amount", "500")).toMatch(/\(LIVE mode, €\s5,00\)/);
    expect(await asked("payments", "refund", id)).toMatch(/\(LIVE mode, €\s19,90\)/);
  });

  it("names all that is left as the amount when the payment cannot be read", async () => {
    expect(await asked("payments", "refund", "tx_unknown")).toContain("(LIVE mode, all that is left)");
    const words = ["payments", "refund", "tx_1", "--base-url", "http://127.0.0.1:9", "--api-key", emulator.live];
    expect(await asked(...words)).toContain("(LIVE mode, all that is left)");
  });

  it.each([
    ["<h1>Page</h1>", "[]"],
    ['{"amount":"much"}', "[]"],
    ['{"amount":500}', "{}"],
    ['{"amount":500}', '[{"amount":"1e99x"},null]'],
  ])("says all that is left when a host answers %s and %s", async (payment, refunds) => {
    const host = await startHost((request, response) => {
      response.writeHead(200).end(request.url?.endsWith("/refunds") ? refunds : payment);
    });
    const question = await asked("payments", "refund", "tx_1", "--base-url", host.url, "--api-key", emulator.live);
    await host.close();
    expect(question).toContain("(LIVE mode, all that is left)");
  });

  it("is not prepared without a question: the payment is not read first", async () => {
    const { id } = await paidPayment(emulator, {});
    const seen: string[] = [];
    const host = await startHost((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      response.writeHead(500).end();
    });
    for (const more of [["--yes"], []]) {
      const words = ["payments", "refund", id, "--base-url", host.url, "--api-key", emulator.live, ...more];
      await cli.run(words);
    }
    await host.close();
    expect(seen).toEqual([`POST /v1/payments/${id}/refund`]);
    expect(await refundsOf(emulator, id)).toEqual([]);
  });
});
