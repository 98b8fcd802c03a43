import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { startHost } from "../../support/running.js";
import { shared, sharedCli } from "../../support/shared.js";

/** `incident save` from hosts whose `/v1` is not exactly that of the emulator. */

const RAW = "01a1fce5-07bb-7000-9ded-5f668d9661ce";
const other = (digit: number) => RAW.replace("ce5", `ce${digit}`);
const AT = "2026-11-20T10:00:00.000Z";

const PAYMENT = { status: "PAID", amount: 1990, createdAt: AT };
const DELIVERY = {
  ...{ id: `wd_${other(1)}`, eventType: "charge.paid", status: "DELIVERED", createdAt: AT },
  payload: { id: "evt_of_another_form", data: { object: { id: `ch_${RAW}`, status: "paid" } } },
};

/** Answers of the host by path, without the query; a number is a status, "drop" no answer at all. */
let answers: Record<string, unknown> = {};
/** Earlier answers, once for each. */
let instead: (number | "drop" | null)[] = [];
let asked: string[] = [];
const host = shared(() =>
  startHost(({ method, url = "" }, outgoing) => {
    asked.push(`${method} ${url}`);
    const answer = instead.shift() ?? answers[url.split("?")[0] ?? ""] ?? 404;
    if (answer === "drop") return void outgoing.destroy();
    const status = typeof answer === "number" ? answer : 200;
    const body = status === 200 ? answer : { error: { type: "api_error", code: "none", message: "None." } };
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }),
);
const cli = sharedCli(() => ({ QA_PAY_BASE_URL: host.url, QA_PAY_API_KEY: "qa_test_0123456789abcdef" }));

beforeEach(() => {
  asked = [];
  instead = [];
  answers = { [`/v1/payments/${RAW}`]: PAYMENT, "/v1/webhooks/deliveries": { data: [DELIVERY], total: 1 } };
});

const save = (...flags: string[]) => cli.run(["incident", "save", `ch_${RAW}`, "--output", "incident.json", ...flags]);

async function saved(...flags: string[]): Promise<Loose> {
  const { code, err } = await save(...flags);
  expect([code, err]).toEqual([0, expect.stringContaining("what /v1 answers")]);
  expect((await cli.run(["incident", "replay", "incident.json"])).code).toBe(0);
  return JSON.parse(readFileSync(join(cli.folder, "incident.json"), "utf8"));
}

describe("the file of a host that shows less can be replayed, and says what it lacks", () => {
  it("where only the payment and its webhooks are shown", async () => {
    const { source, rows } = await saved();
    for (const part of ["the Pix code", "refunds", "MED cases", "endpoints"]) {
      expect(source.missing).toContain(`${part}, which the host does not show`);
    }
    expect(rows.transactions[0]).toMatchObject({ status: "PAID", amount: 1990, currency: "BRL", customer_name: null });
    expect([rows.events[0].id, rows.deliveries[0].max_attempts]).toEqual([other(1), 0]);
    expect(asked.filter((one) => !one.startsWith("GET "))).toEqual([]);
  });

  it("where webhooks are not shown", async () => {
    delete answers["/v1/webhooks/deliveries"];
    expect((await saved()).source.missing).toContain("webhooks, which the host does not show");
  });

  it("where fields are null, of another form, or more than ours", async () => {
    const odd = {
      currency: 9,
      paymentMethods: null,
      metadata: [],
      paidAt: "soon",
      providerFee: -1,
      risk: { score: 3 },
    };
    answers[`/v1/payments/${RAW}`] = { ...PAYMENT, ...odd, customerName: { first: "Ana" } };
    answers[`/v1/charges/ch_${RAW}`] = { pix: null, customer: "Ana", settlement: { end_to_end_id: "E1" } };
    const refund = { id: other(2), status: "REFUNDED", amount: 90, createdAt: AT, strategy: "by hand" };
    const refunds = [refund, { ...refund, id: "re_7" }, { ...refund, id: other(3), amount: "90" }, null];
    answers[`/v1/payments/${RAW}/refunds`] = { data: refunds, next: null };
    answers["/v1/med/cases"] = {
      data: [{ id: `med_${other(4)}`, status: "open", amount: 5, opened_at: AT, type: "new" }],
    };
    answers["/v1/webhooks/endpoints"] = [{ id: `we_${other(5)}`, url: "ftp://shop", events: "all" }];
    const deliveries = [{ ...DELIVERY, endpointId: `we_${other(5)}`, attempts: 2, lastStatusCode: 7 }, { id: "d7" }];
    answers["/v1/webhooks/deliveries"] = { data: deliveries.map((one) => ({ payload: RAW, ...one })) };
    const { source, rows } = await saved();
    expect(rows.refunds.map(({ id, strategy }: Loose) => [id, strategy])).toEqual([[other(2), null]]);
    expect([rows.med_cases[0].type, rows.delivery_attempts.length]).toEqual(["med", 2]);
    expect(source.missing).toContain("3 of 4 refunds, in another form than is known here");
    expect(source.missing).toContain("1 of 1 endpoints, in another form than is known here");
    expect(source.missing).toContain("1 of 2 deliveries, in another form than is known here");
  });

  it("where the charge alone shows a detail of the payment", async () => {
    answers[`/v1/payments/${RAW}`] = { ...PAYMENT, customerName: "Ana Lima", customerDocument: "529.982.247-25" };
    const customer = { name: "Bia Reis", email: "bia@shop.test", phone: "+5511987654321" };
    answers[`/v1/charges/ch_${RAW}`] = { customer, expected_payer_tax_id: "52998224725" };
    const [row] = (await saved("--keep-personal-data")).rows.transactions;
    expect(row).toMatchObject({
      ...{ customer_name: "Ana Lima", customer_document: "529.982.247-25", customer_tax_id: "52998224725" },
      ...{ customer_email: "bia@shop.test", customer_phone: "+5511987654321", expected_payer_tax_id: "52998224725" },
    });
  });

  it.each([
    ["no object", []],
    ["no status that is known", { ...PAYMENT, status: "SETTLED" }],
    ["no amount", { ...PAYMENT, amount: "19.90" }],
  ])("but a payment that is none is refused: %s", async (_what, payment) => {
    answers[`/v1/payments/${RAW}`] = payment;
    expect(await save()).toMatchObject({ code: 7, out: "", err: expect.stringContaining("answered with a payment") });
  });
});

describe("an answer that is lost on the way", () => {
  it.each([["drop" as const], [503]])("is requested again: %s", async (lost) => {
    instead = [null, null, lost, lost];
    answers["/v1/webhooks/deliveries"] = { data: [DELIVERY], total: 1 };
    const { code, err } = await save();
    expect([code, err]).toEqual([0, expect.stringContaining("Reading goes on: the next try is in 1 s.")]);
    expect(asked[2]).toBe(asked[4]);
  });

  it("is reported after the third try, and at once where nothing was answered before", async () => {
    instead = [null, null, "drop", "drop", "drop"];
    expect([(await save()).code, asked.length]).toEqual([7, 5]);
    asked = [];
    instead = ["drop"];
    expect([(await save()).code, asked.length]).toEqual([7, 1]);
  });
});
