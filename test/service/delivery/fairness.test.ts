import { beforeEach, describe, expect, it, vi } from "vitest";
import { type PatientRuntime, patientRuntime } from "../../support/impatient.js";
import { PATIENCE } from "../../support/patience.js";
import type { Reply } from "../../support/receiver.js";
import { freshEmulator, freshReceiver } from "../../support/shared.js";
import { deliveries, subscribe } from "../../support/webhooks.js";

/** On this runtime no attempt ever times out by itself: whatever arrives here waited for none that hangs. */

let runtime: PatientRuntime;
let release: () => void;

const hanging = freshReceiver();
const healthy = freshReceiver();
const emulator = freshEmulator(() => {
  runtime = patientRuntime();
  return { frozen: true, runtime };
});
beforeEach(hang);

/** Makes `hanging` hold every request back until `release` is called. */
function hang(): void {
  const held: ((reply: Reply) => void)[] = [];
  hanging.respond = () => new Promise((resolve) => held.push(resolve));
  release = () => {
    hanging.respond = null;
    for (const answer of held.splice(0)) answer({});
  };
}

/** Endpoints of their own at the receiver that hangs. */
async function subscribeHanging(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await subscribe(emulator, `${hanging.url}/${n}`, ["charge.created"]);
}

/** Comes back when the receiver that hangs has so many requests. */
const asked = (count: number) => vi.waitFor(() => expect(hanging.received).toHaveLength(count), PATIENCE);

/** From now on a webhook to the receiver that answers makes it create the next charge. */
function chain(): void {
  healthy.respond = async () => {
    await emulator.charge();
    return {};
  };
}

/** Ends the chain, and comes back when its last webhook was answered. */
async function rest(): Promise<void> {
  healthy.respond = null;
  await emulator.sandbox("/clock/advance", { seconds: 0 });
}

const charges = (count: number) => Promise.all(Array.from({ length: count }, () => emulator.charge()));

describe("endpoints that hang", () => {
  it("from the first attempt on do not hold up one that answers, however many they are", async () => {
    await subscribeHanging(200);
    await subscribe(emulator, healthy.url, ["charge.created"]);
    await charges(20);
    await healthy.waitFor(20);
    await asked(200);
  });

  it("after they have answered before do not hold it up either", async () => {
    await subscribeHanging(40);
    await subscribe(emulator, healthy.url, ["charge.created"]);
    release();
    await charges(1);
    await Promise.all([healthy.waitFor(1), hanging.waitFor(40)]);
    await emulator.sandbox("/clock/advance", { seconds: 0 });
    hang();
    await charges(30);
    await healthy.waitFor(31);
    await charges(30);
    await healthy.waitFor(61);
  });

  it("get one delivery at a time until they answer, and then many", async () => {
    await subscribeHanging(1);
    await subscribe(emulator, healthy.url, ["charge.created"]);
    await charges(10);
    await healthy.waitFor(10);
    expect(hanging.received).toHaveLength(1);
    release();
    await hanging.waitFor(10);
    hang();
    await charges(10);
    // Ten at once, as it has answered meanwhile.
    await asked(20);
  });
});

describe("a journey of the clock", () => {
  it("waits 30 seconds for a receiver once, and one second in each later attempt", async () => {
    await subscribeHanging(3);
    runtime.letTimePass();
    await emulator.charge();
    await emulator.sandbox("/clock/advance", { seconds: 200_000 });
    const all = await deliveries(emulator);
    expect(all.map(({ status, attempts }) => [status, attempts])).toEqual(Array(3).fill(["FAILED", 15]));
    expect(all[0].lastError).toBe("no answer within 1 second");
    expect([runtime.countLimits(30_000), runtime.countLimits(1_000)]).toEqual([3, 3 * 14]);
  });

  it("ends although the receiver creates the next charge at each webhook", async () => {
    await subscribe(emulator, healthy.url, ["charge.created"]);
    const { id } = await emulator.charge({ expires_in: 60 });
    chain();
    await emulator.charge();
    const journey = emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 120 } });
    await healthy.waitFor(20);
    expect(runtime.countLimits(10_000)).toBe(1);
    runtime.letTimePass(10_000);
    expect((await journey).status).toBe(200);
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("expired");
    await rest();
  });

  it("waits for the work that becomes due, however long requests add to it", async () => {
    await subscribe(emulator, healthy.url, ["charge.created"]);
    await subscribe(emulator, hanging.url, ["charge.expired"]);
    const { id } = await emulator.charge({ expires_in: 60 });
    await emulator.sandbox("/clock/advance", { seconds: 0 });
    chain();
    const journey = emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 120 } });
    await asked(1);
    await emulator.charge();
    await healthy.waitFor(20);
    runtime.letTimePass(10_000);
    await healthy.waitFor(50);
    const { now } = await emulator.sandbox("/clock");
    expect((await emulator.call("GET", `/v1/charges/${id}`)).body.status).toBe("expired");
    release();
    expect(Date.parse((await journey).body.now) - Date.parse(now)).toBe(60_000);
    await rest();
  });

  it.each(["reset", "restore"])("is ended by a %s, which answers at once", async (how) => {
    await emulator.sandbox("/snapshots", { name: "before" });
    await subscribeHanging(4);
    await emulator.charge();
    await asked(4);
    const journey = emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 86_400 } });
    // A second one waits its turn.
    const next = emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 60 } });
    while (runtime.countLimits(30_000) < 4) await emulator.sandbox("/clock");
    const path = how === "reset" ? "/_sandbox/reset" : "/_sandbox/snapshots/before/restore";
    const { status } = await emulator.call("POST", path);
    expect(status).toBeLessThan(300);
    for (const { status: ended, body } of [await journey, await next]) {
      expect([ended, body.error.code]).toEqual([503, "service_unavailable"]);
      expect(body.error.message).toContain("ended by a reset, a restore or the end of the server");
    }
    expect(await deliveries(emulator)).toEqual([]);
    // The places that the attempts had are free again.
    release();
    await subscribe(emulator, healthy.url, ["charge.created"]);
    await emulator.charge();
    await healthy.waitFor(1);
  });

  it("is ended by the end of the server, and goes on with what was pending after the next start", async () => {
    await subscribeHanging(4);
    await emulator.charge();
    await asked(4);
    const journey = emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 86_400 } });
    await emulator.sandbox("/clock");
    const closed = emulator.close();
    expect((await journey).status).toBe(503);
    await closed;
  });
});
