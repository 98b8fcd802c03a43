import { describe, expect, it } from "vitest";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { setChaos } from "../../support/chaos.js";
import { ownEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, hmac, signatureParts, subscribe } from "../../support/webhooks.js";

/** Whose time a canonical signature has: the machine's, or with `--signature-time emulated` that of the emulated clock. */

const receiver = sharedReceiver();
const START = Date.UTC(2026, 5, 1, 12);

/** An emulator on a machine whose clock moves only when the test moves it, with an endpoint that refuses everything. */
async function started({ randomSeed, ...options }: EmulatorOptions = {}) {
  receiver.received.length = 0;
  receiver.respond = () => ({ status: 500 });
  const machine = { at: START + 250 };
  const now = () => machine.at;
  const runtime = createRuntime({ warn: console.warn, error: console.error }, randomSeed);
  const emulator = await ownEmulator({
    ...{ frozen: true, maxAttempts: 4, randomSeed, ...options },
    runtime: { ...runtime, real: { ...runtime.real, epoch: now, readShownTime: now } },
  });
  const { secret } = await subscribe(emulator, receiver.url, ["charge.created"]);
  return { emulator, machine, secret };
}

/** The instants of the signatures, in seconds after the start. */
function times(): number[] {
  return receiver.received.map(({ headers }) => signatureParts(headers["x-qa-signature"]).t - START / 1_000);
}

it("is that of the machine at each attempt, however far the emulated clock is", async () => {
  const { emulator, machine, secret } = await started();
  await advance(emulator, 365 * 86_400);
  await emulator.charge();
  await advance(emulator, 0);
  for (const [retry, seconds] of [
    [10, 7],
    [20, 0],
    [40, 86_400],
  ] as const) {
    machine.at += seconds * 1_000;
    await advance(emulator, retry);
  }
  expect(times()).toEqual([0, 7, 7, 86_407]);
  for (const { headers, raw } of receiver.received) {
    const { t, v1 } = signatureParts(headers["x-qa-signature"]);
    expect(v1).toBe(hmac(secret, `${t}.${raw}`));
  }
});

it.each([
  ["behind", { startAt: Date.UTC(2020, 0, 1) }],
  ["ahead", { startAt: Date.UTC(2031, 0, 1) }],
  ["running and ahead", { startAt: Date.UTC(2031, 0, 1), frozen: false }],
])("is that of the machine when the emulated clock is %s", async (_where, options) => {
  const { emulator } = await started(options);
  await emulator.charge();
  await advance(emulator, 0);
  expect(times()).toEqual([0]);
});

it("of a resend and of what a collector takes is that of the machine, too", async () => {
  const { emulator, machine } = await started();
  const collected: number[] = [];
  emulator.onCollected(({ headers }) => collected.push(signatureParts(headers["x-qa-signature"]).t - START / 1_000));
  await emulator.sandbox("/collectors", { events: ["charge.created"] });
  await emulator.charge();
  await advance(emulator, 86_400);
  const { data } = await emulator.sandbox("/webhooks/deliveries?status=FAILED");
  machine.at += 60_000;
  receiver.received.length = 0;
  await emulator.sandbox(`/webhooks/deliveries/${data[0].id}/resend`, {});
  await advance(emulator, 0);
  expect(times()).toEqual([60]);
  expect(collected).toEqual([0]);
});

it("of a stale webhook is eleven minutes before that of the machine", async () => {
  const { emulator } = await started();
  await setChaos(emulator, { stale_timestamp: 1 });
  await advance(emulator, 86_400);
  await emulator.charge();
  await advance(emulator, 0);
  expect(times()).toEqual([-660]);
});

describe("emulated", () => {
  const settings = { signatureTime: "emulated" } as const;

  it.each([
    ["asked for", settings],
    ["the default with a seed", { randomSeed: "a shop" }],
  ])("%s: it is the emulated time of each attempt", async (_why, options) => {
    const { emulator } = await started({ ...options, startAt: START + 86_400_000 });
    await emulator.charge();
    await advance(emulator, 0);
    await advance(emulator, 10);
    await setChaos(emulator, { stale_timestamp: 1 });
    await advance(emulator, 20);
    expect(times()).toEqual([86_400, 86_410, 86_430 - 660]);
  });

  it("with a seed, --signature-time machine is possible", async () => {
    const { emulator } = await started({ randomSeed: "a shop", signatureTime: "machine" });
    await advance(emulator, 86_400);
    await emulator.charge();
    await advance(emulator, 0);
    expect(times()).toEqual([0]);
  });
});
