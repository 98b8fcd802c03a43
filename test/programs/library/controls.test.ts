import { describe, expect, expectTypeOf, it } from "vitest";
import { createEmulator, type Emulator, OptionError, WaitTimeoutError } from "../../../src/index.js";
import { freshKey } from "../../support/emulator.js";
import { closeAfterwards, ownReceiver } from "../../support/shared.js";
import { failureOf } from "../../support/thrown.js";

const start = closeAfterwards(createEmulator);

async function charge({ client }: Emulator, body: { amount?: number; expires_in?: number } = {}): Promise<string> {
  const input = { body: { amount: 1990, payment_method: "pix" as const, ...body }, idempotencyKey: freshKey() };
  return (await client["charges.create"](input)).id;
}

describe("the clock of an emulator", () => {
  it.each<[string, (now: string) => number | string | Date, number]>([
    ["milliseconds", () => 90_000, 90],
    ["a duration", () => "90s", 90],
    ["an instant", (now) => new Date(Date.parse(now) + 90_000).toISOString(), 90],
    ["a Date", (now) => new Date(Date.parse(now) + 90_000), 90],
    ["nothing", () => 0, 0],
  ])("moves forward by %s", async (_name, target, seconds) => {
    const emulator = await start({ frozen: true });
    const { now } = await emulator.client["sandbox.clock.show"]();
    const moved = await emulator.advance(target(now));
    expect((Date.parse(moved.now) - Date.parse(now)) / 1_000).toBe(seconds);
    expect(moved.frozen).toBe(true);
  });

  it("moves to the next due work, and reports what was done", async () => {
    const emulator = await start({ frozen: true });
    const id = await charge(emulator, { expires_in: 600 });
    const { ran, ran_count } = await emulator.advance("next");
    expect(ran).toMatchObject([{ subject: id }]);
    expect(ran_count).toBe(1);
    expect((await emulator.client["charges.get"]({ params: { id } })).status).toBe("expired");
  });

  it.each([["soon"], [-1], [1.5], [Number.NaN], [new Date("soon")], [null], [undefined], [{ seconds: 5 }], ["5"]])(
    "does not move to %j",
    async (target) => {
      const emulator = await start({ frozen: true });
      const error = await failureOf(emulator.advance(target as string));
      expect(error).toBeInstanceOf(OptionError);
      expect(error.message).toContain("advance takes milliseconds, a duration such as 10s or 1d, an instant such as ");
      expect(error.stack?.split("\n    at ")[1]).toContain("controls.test.ts");
    },
  );

  it("does not move back", async () => {
    const emulator = await start();
    expect(await failureOf(emulator.advance("2020-01-01T00:00:00Z"))).toMatchObject({ status: 400, param: "to" });
  });
});

describe("now() of an emulator", () => {
  it("is the time of its clock, which stands still, is moved and begins anew", async () => {
    const startAt = "2026-01-31T12:00:00.000Z";
    const emulator = await start({ frozen: true, startAt });
    expect(emulator.now()).toEqual(new Date(startAt));
    const { now } = await emulator.advance("1d");
    expect([emulator.now().toISOString(), now]).toEqual(["2026-02-01T12:00:00.000Z", "2026-02-01T12:00:00.000Z"]);
    await emulator.advance(new Date(emulator.now().getTime() + 1_500));
    expect(emulator.now().toISOString()).toBe("2026-02-01T12:00:01.500Z");
    await emulator.reset();
    expect(emulator.now()).toEqual(new Date(startAt));
  });

  it("is the time of a clock that runs", async () => {
    const emulator = await start({ startAt: "2026-01-31T12:00:00Z", clockSpeed: 100_000 });
    const before = emulator.now();
    await emulator.client["wallets.list"]();
    expect(emulator.now().getTime()).toBeGreaterThan(before.getTime());
    expectTypeOf(emulator.now()).toEqualTypeOf<Date>();
  });
});

describe("a settled emulator", () => {
  it("has delivered what is due now, and what followed from it", async () => {
    const receiver = await ownReceiver();
    const emulator = await start({ forwardTo: receiver.url, events: ["charge.created", "charge.paid"] });
    receiver.respond = async ({ type, body }) => {
      if (type === "charge.created")
        await emulator.client["sandbox.charges.pay"]({ params: { id: body.data.object.id } });
      return {};
    };
    await charge(emulator);
    await emulator.settled();
    expect(receiver.received.map(({ type }) => type)).toEqual(["charge.created", "charge.paid"]);
    const statuses = (await emulator.deliveries()).map(({ eventType, status }) => [eventType, status]);
    expect(statuses).toEqual([
      ["charge.paid", "DELIVERED"],
      ["charge.created", "DELIVERED"],
    ]);
  });

  it("has not done what is due later", async () => {
    const emulator = await start({ frozen: true });
    const id = await charge(emulator, { expires_in: 60 });
    await emulator.settled();
    expect((await emulator.client["charges.get"]({ params: { id } })).status).toBe("pending");
  });
});

describe("waiting for an event", () => {
  it("accepts an event that was published before", async () => {
    const emulator = await start();
    const id = await charge(emulator);
    const event = await emulator.waitFor("charge.created");
    expect(event).toMatchObject({ object: "event", type: "charge.created", data: { object: { id } } });
    expectTypeOf(event.data.object.amount).toEqualTypeOf<number>();
    expectTypeOf(event.type).toEqualTypeOf<"charge.created">();
  });

  it("takes the newest of several, or that of the subject, in every form of its id", async () => {
    const emulator = await start();
    const [first, second] = [await charge(emulator), await charge(emulator)];
    expect((await emulator.waitFor("charge.created")).data.object.id).toBe(second);
    for (const subject of [first, first.replace("ch_", "tx_"), first.slice(3)]) {
      expect((await emulator.waitFor("charge.created", { subject })).data.object.id).toBe(first);
    }
  });

  it("ends when the event comes, and passes over others", async () => {
    const emulator = await start();
    const other = await charge(emulator);
    const id = await charge(emulator);
    const waiting = emulator.waitFor("payment.completed", { subject: id });
    await emulator.client["sandbox.charges.pay"]({ params: { id: other } });
    await emulator.client["sandbox.charges.pay"]({ params: { id } });
    const event = await waiting;
    expect(event.event).toBe("payment.completed");
    expect(event.data.transactionId).toBe(id.replace("ch_", "tx_"));
  });

  it("finds events of payouts and MED cases", async () => {
    const emulator = await start();
    const payout = await emulator.client["sandbox.payouts.create"]({ body: { amount: 5 } });
    expect((await emulator.waitFor("payout.created", { subject: payout.id })).data.object.id).toBe(payout.id);
    const id = await charge(emulator);
    await emulator.client["sandbox.charges.pay"]({ params: { id } });
    const opened = await emulator.client["sandbox.med.open"]({ body: { charge_id: id } });
    expect((await emulator.waitFor("med_case.created", { subject: opened.id })).data.object.id).toBe(opened.id);
  });

  it("fails with an error that names the event, the subject and the published events", async () => {
    const emulator = await start();
    const id = await charge(emulator);
    const error = await failureOf(emulator.waitFor("charge.paid", { subject: id, timeout: 20 }));
    expect(error).toBeInstanceOf(WaitTimeoutError);
    expect(error).toMatchObject({ eventType: "charge.paid", subject: id, timeoutMs: 20 });
    expect(error.message).toBe(
      `No event charge.paid about ${id} within 20 ms of real time. Reported so far about ${id}: ` +
        "charge.created, payment.created.",
    );
    const silent = await failureOf((await start()).waitFor("charge.paid", { timeout: "5ms" }));
    expect(silent.message).toBe("No event charge.paid within 5 ms of real time. Reported so far: no event at all.");
  });

  it("fails at once for an unknown event, option or value", async () => {
    const emulator = await start();
    const wait = emulator.waitFor as (...given: unknown[]) => Promise<unknown>;
    const message = async (...given: unknown[]) => (await failureOf(wait(...given))).message;
    expect(await message("charge.payed")).toBe('waitFor: there is no event "charge.payed"; did you mean charge.paid?');
    expect(await message(7)).toContain("waitFor: there is no event 7. There are charge.created, charge.paid,");
    expect(await message("charge.paid", { subjct: "ch_1" })).toBe(
      "waitFor has no option subjct: did you mean subject?",
    );
    expect(await message("charge.paid", { timeout: "5" })).toContain("timeout takes a duration such as 500ms");
    expect(await message("charge.paid", { subject: 5 })).toContain("subject takes the id of a charge");
    expect(await failureOf(wait("charge.paid", { subject: "order-7" }))).toMatchObject({ status: 400 });
  });

  it("ends when the emulator closes", async () => {
    const emulator = await start();
    const failed = failureOf(emulator.waitFor("charge.paid"));
    await emulator.close();
    expect((await failed).message).toBe("The emulator was closed.");
  });
});

describe("the deliveries of an emulator", () => {
  it("are an array of all, or of one subject", async () => {
    const receiver = await ownReceiver();
    const emulator = await start({ forwardTo: receiver.url, events: ["charge.created"] });
    expect(await emulator.deliveries()).toEqual([]);
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift(await charge(emulator));
    await emulator.settled();
    const all = await emulator.deliveries();
    expect(all.map(({ subject }) => subject)).toEqual(ids);
    const [one, ...others] = await emulator.deliveries({ subject: ids[1] });
    expect([one?.subject, others]).toEqual([ids[1], []]);
    expect(one).toMatchObject({ status: "DELIVERED", attempts: 1, url: receiver.url });
  });

  it("are refused with an unknown option", async () => {
    const wrong = { charge: "ch_1" } as object;
    const error = await failureOf((await start()).deliveries(wrong));
    expect(error.message).toBe("deliveries has no option charge. It has subject.");
  });
});

it("a reset keeps keys and forward target, and forgets everything else", async () => {
  const receiver = await ownReceiver();
  const emulator = await start({ forwardTo: receiver.url, startAt: "2026-01-31T12:00:00Z", frozen: true });
  const { client, forward } = emulator;
  await charge(emulator);
  await client["webhooks.endpoints.create"]({ body: { url: "http://127.0.0.1:9/", events: ["charge.paid"] } });
  await client["sandbox.faults.add"]({ body: { match: { path: "/v1/none" }, effect: { status: 500 } } });
  await emulator.advance("1d");
  await emulator.reset();

  expect((await client["payments.list"]()).total).toBe(0);
  expect(await emulator.deliveries()).toEqual([]);
  expect((await client["sandbox.faults.list"]()).data).toEqual([]);
  expect((await client["sandbox.clock.show"]()).now).toBe("2026-01-31T12:00:00.000Z");
  const { data } = await client["webhooks.endpoints.list"]();
  expect(data.map(({ id, url }) => [id, url])).toEqual([[forward?.endpointId, receiver.url]]);
  await charge(emulator);
  await emulator.settled();
  expect(receiver.received.at(-1)?.type).toBe("payment.created");
});

describe("an emulator that is not needed any more", () => {
  it("is closed once, however often close is called", async () => {
    const emulator = await createEmulator();
    await Promise.all([emulator.close(), emulator.close()]);
    await emulator.close();
    await expect(fetch(emulator.url)).rejects.toThrow();
  });

  it("is closed at the end of a block that disposes of it", async () => {
    const emulator = await createEmulator();
    expectTypeOf(emulator).toExtend<AsyncDisposable>();
    await emulator[Symbol.asyncDispose]();
    await expect(fetch(emulator.url)).rejects.toThrow();
  });
});

it("many emulators in one process do not see each other", async () => {
  const all = await Promise.all(Array.from({ length: 12 }, () => start()));
  expect(new Set(all.map(({ url }) => url)).size).toBe(12);
  const ids = await Promise.all(all.map((emulator) => charge(emulator)));
  const lists = await Promise.all(all.map(({ client }) => client["payments.list"]()));
  expect(lists.map(({ data }) => data.map(({ id }) => id.replace("tx_", "ch_")))).toEqual(ids.map((id) => [id]));
  const foreign = all[0]?.client["charges.get"]({ params: { id: ids[1] ?? "" } });
  await expect(foreign).rejects.toMatchObject({ status: 404 });
});
