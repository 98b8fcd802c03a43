import { beforeEach, describe, expect, it } from "vitest";
import { DOCUMENTS } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { refund } from "../../support/refunds.js";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";

/** Sentences of `why`, the orders that it finds, and when it advises to send a webhook again. */

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key }));

beforeEach(async () => {
  await emulator.sandbox("/reset", {});
  receiver.respond = null;
});

async function why(id: string, ...flags: string[]): Promise<Loose> {
  const { code, out, err } = await cli.run(["why", id, "--json", ...flags]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

describe("a refused charge", () => {
  it("shows the provider's code beside its reason", async () => {
    const { id } = await emulator.charge({ metadata: { _sandbox: { fail: "AC06" } } });
    for (const noun of ["charges", "payments"]) {
      expect((await cli.run([noun, "get", id])).out).toMatch(/\nProvider code +AC06\n/);
    }
  });

  it.each(["AC06", "insufficient_funds", "BE01"])("names the provider's code %s", async (fail) => {
    const { id } = await emulator.charge({ metadata: { _sandbox: { fail } } });
    const { code, text } = await why(id);
    expect([code, text]).toEqual(["provider_refused", expect.stringContaining(`(code ${fail})`)]);
  });

  it("without a code names its reason alone", async () => {
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/fail`, { reason: "account closed" });
    expect((await why(id)).text).toBe("The provider refused it: account closed.");
  });
});

describe("money of a payer who was refused", () => {
  const EXPECTING = { customer: { name: "Maria" }, expected_payer_tax_id: DOCUMENTS.cpf };
  const OTHER = "The money came from another payer than the expected one, so it went back at once.";
  const REVIEW = "A review refused the payer, so the money went back.";

  it.each([
    ["another payer than the expected one paid", { payer_document: DOCUMENTS.otherCpf }, OTHER],
    ["a review refused the payer", { payer_document: null }, REVIEW],
  ])("has a sentence for its charge and for its refund: %s", async (_what, payer, text) => {
    const { id } = await emulator.charge(EXPECTING);
    await emulator.sandbox(`/charges/${id}/pay`, payer);
    if (payer.payer_document === null) await emulator.sandbox(`/charges/${id}/review`, { decision: "reject" });
    expect(await why(id)).toMatchObject({ code: "payer_refused", text, command: `qa-pay payments refunds ${id}` });
    const [refund] = (await emulator.call("GET", `/v1/payments/${id.slice(3)}/refunds`)).body;
    expect(await why(refund.id)).toMatchObject({ code: "payer_refused", text });
    const { out } = await cli.run(["payments", "get", id]);
    expect(out).toMatch(/\nRefunds\n.*\n.*(?:payer_document_mismatch|review_rejected)/);
    expect((await cli.run(["sandbox", "refunds", "list"])).out).toContain(`tx_${id.slice(3)}`);
  });
});

describe("a paid charge of which nothing arrived", () => {
  it("has its refunds in the evidence, before later attempts", async () => {
    receiver.respond = () => ({ status: 500 });
    await subscribe(emulator, receiver.url, ["charge.paid"]);
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`, {});
    await settle(emulator);
    const { id: back } = await refund(emulator, id.replace("ch_", ""), { amount: 100 });
    await emulator.sandbox(`/refunds/${back}/advance`, { to: "REFUNDED" });
    await advance(emulator, 3600);
    const texts = (await why(id)).evidence.map(({ text }: Loose) => text);
    const steps = ["refund requested: R$ 1,00", "refund on its way", "refund done"];
    expect(texts.filter((text: string) => text.startsWith("refund"))).toEqual(steps);
    expect(texts.at(-1)).toMatch(/^attempt/);
  });

  it.each([
    [["payment.status_changed", "charge.paid"], "charge.paid"],
    [["charge.paid", "payment.completed", "payment.status_changed"], "charge.paid"],
    [["payment.status_changed", "payment.completed"], "payment.completed"],
    [["payment.status_changed"], "payment.status_changed"],
  ])("with the events %j names %s", async (events, first) => {
    receiver.respond = () => ({ status: 500 });
    await subscribe(emulator, receiver.url, events);
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/pay`);
    await settle(emulator);
    const { code, text } = await why(id);
    expect([code, text]).toEqual(["paid_not_delivered", expect.stringContaining(`but ${first} was not delivered`)]);
  });
});

describe("an order", () => {
  it.each([
    ["8003", { metadata: { order: "8003" } }],
    ["8003", { metadata: { order: 8003 } }],
    ["A-17/b", { metadata: { order_id: "A-17/b" } }],
    ["Pedido 42", { description: "Pedido 42" }],
    ["8003", { metadata: { order: " 8003 " } }],
    ["#8003", { metadata: { order: 8003 } }],
    ["pedido 8003", { metadata: { order_id: "8003" } }],
    ["Order no. 8003", { description: "Pedido #8003" }],
    ["8003", { description: "Pedido 8003" }],
    ["a-17", { metadata: { order: "A-17" } }],
  ])("%s is found by a charge with %j, and its charge explained", async (order, body) => {
    await emulator.charge({ metadata: { order: "80031" } });
    const { id } = await emulator.charge(body);
    const found = await why(order);
    expect(found).toMatchObject({ id, code: "waiting_for_payer" });
    const name = order.replace(/^(?:pedido|order no\.|#) ?/i, "");
    expect(found.text).toContain(`The order ${name} is ${id}.`);
    expect((await emulator.call("GET", `/_sandbox/why/${encodeURIComponent(order)}`)).body).toMatchObject({ id });
  });

  it("is found on any host by GET alone", async () => {
    const { id } = await emulator.charge({ metadata: { order: "8003" } });
    const asked: string[] = [];
    const host = await startHost(async ({ method, url, headers }, response) => {
      asked.push(`${method}`);
      const isOfApi = String(url).startsWith("/v1/");
      const answer = await fetch(`${emulator.url}${isOfApi ? url : "/nowhere"}`, {
        headers: { apikey: String(headers.apikey) },
      });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    });
    expect(await why("8003", "--base-url", host.url, "--api-key", emulator.key)).toMatchObject({
      id,
      code: "waiting_for_payer",
    });
    expect(new Set(asked)).toEqual(new Set(["GET"]));
  });

  it("may be written as several words, and two ids may not", async () => {
    const { id } = await emulator.charge({ metadata: { order: "8003" } });
    const { code, out } = await cli.run(["why", "pedido", "nº", "8003", "--json"]);
    expect([code, JSON.parse(out).id]).toEqual([0, id]);
    const refused = await cli.run(["why", id, id]);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("why takes one id or order, not 2.")]);
  });

  it("of several payments lists them", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) ids.push((await emulator.charge({ metadata: { order: "8003" } })).id);
    const { id, code, text, evidence, command } = await why("8003");
    expect([id, code, text]).toEqual(["8003", "unknown", "3 payments name the order 8003."]);
    expect(evidence).toHaveLength(3);
    const raw = ids.map((one) => one.replace("ch_", ""));
    for (const one of raw) expect(JSON.stringify(evidence)).toContain(one);
    expect(raw.map((one) => `qa-pay why tx_${one}`)).toContain(command);
  });

  it("that no payment names is said, and a request is still found by its number and its id", async () => {
    const { code, err } = await cli.run(["why", "8003"]);
    expect([code, err]).toEqual([4, expect.stringContaining("names the order 8003, and no request")]);
    expect(err).toContain("If it is an order, a name or an amount: `qa-pay payments find 8003`");
    const headers = { "x-request-id": "story-of-a-request" };
    await emulator.call("GET", "/v1/wallets", { headers });
    expect(await why("story-of-a-request")).toMatchObject({ code: "unknown" });
    const { number } = (await emulator.sandbox("/requests?limit=1")).data[0];
    expect((await why(String(number))).text).toContain("answered 200");
  });
});
