import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEmulator, type TestEmulator } from "../../support/emulator.js";
import { newFolder } from "../../support/folder.js";
import { seededRuntime } from "../../support/seed.js";
import { fresh, ownEmulator, sharedReceiver } from "../../support/shared.js";
import { openFile } from "../../support/sqlite.js";
import { subscribe } from "../../support/webhooks.js";

/** docs/decisions/075-time-never-goes-back.md */

const START = Date.parse("2026-11-21T12:00:00Z");
const HOUR = 3_600_000;

describe("the speed of the clock", () => {
  const folder = fresh(newFolder);
  const machine = { at: START };
  const warnings: string[] = [];
  let emulator: TestEmulator;
  const start = async (more: object = {}) => {
    const runtime = seededRuntime({ warn: (text) => void warnings.push(text), error: console.error });
    const real = { ...runtime.real, epoch: () => machine.at };
    emulator = await startEmulator({
      db: folder.db,
      testKey: "qa_test_fast-clock",
      runtime: { ...runtime, real },
      ...more,
    });
  };
  const restart = async (more: object = {}) => {
    await emulator.close();
    await start(more);
  };
  const show = () => emulator.sandbox("/clock");
  const shown = async () => Date.parse((await show()).now);
  const setSpeed = (factor: unknown) => emulator.call("POST", "/_sandbox/clock/speed", { body: { factor } });
  beforeEach(async () => {
    machine.at = START;
    warnings.length = 0;
    await start();
  });
  afterEach(async () => {
    await emulator.close();
  });

  it("is 1 at first, and from a change on the clock goes so many times as fast, without a jump", async () => {
    expect(await show()).toEqual({ now: new Date(START).toISOString(), frozen: false, speed: 1 });
    machine.at += 1_000;
    const answer = await setSpeed(60);
    expect(answer).toMatchObject({ status: 200, body: { now: "2026-11-21T12:00:01.000Z", frozen: false, speed: 60 } });
    machine.at += 1_000;
    expect(await shown()).toBe(START + 1_000 + 60_000);
    await setSpeed(1);
    machine.at += 1_000;
    expect(await shown()).toBe(START + 1_000 + 60_000 + 1_000);
  });

  it.each([0, -1, 1.5, 100_001, "60", null, undefined])(
    "is not %j, and the clock goes on as before",
    async (factor) => {
      await setSpeed(10);
      const refused = await setSpeed(factor);
      expect([refused.status, refused.body.error.param]).toEqual([400, "factor"]);
      machine.at += 1_000;
      expect([await shown(), (await show()).speed]).toEqual([START + 10_000, 10]);
    },
  );

  it("stays through freeze, advance, resume and reset", async () => {
    await setSpeed(100);
    await emulator.sandbox("/clock/freeze");
    machine.at += HOUR;
    expect(await show()).toEqual({ now: new Date(START).toISOString(), frozen: true, speed: 100 });
    await emulator.sandbox("/clock/advance", { seconds: 60 });
    await emulator.sandbox("/clock/resume");
    machine.at += 1_000;
    expect([await shown(), (await show()).speed]).toEqual([START + 60_000 + 100_000, 100]);
    await emulator.sandbox("/reset");
    const reset = machine.at;
    machine.at += 1_000;
    expect([await shown(), (await show()).speed]).toEqual([reset + 100_000, 100]);
  });

  it("stays through a restart, and while the server is stopped the clock goes on as fast as real time", async () => {
    await setSpeed(100);
    machine.at += 1_000;
    await emulator.close();
    machine.at += HOUR;
    await start();
    expect([await shown(), (await show()).speed]).toEqual([START + 100_000 + HOUR, 100]);
    machine.at += 1_000;
    expect(await shown()).toBe(START + 100_000 + HOUR + 100_000);
  });

  it("is that of the option where one is set", async () => {
    await restart({ clockSpeed: 50 });
    machine.at += 1_000;
    expect([await shown(), (await show()).speed]).toEqual([START + 50_000, 50]);
    await restart({ clockSpeed: 1 });
    expect((await show()).speed).toBe(1);
  });

  it("belongs to a snapshot, which does not age faster than real time", async () => {
    await setSpeed(100);
    await emulator.sandbox("/snapshots", { name: "fast" });
    await setSpeed(7);
    machine.at += HOUR;
    await emulator.call("POST", "/_sandbox/snapshots/fast/restore");
    expect([await shown(), (await show()).speed]).toEqual([START + HOUR, 100]);
  });

  it("leaves no wrong warning behind when the server was killed", async () => {
    await setSpeed(1_000);
    machine.at += 60_000;
    await emulator.charge();
    const killed = join(folder.path, "killed.db");
    const copy = openFile(folder.db);
    copy.prepare("VACUUM INTO ?").run(killed);
    copy.close();
    await restart({ db: killed });
    expect([await shown(), (await show()).speed]).toEqual([START + 60_000_000, 1_000]);
    expect(warnings).toEqual([]);
  });

  it("is in the timeline", async () => {
    const { id } = await emulator.charge();
    await setSpeed(60);
    const { items } = await emulator.sandbox(`/timeline/${id}`);
    expect(items.at(-1)).toMatchObject({ kind: "clock", code: "clock.speed", text: "the clock goes 60 times as fast" });
  });
});

describe("with a fast clock", () => {
  const receiver = sharedReceiver();

  it("due work runs sooner in real time: an expiry, and the retries of a webhook", async () => {
    const fast = await ownEmulator({ clockSpeed: 100_000 });
    let answers = 0;
    receiver.respond = () => {
      answers += 1;
      return { status: answers < 4 ? 503 : 200 };
    };
    await subscribe(fast, receiver.url, ["charge.expired"]);
    const { id } = await fast.charge({ expires_in: 86_400 });
    await expect.poll(async () => (await fast.call("GET", `/v1/charges/${id}`)).body.status).toBe("expired");
    // The fourth attempt comes 70 emulated seconds after the first.
    await expect.poll(() => receiver.received.length).toBe(4);
  });
});
