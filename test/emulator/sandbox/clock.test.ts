import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { ownEmulator, ownReceiver, shared, sharedEmulator } from "../../support/shared.js";

const emulator = sharedEmulator({ frozen: true });
const folder = shared(newFolder);

afterEach(async () => {
  await emulator.sandbox("/reset");
});

const show = (on = emulator) => on.sandbox("/clock");
const plus = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString();
const move = (body: unknown, on = emulator) => on.call("POST", "/_sandbox/clock/advance", { body });

describe("the clock", () => {
  it("is shown on its own route and as part of the emulator's state", async () => {
    const clock = await show();
    expect(clock).toStrictEqual({ now: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/), frozen: true, speed: 1 });
    const root = (await emulator.call("GET", "/_sandbox")).body;
    expect(root).toStrictEqual({ emulator: "qa-pay", version: expect.any(String), now: clock.now, mode: "test" });
    expect((await emulator.call("GET", "/_sandbox", { key: emulator.live })).body.mode).toBe("live");
  });

  it("counts what happened in a book by kind and minute, the latest first", async () => {
    const { now } = await show();
    const { id } = await emulator.charge();
    await emulator.charge();
    await move({ seconds: 120 });
    await emulator.sandbox(`/charges/${id}/pay`, {});
    const counts = async (key = emulator.key) =>
      (await emulator.call("GET", "/_sandbox/clock/past", { key })).body.data;
    const all: Loose[] = await counts();
    expect(all).toContainEqual({ at: now, kind: "transaction.create", count: 2 });
    expect(all).toContainEqual({ at: plus(now, 120_000), kind: "transaction.settle", count: 1 });
    expect(all.map(({ at }) => at)).toEqual(
      all
        .map(({ at }) => at)
        .sort()
        .reverse(),
    );
    expect(await counts(emulator.live)).toEqual([]);
  });

  it("counts webhooks that failed for good", async () => {
    const receiver = await ownReceiver();
    receiver.respond = () => ({ status: 500 });
    const own = await ownEmulator({ frozen: true, maxAttempts: 1 });
    const body = { url: receiver.url, events: ["charge.created"] };
    await own.call("POST", "/v1/webhooks/endpoints", { body });
    await own.charge();
    const { now } = await own.sandbox("/clock/advance", { seconds: 0 });
    const { data } = (await own.call("GET", "/_sandbox/clock/past")).body;
    expect(data).toContainEqual({ at: now, kind: "delivery.give_up", count: 1 });
  });

  it("stands still while it is frozen", async () => {
    const { now } = await show();
    const charge = await emulator.charge();
    expect([charge.created_at, (await show()).now]).toEqual([now, now]);
  });

  it("runs on from its frozen time when it is resumed, and can be frozen again", async () => {
    const { now } = await emulator.sandbox("/clock/advance", { seconds: 1_000_000 });
    const resumed = await emulator.sandbox("/clock/resume");
    expect(resumed.frozen).toBe(false);
    const later = Date.parse((await show()).now) - Date.parse(now);
    expect(later).toBeGreaterThanOrEqual(0);
    expect(later).toBeLessThan(60_000);
    const frozen = await emulator.sandbox("/clock/freeze");
    expect(frozen.frozen).toBe(true);
    expect(await show()).toEqual(frozen);
  });
});

describe("advancing", () => {
  it.each([0, 0.001, 1, 59.999, 86_400, 31_557_600])("by %d seconds", async (seconds) => {
    const { now } = await show();
    const answer = await move({ seconds });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({
      now: plus(now, seconds * 1_000),
      frozen: true,
      speed: 1,
      ran: [],
      ran_count: 0,
    });
  });

  it("moves the clock to an instant that is written with any time zone offset", async () => {
    const { now } = await show();
    const target = plus(now, 90_061_000);
    expect((await move({ to: target })).body).toMatchObject({ now: target, frozen: true });
    const local = plus(target, 3_600_000 - 3 * 3_600_000).replace("Z", "-03:00");
    expect((await move({ to: local })).body.now).toBe(plus(target, 3_600_000));
    expect((await move({ to: plus(target, 3_600_000) })).status).toBe(200);
  });

  it("can reach the last valid instant, and is refused beyond it", async () => {
    expect((await move({ to: "9999-12-31T23:59:59.999Z" })).status).toBe(200);
    const beyond = await move({ seconds: 0.001 });
    expect([beyond.status, beyond.body.error.param]).toEqual([400, "seconds"]);
  });

  it("leaves a running clock running", async () => {
    await emulator.sandbox("/clock/resume");
    const { now } = await show();
    const answer = await move({ seconds: 3_600 });
    expect(answer.body.frozen).toBe(false);
    expect(Date.parse(answer.body.now) - Date.parse(now)).toBeGreaterThanOrEqual(3_600_000);
  });

  it("shows a running clock as running while the advance is not finished", async () => {
    const receiver = await ownReceiver();
    const running = await ownEmulator({ forwardTo: receiver.url, events: ["charge.paid"] });
    const shown: Promise<Loose>[] = [];
    receiver.respond = async () => {
      shown.push(show(running));
      await shown[0];
      return {};
    };
    await running.charge({ metadata: { _sandbox: { pay_after: 60 } } });
    await move({ seconds: 3_600 }, running);
    expect(await shown[0]).toMatchObject({ frozen: false });
  });

  it.each([
    ["nothing", {}, undefined],
    ["both", { seconds: 1, to: "2100-01-01T00:00:00Z" }, undefined],
    ["an instant before now", { to: "2020-01-01T00:00:00Z" }, "to"],
    ["an instant after 9999", { to: "+010000-01-01T00:00:00Z" }, "to"],
    ["no instant", { to: "tomorrow" }, "to"],
    ["an instant without offset", { to: "2100-01-01T00:00:00" }, "to"],
    ["a day that does not exist", { to: "2100-02-30T00:00:00Z" }, "to"],
  ])("is refused with %s, and the clock does not move", async (_what, body, param) => {
    const before = await show();
    const answer = await move(body);
    expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_request"]);
    if (param !== undefined) expect(answer.body.error.param).toBe(param);
    expect(await show()).toEqual(before);
  });

  it("does advances that are requested at the same moment one after the other", async () => {
    const { now } = await show();
    await Promise.all(Array.from({ length: 5 }, () => move({ to: plus(now, 10_000) })));
    expect((await show()).now).toBe(plus(now, 10_000));
  });
});

describe("a restart", () => {
  const again = (db: string) => ownEmulator({ db, testKey: "qa_test_clock-restart" });

  it("with --frozen freezes a clock that was running", async () => {
    const db = join(folder.path, "later-frozen.db");
    const first = await again(db);
    await first.close();
    const second = await ownEmulator({ db, testKey: "qa_test_clock-restart", frozen: true });
    expect((await show(second)).frozen).toBe(true);
  });
});

it("two changes of time at once happen one after the other: a freeze during an advance holds after the advance", async () => {
  const emulator = await ownEmulator();
  for (let n = 0; n < 20; n++) await emulator.charge({ expires_in: 60 + n });
  const journey = emulator.sandbox("/clock/advance", { seconds: 600 });
  const [, frozen] = await Promise.all([journey, emulator.sandbox("/clock/freeze")]);
  expect(frozen.frozen).toBe(true);
  expect((await emulator.sandbox("/clock")).frozen).toBe(true);
});
