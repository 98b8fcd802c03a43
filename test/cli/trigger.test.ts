// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how scripts write their references
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EVENT_NAMES } from "../../src/features/webhooks/catalogue.js";
import { eventsOf, statusOf } from "../support/charges.js";
import { type TestCli, testCli } from "../support/cli.js";
import { type Loose, startEmulator, type TestEmulator } from "../support/emulator.js";
import { startHost } from "../support/running.js";

/** `trigger`: an event happens because real objects reach its state. */

let emulator: TestEmulator;
let cli: TestCli;
beforeAll(async () => {
  emulator = await startEmulator();
  cli = testCli({ QA_PAY_BASE_URL: emulator.url, QA_PAY_API_KEY: emulator.key });
});
afterAll(async () => {
  cli.remove();
  await emulator.close();
});

async function json(...words: string[]): Promise<Loose> {
  const { code, out, err } = await cli.run(["trigger", ...words, "--json"]);
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

const eventCount = async () => (await emulator.sandbox("/events?limit=100")).data.length;

describe("trigger", () => {
  it("shows each of its requests and the outcome", async () => {
    const { code, out, err } = await cli.run(["trigger", "charge.paid"]);
    expect([code, err]).toEqual([0, ""]);
    const id = /ch_\S+/.exec(out)?.[0] ?? "";
    expect(out).toBe(`✓ POST /v1/charges ${id}\n✓ POST /_sandbox/charges/${id}/pay ${id} paid\n`);
    expect(await eventsOf(emulator, id)).toContain("charge.paid");
    expect(await cli.run(["trigger", "charge.paid", "--quiet"])).toEqual({ code: 0, out: "", err: "" });
  });

  it("is one JSON object with --json: the event and every answer", async () => {
    const { event, steps } = await json("med_case.created");
    expect(event).toBe("med_case.created");
    expect(steps).toMatchObject([
      { name: "charge", request: "POST /v1/charges", status: 201, answer: { object: "charge" } },
      { name: "payment", status: 200, answer: { outcome: "paid" } },
      { name: "case", request: "POST /_sandbox/med-cases", status: 201, answer: { status: "open" } },
    ]);
    expect(steps[2].answer.charge_id).toBe(steps[0].answer.id);
  });

  it("makes new objects every time", async () => {
    const [first, second] = [await json("payment.refunded"), await json("payment.refunded")];
    for (const index of [0, 2]) expect(first.steps[index].answer.id).not.toBe(second.steps[index].answer.id);
  });

  it("--set changes a field of the step it names, or of the first", async () => {
    const settings = ["--set", "charge.amount=5000", "--set", "refund.amount=100", "--set", "customer.name=Ana=1"];
    const nested = ["--set", 'metadata={"order":7}', "--set", "metadata.note=true", "--set", "description="];
    const { steps } = await json("payment.refunded", ...settings, ...nested);
    expect(steps[0].answer).toMatchObject({
      amount: 5000,
      customer: { name: "Ana=1" },
      metadata: { order: 7, note: true },
    });
    expect(steps[2].answer.amount).toBe(100);
  });

  it("--set leaves a price alone in a field that is no amount of the service", async () => {
    const settings = ["--set", "charge.metadata.amount=5,00", "--set", "charge.description=5,00"];
    const { steps } = await json("charge.created", ...settings);
    expect(steps[0].answer.metadata.amount).toBe("5,00");
  });

  it("--charge uses an existing charge", async () => {
    const { id } = await emulator.charge();
    const { steps } = await json("charge.expired", "--charge", id);
    expect(steps.map(({ name }: Loose) => name)).toEqual(["expiry"]);
    expect(await statusOf(emulator, id)).toBe("expired");
  });

  it("with --dry-run shows every request, references as they are written, and sends none", async () => {
    const before = await eventCount();
    const { code, out, err } = await cli.run(["trigger", "payment.refunded", "--dry-run", "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const requests = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(requests.map(({ method, url }) => `${method} ${url.slice(emulator.url.length)}`)).toEqual([
      "POST /v1/charges",
      "POST /_sandbox/charges/${charge.id}/pay",
      "POST /v1/payments/${charge.id:raw}/refund",
      "POST /_sandbox/refunds/${refund.id}/advance",
    ]);
    expect(out).not.toContain(emulator.key);
    expect(await eventCount()).toBe(before);
  });

  it("with a live key needs one confirmation for all its requests", async () => {
    const words = ["trigger", "charge.paid", "--api-key", emulator.live];
    const refused = await cli.run(words);
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toContain("--yes");
    const asked: string[] = [];
    expect((await cli.run(words, { answers: [true], asked })).code).toBe(0);
    expect(asked).toEqual([expect.stringContaining("POST /v1/charges and 1 more")]);
    expect((await cli.run([...words, "--yes"])).code).toBe(0);
  });
});

describe("a trigger that is refused", () => {
  it.each([
    [["charge.payed"], "There is no event charge.payed. There are charge.created, charge.expired,"],
    [[""], "There is no event ."],
    [["charge.*"], "There is no event charge.*."],
    [["small-shop"], "There is no event small-shop."],
    [["charge.paid", "--set", "amount"], "--set takes path=value, not amount."],
    [["charge.paid", "--set", "=5"], "--set takes path=value, not =5."],
    [["charge.paid", "--set", "charge.metadata.order=1e400"], "holds 1e400, a number that cannot be kept exactly"],
    [["charge.paid", "--set", "charge=5"], "--set charge=5 names no field of a step."],
    [["charge.paid", "--set", "charge.description.length=5"], "description is no object."],
    [["charge.paid", "--set", "charge.amount=5,00"], "takes a whole number of centavos: write 500 for R$ 5,00."],
    [["charge.paid", "--set", "amount=5.00"], "write 500 for R$ 5,00."],
    [["payment.refunded", "--set", "refund.amount=R$ 1,5"], "write 150 for R$ 1,50."],
    [["payout.created", "--charge", "ch_1"], "payout.created does not happen to a charge."],
    [["charge.created", "--charge", "ch_1"], "charge.created does not happen to a charge."],
  ])("%j is wrong usage", async (words, message) => {
    const before = await eventCount();
    const { code, out, err } = await cli.run(["trigger", ...words]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(await eventCount()).toBe(before);
  });

  it("names all existing events", async () => {
    const { err } = await cli.run(["trigger", "nothing"]);
    for (const name of EVENT_NAMES) expect(err).toContain(name);
  });

  it("ends with 4 for an unknown charge, and with 5 for one in the wrong state", async () => {
    const nowhere = "ch_01980000-0000-7000-8000-000000000000";
    const missing = await cli.run(["trigger", "charge.paid", "--charge", nowhere, "--json"]);
    expect([missing.code, missing.out, JSON.parse(missing.err).error.code]).toEqual([4, "", "not_found"]);
    const { id } = await emulator.charge();
    await emulator.sandbox(`/charges/${id}/expire`);
    const late = await cli.run(["trigger", "charge.expired", "--charge", id]);
    expect([late.code, late.out]).toEqual([5, ""]);
    expect(late.err).toContain(`Step expiry (POST /_sandbox/charges/${id}/expire) was refused:`);
  });

  it("ends with 5 and the envelope when the service refuses a step; earlier steps stay done", async () => {
    const { code, out, err } = await cli.run([
      "trigger",
      "payment.refunded",
      "--set",
      "refund.amount=999999",
      "--json",
    ]);
    expect([code, out]).toEqual([5, ""]);
    expect(JSON.parse(err)).toMatchObject({ error: { code: expect.any(String) }, request_id: expect.any(String) });
  });
});

describe("a host that refuses or does not answer", () => {
  const words = ["trigger", "charge.paid", "--json"];

  it("ends with 3 when it does not know the key, with --charge too", async () => {
    for (const more of [[], ["--charge", "ch_1"]]) {
      const { code, out, err } = await cli.run([...words, ...more, "--api-key", "qa_test_nobody-knows-me"]);
      expect([code, out, JSON.parse(err).error.code]).toEqual([3, "", "unauthorized"]);
    }
  });

  it("ends with 7 when no server answers", async () => {
    const { code, out, err } = await cli.run([...words, "--base-url", "http://127.0.0.1:9", "--api-key", emulator.key]);
    expect([code, out, JSON.parse(err).error.code]).toEqual([7, "", "unreachable"]);
  });

  it("ends with 2 and makes no charge when it has no simulators", async () => {
    const asked: string[] = [];
    const no = '{"error":{"type":"not_found_error","code":"not_found","message":"No such route."},"request_id":"r"}';
    const host = await startHost((request, response) => {
      const made = request.url === "/v1/charges";
      asked.push(`${request.method} ${request.url}`);
      response.writeHead(made ? 201 : 404).end(made ? '{"id":"ch_1","status":"pending"}' : no);
    });
    const { code, err } = await cli.run([...words, "--base-url", host.url, "--api-key", emulator.key]);
    await host.close();
    expect([code, JSON.parse(err).error.code]).toEqual([2, "no_emulator"]);
    expect(asked).toEqual(["GET /_sandbox"]);
  });

  it.each([
    [200, 2, "no_emulator"],
    [301, 2, "no_emulator"],
    [404, 2, "no_emulator"],
    [502, 7, "unexpected_answer"],
  ])("and answers %i with a page ends with %i", async (status, exit, code) => {
    const host = await startHost((_request, response) => void response.writeHead(status).end("<h1>Page</h1>"));
    const ended = await cli.run([...words, "--base-url", host.url, "--api-key", emulator.key]);
    await host.close();
    expect([ended.code, ended.out, JSON.parse(ended.err).error.code]).toEqual([exit, "", code]);
  });
});
