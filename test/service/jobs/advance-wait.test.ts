import { expect, it } from "vitest";
import { AdvanceWait } from "../../../src/service/jobs/advance-wait.js";
import { type PatientRuntime, patientRuntime } from "../../support/impatient.js";
import { freshEmulator } from "../../support/shared.js";

/** Requests that make work due as fast as an advance of the clock can do it. */

let runtime: PatientRuntime;
const emulator = freshEmulator(() => {
  runtime = patientRuntime();
  return { frozen: true, runtime };
});

const PAID_AT_ONCE = { metadata: { _sandbox: { pay_after: 0 } } };

/** Clients of which each creates its next charge, paid at once, as soon as the one before is created. */
function clients(count: number) {
  let isOver = false;
  const client = async () => {
    while (!isOver) await emulator.charge(PAID_AT_ONCE);
  };
  const all = Promise.all(Array.from({ length: count }, client));
  return () => {
    isOver = true;
    return all;
  };
}

it("wake whoever waits for the limit last, also when it began before that", () => {
  const wait = new AdvanceWait(runtime.real, 0);
  const woken: string[] = [];
  wait.startGracePeriod(() => void woken.push("jobs"));
  wait.startGracePeriod(() => void woken.push("deliveries"));
  runtime.letTimePass(10_000);
  expect([wait.isOver, woken]).toEqual([true, ["deliveries"]]);
});

it("hold the clock for a limited time, and are then left behind", async () => {
  const own = await emulator.charge({ metadata: { _sandbox: { pay_after: 60 } } });
  const rest = clients(32);
  const journey = emulator.call("POST", "/_sandbox/clock/advance", { body: { seconds: 120 } });
  while (runtime.countLimits(10_000) === 0) await emulator.sandbox("/clock");
  runtime.letTimePass();
  expect((await journey).status).toBe(200);
  expect((await emulator.call("GET", `/v1/charges/${own.id}`)).body.status).toBe("paid");
  await rest();
});
