import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliOptions } from "../../support/cli.js";
import type { Loose } from "../../support/emulator.js";
import { refund } from "../../support/refunds.js";
import { type Host, startHost } from "../../support/running.js";
import { sharedCli, sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { settle, subscribe } from "../../support/webhooks.js";

/** `webhooks deliveries --payment`: the webhooks of one payment, on any host, by reading alone. */

const LIVE = "qa_live_0123456789abcdef";

const emulator = sharedEmulator({ frozen: true });
const receiver = sharedReceiver();
const cli = sharedCli();
let host: Host;
/** The requests that came to the host, as `GET /v1/payments?…`. */
let asked: string[] = [];
let id: string;
let other: string;

beforeAll(async () => {
  const events = ["charge.created", "charge.paid", "payment.refunded", "med_case.created"];
  await subscribe(emulator, receiver.url, events);
  const charges = [await emulator.charge(), await emulator.charge({ metadata: {} })];
  [id = "", other = ""] = charges.map((charge) => charge.id);
  for (const one of [id, other]) await emulator.sandbox(`/charges/${one}/pay`);
  await settle(emulator);
  receiver.respond = () => ({ status: 500 });
  await refund(emulator, id.replace("ch_", ""), { amount: 100 });
  await emulator.sandbox("/clock/advance", { seconds: 10 });
  await emulator.sandbox("/med-cases", { charge_id: id });
  await settle(emulator);
  host = await startHost(async ({ method, url = "" }, outgoing) => {
    asked.push(`${method} ${url}`);
    const { status, body } = url.startsWith("/v1/") ? await emulator.call("GET", url) : { status: 404, body: "none" };
    outgoing.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await cli.run(["profiles", "add", "prod", "--base-url", host.url, "--api-key", LIVE, "--read-only"]);
});
afterAll(() => host.close());

const list = (words: readonly string[], options: CliOptions = {}) =>
  cli.run(["webhooks", "deliveries", "--profile", "prod", ...words], options);

async function about(payment: string, ...words: string[]): Promise<Loose> {
  const { code, out, err } = await list(["--payment", payment, "--json", ...words]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}
const typesOf = ({ data }: Loose) => data.map((one: Loose) => one.eventType);

describe("webhooks deliveries --payment, with a read-only profile and a live key", () => {
  it("lists those of the payment, its refunds and its MED cases, the newest first", async () => {
    const { data, total, ...rest } = await about(id);
    expect(typesOf({ data })).toEqual([
      "med_case.created",
      "payment.refunded",
      "payment.refunded",
      "charge.paid",
      "charge.created",
    ]);
    expect([total, rest]).toEqual([5, {}]);
    const all = (await emulator.call("GET", "/v1/webhooks/deliveries?limit=100")).body.data;
    expect(data).toEqual(all.filter((one: Loose) => JSON.stringify(one.payload).includes(id.slice(3))));
    expect(typesOf(await about(other))).toEqual(["charge.paid", "charge.created"]);
  });

  it("takes the id in any form", async () => {
    const bare = id.slice(3);
    const address = `${host.url}/checkout/${bare}?k=x`;
    for (const form of [id, `tx_${bare}`, bare, bare.toUpperCase(), `\u201c${id}\u201d`, address]) {
      expect([form, (await about(form)).total]).toEqual([form, 5]);
    }
  });

  it("sends GET alone, and the other filters to the host", async () => {
    asked = [];
    const failed = await about(id, "--status", "PENDING", "--event-type", "payment.refunded");
    expect(typesOf(failed)).toEqual(["payment.refunded", "payment.refunded"]);
    expect(asked).toEqual([
      `GET /v1/payments/tx_${id.slice(3)}`,
      "GET /v1/webhooks/deliveries?status=PENDING&eventType=payment.refunded&limit=1&offset=0",
      "GET /v1/webhooks/deliveries?status=PENDING&eventType=payment.refunded&limit=2&offset=0",
    ]);
  });

  it("prints the table of the list and how many there are", async () => {
    const { code, out, err } = await list(["--payment", id, "--utc"]);
    expect([code, out.split("\n")[0]?.split(/ {2,}/).slice(0, 6)]).toEqual([
      0,
      ["Created (UTC)", "Event", "About", "Status", "Attempts", "Answer"],
    ]);
    expect(out.trimEnd().split("\n")).toHaveLength(6);
    expect(err).toMatch(/\n5 of 5 deliveries about tx_[0-9a-f-]{36}\n$/);
  });

  it("prints csv and jsonl, and a part with --limit and --offset", async () => {
    const csv = await list(["--payment", id, "--output", "csv", "--columns", "eventType,status"]);
    expect(csv.out.split("\r\n").slice(0, 2)).toEqual(["eventType,status", "med_case.created,PENDING"]);
    const { out } = await list(["--payment", id, "--output", "jsonl", "--limit", "2", "--offset", "2"]);
    const rows = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(typesOf({ data: rows })).toEqual(["payment.refunded", "charge.paid"]);
    expect(await about(id, "--limit", "1")).toMatchObject({ total: 5, data: [{ eventType: "med_case.created" }] });
  });

  it("ends with 4 for an unknown id, and says what an id of another kind is", async () => {
    const unknown = await list(["--payment", "tx_01a2234d-3480-7001-9386-fe1e81f10f70", "--json"]);
    expect([unknown.code, unknown.out]).toEqual([4, ""]);
    const refunds = (await emulator.call("GET", `/v1/payments/${id.slice(3)}/refunds`)).body;
    const { code, err } = await list(["--payment", refunds[0].id]);
    expect([code, err]).toEqual([4, expect.stringContaining("is the id of a refund.")]);
  });

  it("says so when no delivery is about the payment", async () => {
    const { code, out, err } = await list(["--payment", other, "--status", "FAILED"]);
    expect([code, out, err]).toEqual([0, "", expect.stringMatching(/No delivery is about tx_.*`qa-pay why tx_/)]);
  });
});
