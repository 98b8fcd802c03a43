import { afterEach, describe, expect, it } from "vitest";
import { createRuntime } from "../../../src/base/platform/real-runtime.js";
import type { EmulatorOptions } from "../../../src/programs/start/emulator.js";
import { tokenOf } from "../../support/access.js";
import { setChaos } from "../../support/chaos.js";
import type { Loose, TestEmulator } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import { refund } from "../../support/refunds.js";
import { ownEmulator, ownFolder, sharedReceiver } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";

/** `--random-seed`: the same ids, codes, keys and secrets in each run, whatever runs in the background. */

const KEY = "qa_test_of-both-starts";
const START = Date.parse("2026-06-01T12:00:00Z");
const receiver = sharedReceiver();
afterEach(() => {
  receiver.respond = null;
  receiver.received.length = 0;
});

const seeded = (options: EmulatorOptions = {}) =>
  ownEmulator({
    ...{ randomSeed: "a shop", frozen: true, startAt: START, ...options },
    runtime: createRuntime(
      { warn: console.warn, error: console.error },
      "randomSeed" in options ? options.randomSeed : "a shop",
    ),
  });

const raw = ({ id }: Loose) => id.slice("ch_".length);

/** Requests that a shop may send to the service. `meanwhile` is done between its requests, as by somebody who only looks. */
async function story(emulator: TestEmulator, meanwhile: () => Promise<unknown>) {
  const answers: Loose[] = [];
  const ask = async (work: Promise<Loose>) => {
    const answer = await work;
    answers.push(answer);
    await meanwhile();
    return answer;
  };
  await ask(subscribe(emulator, receiver.url, ["charge.created", "charge.paid", "payment.refunded"]));
  await setChaos(emulator, { duplicate: 0.5, unknown_fields: 0.5, corrupt_signature: 0.3 });
  for (const seconds of [0, 0, 1]) await ask(emulator.charge({ metadata: { _sandbox: { pay_after: seconds } } }));
  const charge = await ask(emulator.charge());
  await ask(emulator.sandbox(`/charges/${charge.id}/pay`, {}));
  await ask(refund(emulator, raw(charge), { amount: 90 }));
  await ask(emulator.sandbox("/accounts", { name: "Outra" }));
  await advance(emulator, 600);
  const contested = await ask(emulator.charge());
  await ask(emulator.sandbox(`/charges/${contested.id}/pay`, {}));
  await ask(openCase(emulator, { charge_id: contested.id }));
  await settle(emulator);
  const deliveries = (await emulator.sandbox("/webhooks/deliveries?limit=100")).data;
  const sent = receiver.received.map(({ headers, raw: body }) => [headers["x-qa-delivery-id"], body]);
  return {
    ...{ keys: [emulator.testKey, emulator.liveKey, emulator.signingSecret], users: emulator.users, answers },
    deliveries: deliveries.map(({ id, payload, attempts }: Loose) => [id, payload, attempts]).sort(),
    sent: sent.map((one) => JSON.stringify(one)).sort(),
  };
}

/** Requests of a person who looks on, and logins, which draw too. */
async function lookingOn(emulator: TestEmulator): Promise<void> {
  await emulator.call("GET", "/v1/payments");
  await tokenOf(emulator);
}

async function run(options: EmulatorOptions = {}, meanwhile: typeof lookingOn = async () => undefined) {
  receiver.received.length = 0;
  const emulator = await seeded(options);
  const told = await story(emulator, () => meanwhile(emulator));
  await emulator.close();
  // Addresses have the port, which differs.
  return JSON.parse(JSON.stringify(told).replaceAll(emulator.url, "http://emulator"));
}

describe("two runs with one seed", () => {
  it("are equal in every id, code, key, secret, password and webhook", async () => {
    const first = await run();
    expect(await run()).toEqual(first);
    expect(first.sent.length).toBeGreaterThan(8);
  });

  it("are equal when the receiver is slow, and when somebody looks on and logs in", async () => {
    const first = await run();
    let calls = 0;
    receiver.respond = async () => {
      // Every other answer comes some turns of the event loop later.
      calls += 1;
      for (let turn = 0; turn < (calls % 2) * 40; turn += 1) await new Promise(setImmediate);
      return { status: 204 };
    };
    expect(await run({}, lookingOn)).toEqual(first);
  });

  it("differ from those with another seed, and from those without one", async () => {
    const first = await run();
    for (const randomSeed of ["another", undefined]) {
      const other = await run({ randomSeed });
      const same = (one: Loose) => JSON.stringify(first).includes(JSON.stringify(one));
      expect([...other.keys, ...other.users.map(({ password }: Loose) => password)].some(same)).toBe(false);
    }
  });
});

it("login tokens and links of the console differ in each run", async () => {
  const secrets = async () => {
    const emulator = await seeded({ console: true });
    const made = [await tokenOf(emulator), emulator.consoleUrl?.split("k=").at(-1)];
    await emulator.close();
    return made;
  };
  const [first, second] = [await secrets(), await secrets()];
  expect(first.filter((one) => second.includes(one))).toEqual([]);
});

it("a second start on the same file creates other ids, so that none is used twice", async () => {
  const { db } = ownFolder();
  const first = await seeded({ db, testKey: KEY });
  const { id } = await first.charge();
  await first.close();
  const second = await seeded({ db, testKey: KEY, startAt: undefined });
  const again = await second.charge();
  expect(again.id).not.toBe(id);
  await second.close();
});

it("objects that are created at one instant are listed in the order of their creation", async () => {
  const emulator = await seeded();
  const made: string[] = [];
  for (let count = 0; count < 12; count += 1) made.push(raw(await emulator.charge()));
  const { data } = (await emulator.call("GET", "/v1/payments?limit=12")).body;
  expect(data.map(({ id }: Loose) => id.slice(3))).toEqual(made.toReversed());
});
