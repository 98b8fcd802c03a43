import { expect, it } from "vitest";
import { chanceOf } from "./chance.js";
import { startHost } from "./host.js";
import { Simulation, type Tally } from "./simulation.js";
import { drawStep, type Step } from "./steps/index.js";
import { seamOfStorage } from "./storage.js";

/** Two short runs. CI takes many more steps: `npm run simulate`. */

const STEPS = 160;

/** What must have happened in these runs. */
const SEEN = [
  ...["kills in the middle", "failed writes", "requests that failed", "chaos: corrupt_signature", "faults: drop,after"],
  ...["refund", "advance a refund", "contest", "decide a case", "payout", "end a payout", "review"],
  ...["restore a snapshot", "resend a delivery", "ask for what belongs to others", "ask for a create again"],
];

it("the service does what the model says in any order of steps, and through failures and kills", async () => {
  const storage = seamOfStorage();
  const tally: Tally = new Map();
  try {
    for (const seed of [1, 200_004]) {
      const simulation = await Simulation.start(await startHost(seed, storage), tally);
      const chance = chanceOf(seed);
      let step: Step | null = null;
      try {
        for (let taken = 0; taken < STEPS; taken++) {
          step = drawStep(chance);
          // What replaces everything comes late, so that there is enough to lose.
          if (taken < STEPS - 40 && ["reset", "restore a snapshot"].includes(step.kind)) continue;
          await simulation.take(step);
        }
        await simulation.end();
      } catch (error) {
        throw new Error(`seed ${seed}: ${JSON.stringify(step)}: ${error}`);
      } finally {
        await simulation.close();
      }
    }
  } finally {
    storage.remove();
  }
  expect(SEEN.filter((what) => !tally.has(what))).toEqual([]);
});
