// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how fixtures write their references
import { describe, expect, it } from "vitest";
import { eventsOf, statusOf } from "../../support/charges.js";
import type { Loose } from "../../support/emulator.js";
import { sharedCli, sharedEmulator } from "../../support/shared.js";

/** `trigger`: an event happens because real objects reach its state. */

const emulator = sharedEmulator();
const cli = sharedCli(emulator);

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

  it("creates new objects every time", async () => {
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
});

describe("a trigger that is refused", () => {
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
