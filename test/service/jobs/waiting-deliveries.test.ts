import { expect, it, vi } from "vitest";
import { realTime } from "../../../src/base/platform/real-runtime.js";
import { PATIENCE } from "../../support/patience.js";
import { seededRuntime } from "../../support/seed.js";
import { ownEmulator, ownReceiver } from "../../support/shared.js";
import { subscribe } from "../../support/webhooks.js";

it("deliveries that are due and wait for a place set no timer", async () => {
  const waits: number[] = [];
  const after = (ms: number, callback: () => void) => {
    waits.push(ms);
    return realTime.after(ms, callback);
  };
  const runtime = { ...seededRuntime({ warn: () => undefined, error: () => undefined }), real: { ...realTime, after } };
  const emulator = await ownEmulator({ runtime });
  const receiver = await ownReceiver();
  let answer: () => void = () => undefined;
  receiver.respond = () => new Promise((resolve) => (answer = () => resolve({})));
  await subscribe(emulator, receiver.url, ["charge.created"]);
  await Promise.all(Array.from({ length: 5 }, () => emulator.charge()));
  await receiver.waitFor(1);
  waits.length = 0;
  for (let count = 0; count < 5; count++) await emulator.charge();
  for (let count = 0; count < 20; count++) await emulator.sandbox("/clock");
  expect(waits.filter((ms) => ms <= 1)).toEqual([]);
  receiver.respond = null;
  answer();
  await receiver.waitFor(10);
  await vi.waitFor(
    async () => expect((await emulator.call("GET", "/v1/webhooks/stats")).body.DELIVERED).toBe(10),
    PATIENCE,
  );
});
