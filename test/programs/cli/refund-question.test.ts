import { describe, expect, it } from "vitest";
import { paidPayment, postAdvance, refund, refundsOf } from "../../support/refunds.js";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** The question before a refund with a live key says how much money it returns, and to whom. */

const emulator = sharedEmulator({ frozen: true });
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.live }));
const live = () => ({ key: emulator.live });

/** The only question of a command line. The answer is no, and the command changes nothing. */
async function asked(...words: string[]): Promise<string> {
  const questions: string[] = [];
  const { code, out, err } = await cli.run(words, { answers: [false], asked: questions });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("Nothing was sent.");
  // Above the question stands what it is about.
  expect(err).toMatch(/^POST \/v1\/payments\/\S+\/refund on 127\.0\.0\.1:\d+ \(LIVE mode\)$/m);
  expect(questions).toHaveLength(1);
  return questions[0] ?? "";
}

describe("the question before a refund", () => {
  it("shows the whole payment when no amount is set", async () => {
    const { id } = await paidPayment(emulator, { amount: 12_990, customerName: "Maria Silva" }, {}, live());
    const question = "Refund R$ 129,90 to Maria Silva?";
    expect(await asked("payments", "refund", id)).toBe(question);
    expect(await asked("api", "POST", `/v1/payments/${id}/refund`, "--data", "{}")).toBe(question);
    expect((await emulator.call("GET", `/v1/payments/${id}/refunds`, live())).body).toEqual([]);
  });

  it("names the Pix key that gets the money, and the payment when nobody's name is known", async () => {
    const named = await paidPayment(emulator, { amount: 500, customerName: "Maria" }, {}, live());
    const words = ["payments", "refund", named.id, "--destination-key", "ana@loja.example"];
    expect(await asked(...words)).toBe("Refund R$ 5,00 to the Pix key ana@loja.example?");
    const { id } = await paidPayment(emulator, { amount: 500, customerName: null }, {}, live());
    expect(await asked("payments", "refund", id)).toBe(`Refund R$ 5,00 of the payment ${id}?`);
    const long = await paidPayment(emulator, { amount: 500, customerName: "x".repeat(500) }, {}, live());
    expect(await asked("payments", "refund", long.id)).toBe(`Refund R$ 5,00 to ${"x".repeat(79)}…?`);
  });

  it("shows what other refunds have left; failed refunds do not count", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990 }, {}, live());
    await refund(emulator, id, { amount: 490 }, live());
    const failed = await refund(emulator, id, { amount: 500 }, live());
    expect(await asked("payments", "refund", id)).toMatch(
      /^R\$ 9,90 of R\$ 19,90 were given back in 2 refunds, the last just now\. Give back the other R\$ 10,00 /,
    );
    expect((await postAdvance(emulator, failed.id, "FAILED", live())).status).toBe(200);
    expect(await asked("payments", "refund", id)).toMatch(
      /^R\$ 4,90 of R\$ 19,90 were given back just now\. Give back the other R\$ 15,00 /,
    );
  });

  it("says what was refunded before, when, and what would be left", async () => {
    const { id } = await paidPayment(emulator, { amount: 12_990, customerName: "Maria Silva" }, {}, live());
    const words = ["payments", "refund", id, "--amount"];
    expect(await asked(...words, "6495")).toBe("Refund R$ 64,95 to Maria Silva?");
    await refund(emulator, id, { amount: 6495 }, live());
    const given = "R$ 64,95 of R$ 129,90 were given back";
    for (const [seconds, when] of [
      [9, "9 seconds ago"],
      [60, "1 minute ago"],
      [7_200, "2 hours ago"],
      [86_400, "1 day ago"],
    ] as const) {
      await emulator.sandbox("/clock/advance", { seconds });
      expect(await asked(...words, "6495")).toBe(`${given} ${when}. Give back the other R$ 64,95 to Maria Silva?`);
    }
    const part = `${given} 1 day ago. Give back R$ 20,00 to Maria Silva, so that R$ 44,95 are left?`;
    expect(await asked(...words, "2000")).toBe(part);
    const toKey = ["--destination-key", "ana@loja.example"];
    expect(await asked(...words, "6495", ...toKey)).toMatch(/Give back the other R\$ 64,95 to the Pix key ana@loja/);
  });

  it.each([[[]], [["--amount", "1990"]], [["--amount", "1"]]])(
    "is not asked when nothing is left to refund: %j",
    async (more) => {
      const { id } = await paidPayment(emulator, { amount: 1990 }, {}, live());
      await refund(emulator, id, { amount: 1990 }, live());
      const words = ["payments", "refund", id, ...more];
      const { code, out, err } = await cli.run(words, { answers: [] });
      expect([code, out]).toEqual([5, ""]);
      expect(err).toContain("Error: Nothing is left to give back. R$ 19,90 of R$ 19,90 were given back just now.");
      // Where nobody is asked, the service refuses it.
      expect((await cli.run([...words, "--yes"])).code).toBe(5);
      expect((await cli.run([...words, "--yes"], { answers: [] })).code).toBe(5);
      const json = await cli.run([...words, "--json"], { answers: [] });
      expect([json.code, JSON.parse(json.err.split("\n").at(-2) ?? "").error]).toEqual([
        5,
        expect.objectContaining({ type: "invalid_request_error", code: "invalid_amount" }),
      ]);
      expect((await emulator.call("GET", `/v1/payments/${id}/refunds`, live())).body).toHaveLength(1);
    },
  );

  it("is not asked when less is left than the refund needs", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990 }, {}, live());
    await refund(emulator, id, { amount: 1000 }, live());
    const { code, err } = await cli.run(["payments", "refund", id, "--amount", "1990"], { answers: [] });
    expect(code).toBe(5);
    expect(err).toContain("At most R$ 9,90 can be given back. R$ 10,00 of R$ 19,90 were given back just now.");
    expect((await emulator.call("GET", `/v1/payments/${id}/refunds`, live())).body).toHaveLength(1);
  });

  it("is asked when an idempotency key is set, because the request may be a repetition", async () => {
    const { id } = await paidPayment(emulator, { amount: 1990, customerName: "Rui" }, {}, live());
    const words = ["payments", "refund", id, "--idempotency-key", "again-0001", "--json"];
    const first = await cli.run(words, { answers: [true] });
    const questions: string[] = [];
    const second = await cli.run(words, { answers: [true], asked: questions });
    expect([second.code, second.out]).toEqual([0, first.out]);
    expect(questions).toEqual([expect.stringContaining("R$ 19,90 of R$ 19,90 were given back just now.")]);
  });

  it("shows the amount that is refunded when the person says yes", async () => {
    const { id } = await paidPayment(emulator, { amount: 700 }, {}, live());
    await refund(emulator, id, { amount: 1 }, live());
    const questions: string[] = [];
    const answered = { answers: [true], asked: questions };
    const { code, out } = await cli.run(["payments", "refund", id, "--json"], answered);
    expect([code, JSON.parse(out).amount, questions]).toEqual([
      0,
      699,
      [expect.stringMatching(/\(LIVE mode\)\. R\$ 0,01 of R\$ 7,00 were .* Give back the other R\$ 6,99 /)],
    ]);
  });

  it("shows the amount of the flag in the currency of the payment", async () => {
    const { id } = await paidPayment(
      emulator,
      { amount: 1990, currency: "EUR", paymentMethods: ["CREDIT_CARD"] },
      {},
      live(),
    );
    expect(await asked("payments", "refund", id, "--amount", "500")).toMatch(/^Refund €\s5,00 /);
    expect(await asked("payments", "refund", id)).toMatch(/^Refund €\s19,90 /);
  });

  it("names all that is left as the amount when the payment cannot be read", async () => {
    expect(await asked("payments", "refund", "tx_unknown")).toMatch(/^Refund all that is left of the payment tx_/);
    const words = ["payments", "refund", "tx_1", "--base-url", "http://127.0.0.1:9", "--api-key", emulator.live];
    expect(await asked(...words)).toMatch(/^Refund all that is left of the payment tx_/);
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
    expect(question).toMatch(/^Refund all that is left of the payment tx_/);
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
