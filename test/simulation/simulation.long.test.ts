import { expect, it } from "vitest";
import { chanceOf } from "./chance.js";
import { startHost } from "./host.js";
import { Simulation, type Tally } from "./simulation.js";
import { drawStep, type Step } from "./steps/index.js";
import { seamOfStorage } from "./storage.js";

/** A short run. CI takes many more steps: `npm run simulate`. */

/** A seed with which so many steps hold everything in `SEEN`. */
const SEED = 4019;
const STEPS = 170;

/** Counts of a run that must not be zero. */
const SEEN = [
  ...["kills in the middle", "failed writes", "requests that failed", "chaos: corrupt_signature", "faults: drop,after"],
  ...["refund", "advance a refund", "contest", "decide a case", "payout", "end a payout", "review"],
  ...["restore a snapshot", "resend a delivery", "ask for what belongs to others", "ask for a create again"],
];

it("the service does what the model says in any order of steps, and through failures and kills", async () => {
  const storage = seamOfStorage();
  const tally: Tally = new Map();
  const simulation = await Simulation.start(await startHost(SEED, storage), tally);
  const chance = chanceOf(SEED);
  let step: Step | null = null;
  try {
    for (let taken = 0; taken < STEPS; taken++) {
      step = drawStep(chance);
      // A step that replaces everything comes late, so that there is enough to lose.
      if (taken < STEPS - 40 && ["reset", "restore a snapshot"].includes(step.kind)) continue;
      await simulation.take(step);
    }
    await simulation.end();
  } catch (error) {
    throw new Error(`${JSON.stringify(step)}: ${error}`);
  } finally {
    await simulation.close();
    storage.remove();
  }
  expect(SEEN.filter((what) => !tally.has(what))).toEqual([]);
});
