import { beforeEach, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

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

describe("a paid charge of which nothing arrived", () => {
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
  ])("%s is found by a charge with %j, and its charge explained", async (order, body) => {
    await emulator.charge({ metadata: { order: "80031" } });
    const { id } = await emulator.charge(body);
    const found = await why(order);
    expect(found).toMatchObject({ id, code: "waiting_for_payer" });
    expect(found.text).toContain(`The order ${order} is ${id}.`);
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
    expect([code, err]).toEqual([4, expect.stringContaining("has this order")]);
    const headers = { "x-request-id": "story-of-a-request" };
    await emulator.call("GET", "/v1/wallets", { headers });
    expect(await why("story-of-a-request")).toMatchObject({ code: "unknown" });
    const { number } = (await emulator.sandbox("/requests?limit=1")).data[0];
    expect((await why(String(number))).text).toContain("answered 200");
  });
});
