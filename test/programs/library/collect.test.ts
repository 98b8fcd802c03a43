import { describe, expect, expectTypeOf, it } from "vitest";
import { createEmulator, type Emulator, OptionError, WaitTimeoutError } from "../../../src/index.js";
import { type CanonicalEvent, verifyWebhook } from "../../../src/service/webhooks/index.js";
import { freshKey } from "../../support/emulator.js";
import { closeAfterwards } from "../../support/shared.js";
import { failureOf } from "../../support/thrown.js";

/** `collect`: the webhooks of an endpoint, in the process of the test. */

const start = closeAfterwards(createEmulator);

async function charge({ client }: Emulator, expires_in = 3_600): Promise<string> {
  const body = { amount: 1990, payment_method: "pix" as const, expires_in };
  return (await client["charges.create"]({ body, idempotencyKey: freshKey() })).id;
}

it("a received webhook is in the list, signed, and among the deliveries", async () => {
  const emulator = await start({ frozen: true, startAt: "2026-01-31T12:00:00Z" });
  const { secret, webhooks } = await emulator.collect({ events: ["charge.created", "payment.created"] });
  const id = await charge(emulator);
  await emulator.settled();
  expect(webhooks.map(({ event }) => event.type ?? event.event).sort()).toEqual(["charge.created", "payment.created"]);
  for (const { at, headers, body, event } of webhooks) {
    expect(at).toBe("2026-01-31T12:00:00.000Z");
    expect(verifyWebhook({ headers, body, secret })).toEqual(event);
  }
  const told = await emulator.deliveries({ subject: id });
  expect(told.map((one) => one.id).sort()).toEqual(webhooks.map((one) => one.id).sort());
  expect(told.every(({ status, lastStatusCode }) => status === "DELIVERED" && lastStatusCode === 200)).toBe(true);
});

describe("next", () => {
  it("returns earlier webhooks, each once, and then waits for later ones", async () => {
    const emulator = await start({ frozen: true });
    const collector = await emulator.collect({ events: ["charge.created", "charge.expired"] });
    const [first, second] = [await charge(emulator, 600), await charge(emulator)];
    await emulator.settled();
    const created = await collector.next("charge.created");
    expectTypeOf(created.event).toEqualTypeOf<CanonicalEvent<"charge.created">>();
    expect(created.event.data.object.id).toBe(first);
    const waiting = collector.next("charge.expired");
    expect((await collector.next()).event).toMatchObject({ data: { object: { id: second } } });
    await emulator.advance("10m");
    expect((await waiting).event.data.object.id).toBe(first);
    expect(collector.webhooks).toHaveLength(3);
  });

  it("passes one webhook to one of several waiters", async () => {
    const emulator = await start({ frozen: true });
    const collector = await emulator.collect({ events: ["charge.created"] });
    const both = [collector.next(), collector.next("charge.created")];
    const ids = [await charge(emulator), await charge(emulator)];
    const got = (await Promise.all(both)).map(({ event }) => event.type === "charge.created" && event.data.object.id);
    expect(got.sort()).toEqual(ids.sort());
  });

  it("ends with what came until then, when nothing comes in time", async () => {
    const emulator = await start({ frozen: true });
    const collector = await emulator.collect();
    await charge(emulator);
    await emulator.settled();
    const error = await failureOf(collector.next("charge.paid", { timeout: 1 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error.message).toBe(
      "No event charge.paid within 1 ms of real time. Reported so far: charge.created, payment.created.",
    );
    await Promise.all([collector.next(), collector.next()]);
    expect((await failureOf(collector.next(undefined, { timeout: 1 }))).message).toContain("No event within 1 ms of");
  });

  it("says that a reset has ended the collector", async () => {
    const emulator = await start();
    const collector = await emulator.collect();
    await emulator.reset();
    await charge(emulator);
    expect((await failureOf(collector.next("charge.created", { timeout: 1 }))).message).toMatch(
      /^The collector col_\S+ is gone, because a reset ends collectors\. Create another one after the reset\.$/,
    );
    await collector.close();
  });

  it("ends when the collector or the emulator is closed", async () => {
    const emulator = await start();
    const collector = await emulator.collect();
    const pending = failureOf(collector.next());
    await collector.close();
    expect((await pending).message).toMatch(/^The collector col_\S+ was closed\.$/);
    expect(await failureOf(collector.next())).toEqual(await pending);
    const other = await emulator.collect();
    const open = failureOf(other.next());
    await emulator.close();
    expect((await open).message).toBe("The emulator was closed.");
  });
});

it("close ends it: nothing more is collected or delivered", async () => {
  const emulator = await start({ frozen: true });
  const collector = await emulator.collect({ events: ["charge.created"] });
  await collector.close();
  await collector.close();
  await charge(emulator);
  await emulator.settled();
  expect(collector.webhooks).toEqual([]);
  expect(await emulator.deliveries()).toEqual([]);
});

describe("a wrong use", () => {
  it("is refused by the service for an event that does not exist", async () => {
    const emulator = await start();
    const error = await failureOf(emulator.collect({ events: ["charge.payed" as "charge.paid"] }));
    expect(error).toMatchObject({ status: 400, param: "events.0" });
  });

  it("is an OptionError at the caller's own line", async () => {
    const emulator = await start();
    const collector = await emulator.collect();
    const wrong = [
      [() => emulator.collect({ event: [] } as object), "collect has no option event: did you mean events?"],
      [() => emulator.collect({ events: "charge.paid" as never }), 'events takes a list of events, not "charge.paid".'],
      [
        () => collector.next("charge.payed" as never),
        'next: there is no event "charge.payed"; did you mean charge.paid?',
      ],
      [() => collector.next("charge.paid", { timeout: "soon" }), "timeout takes a duration such as"],
      [() => collector.next("charge.paid", { after: 1 } as object), "next has no option after"],
    ] as const;
    for (const [act, message] of wrong) {
      const error = await failureOf(act());
      expect(error).toBeInstanceOf(OptionError);
      expect(error.message).toContain(message);
      expect(error.stack?.split("\n    at ")[1]).toContain("collect.test.ts");
    }
  });
});
