import fc from "fast-check";
import { expect, it } from "vitest";
import { chanceOf } from "../../simulation/chance.js";
import { chanceRuntime, judge, setChaos, untilTheEnd } from "../../support/chaos.js";
import type { Loose } from "../../support/emulator.js";
import { openCase } from "../../support/med.js";
import type { Receiver } from "../../support/receiver.js";
import { sharedEmulator, sharedReceiver } from "../../support/shared.js";
import { advance, deliveries, subscribe } from "../../support/webhooks.js";

/** Whatever goes wrong on purpose, no published event is lost by it, and no case is lost by an unpublished one. */

const EVENTS = ["charge.created", "charge.paid", "payment.created", "payment.completed", "med_case.created"];

const chance = chanceRuntime();
const emulator = sharedEmulator({ frozen: true, runtime: chance, maxAttempts: 4 });
const receivers = [sharedReceiver(), sharedReceiver()];

const probability = fc.constantFrom(0, 0.1, 0.5, 0.9, 1);
/** At 1 no attempt is ever right: that is asked for, and loses. */
const belowOne = fc.constantFrom(0, 0.1, 0.5, 0.9);
const settings = fc.record({
  duplicate: probability,
  reorder: probability,
  delay_ms: fc.constantFrom(0, 1, 15_000, 3_600_000),
  corrupt_signature: belowOne,
  stale_timestamp: belowOne,
  lose_med: probability,
});
/** Charges, each with how far it gets and how many seconds pass after it. */
const steps = fc.array(
  fc.record({ becomes: fc.constantFrom("created", "paid", "disputed"), wait: fc.constantFrom(0, 1, 29, 31) }),
  { minLength: 1, maxLength: 4 },
);

/** Refuses what is not signed as it should be; remembers the deliveries that it accepted. */
function strict(receiver: Receiver, secret: string): Set<string> {
  const accepted = new Set<string>();
  receiver.received.length = 0;
  receiver.respond = (request) => {
    if (judge(request, secret, Date.now()) !== "good") return { status: 401 };
    accepted.add(String(request.headers["x-qa-delivery-id"]));
    return { status: 204 };
  };
  return accepted;
}

/** Answers how many cases were opened. */
async function live(given: Loose[]): Promise<number> {
  let cases = 0;
  for (const { becomes, wait } of given) {
    if (becomes === "disputed") {
      await openCase(emulator);
      cases += 1;
    } else {
      const { id } = await emulator.charge();
      if (becomes === "paid") await emulator.sandbox(`/charges/${id}/pay`);
    }
    await advance(emulator, wait);
  }
  return cases;
}

it("every event arrives with a good signature, at every endpoint that refuses bad ones", async () => {
  await fc.assert(
    fc.asyncProperty(settings, steps, fc.integer(), async (chaos, given, seed) => {
      await emulator.sandbox("/reset");
      chance.draw = chanceOf(seed).fraction;
      const accepted: Set<string>[] = [];
      for (const receiver of receivers) {
        const { secret } = await subscribe(emulator, receiver.url, EVENTS);
        accepted.push(strict(receiver, secret));
      }
      await setChaos(emulator, chaos);
      const cases = await live(given);
      await untilTheEnd(emulator);
      const all = await deliveries(emulator, "?limit=100");
      expect(all.length).toBeGreaterThanOrEqual(4);
      for (const { status, attempts } of all) expect([status, attempts <= 4]).toEqual(["DELIVERED", true]);
      const heard = accepted.flatMap((ids) => [...ids]);
      expect(heard.sort()).toEqual(all.map(({ id }) => id).sort());
      const published = (await emulator.sandbox("/events?type=med_case.created&limit=100")).data.length;
      if (chaos.lose_med === 0) expect(published).toBe(cases);
      if (chaos.lose_med === 1) expect(published).toBe(0);
      expect((await emulator.call("GET", "/v1/med/cases?limit=100")).body.data).toHaveLength(cases);
      // The record counts attempts; what came besides them was sent twice on purpose.
      const recorded = all.reduce((sum, { attempts }) => sum + attempts, 0);
      const extra = receivers.reduce((sum, { received }) => sum + received.length, 0) - recorded;
      expect(extra).toBeGreaterThanOrEqual(0);
      expect(extra).toBeLessThanOrEqual(chaos.duplicate === 0 ? 0 : all.length);
      if (chaos.duplicate === 1) expect(extra).toBe(all.length);
    }),
    { numRuns: 20 },
  );
});
