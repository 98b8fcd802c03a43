import fc from "fast-check";
import { expect, it } from "vitest";
import type { Loose } from "../../support/emulator.js";
import { postRefund } from "../../support/refunds.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, settle, subscribe } from "../../support/webhooks.js";

/** For every earlier sequence of requests, an advance does the work that was due and the work that follows from it. */

const emulator = sharedEmulator({
  frozen: true,
  settlementHoldMs: 40_000,
  acquirerDelayMs: 3_000,
  refundDelayMs: 7_000,
  maxAttempts: 4,
});
const receiver = sharedReceiver();

const which = fc.nat({ max: 5 });
const seconds = fc.integer({ min: 0, max: 90 });
const step = fc.oneof(
  fc.record({
    do: fc.constant("charge" as const),
    expires_in: fc.integer({ min: 60, max: 120 }),
    scenario: fc.record({ pay_after: seconds, med_after: seconds }, { requiredKeys: [] }),
  }),
  fc.record({ do: fc.constantFrom("pay" as const, "fail" as const, "dispute" as const, "refund" as const), which }),
  fc.record({ do: fc.constant("wait" as const), seconds }),
);
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

async function take(one: Step, charges: string[]): Promise<void> {
  if (one.do === "charge") {
    const { expires_in, scenario } = one;
    charges.push((await emulator.charge({ expires_in, metadata: { _sandbox: scenario } })).id);
    return;
  }
  if (one.do === "wait") return void (await advance(emulator, one.seconds));
  const id = charges[one.which % Math.max(1, charges.length)];
  if (id === undefined) return;
  // Any of these may be refused, as the charge may be in any state.
  if (one.do === "refund") await postRefund(emulator, id.slice(3), { amount: 10 });
  else if (one.do === "dispute") await emulator.call("POST", "/_sandbox/med-cases", { body: { charge_id: id } });
  else await emulator.call("POST", `/_sandbox/charges/${id}/${one.do}`);
}

async function dueUntil(until: string): Promise<Loose[]> {
  const { data, has_more } = (await emulator.call("GET", `/_sandbox/clock/due?limit=100&until=${until}`)).body;
  expect(has_more).toBe(false);
  return data;
}

const lines = (entries: Loose[]) => entries.map(({ at, kind, subject, text }) => `${at} ${kind} ${subject} ${text}`);

it("is reported as it was due, except work that was created or lost its effect during the advance", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, further, failing) => {
        await emulator.sandbox("/reset");
        receiver.respond = () => ({ status: receiver.received.length % failing === 0 ? 500 : 204 });
        await subscribe(emulator, receiver.url, ["charge.created", "charge.paid", "payment.refunded"]);
        const charges: string[] = [];
        for (const one of steps) await take(one, charges);
        const { now } = await settle(emulator);
        const until = new Date(Date.parse(now) + further * 1_000).toISOString();
        const before = lines(await dueUntil(until));
        const { ran, ran_count } = await advance(emulator, further);
        expect(ran).toHaveLength(ran_count);
        const known = lines(ran.filter(({ made_on_the_way }: Loose) => !made_on_the_way));
        const made = lines(ran.filter(({ made_on_the_way }: Loose) => made_on_the_way));
        expect(before).toEqual(expect.arrayContaining(known));
        expect(new Set(known).size).toBe(known.length);
        expect(made.filter((line) => before.includes(line))).toEqual([]);
        // Due work that was not done has lost its effect through other work that was done.
        const lost = before.filter((line) => !known.includes(line));
        for (const line of lost) expect(line).toMatch(/ (transaction\.(expire|pay|finalise)|med\.open) ch_/);
        for (const line of lost) expect(ran.map(({ subject }: Loose) => subject)).toContain(line.split(" ")[2]);
        expect(await dueUntil(until)).toEqual([]);
      },
    ),
    { numRuns: 25 },
  );
});
