import type { Place } from "../support/binary.js";
import { type Chance, chanceOf } from "./chance.js";
import { startProcess } from "./process-host.js";
import { Simulation, type Tally } from "./simulation.js";
import { drawKind, drawStep, type Step } from "./steps/index.js";

/** A run of the simulation against the built command, which is killed again and again. */

/** The kinds of steps that kills take turns to interrupt, and about the milliseconds that each takes. */
const AIMS = {
  "restore a snapshot": 40,
  "upload evidence": 10,
  "advance the clock": 30,
  reset: 8,
  "save a snapshot": 8,
  "add an account": 150,
};
/** Steps between two kills, and steps that may be under way at a kill, which take about so many milliseconds. */
const BETWEEN = 8;
const TOGETHER = 8;
const TOGETHER_MS = 12;

/** Leads to an open case, without which there is nothing to upload. */
const CASE: readonly Step[] = [
  { kind: "create a charge", params: { book: 0, amount: 5_000, payer: null, life: null, note: null, scenario: null } },
  { kind: "pay", params: { book: 0, which: 0, payer: "as expected", off: 0 } },
  { kind: "contest", params: { book: 0, which: 0, type: "med", amount: 1 } },
].map((step) => ({ ...step, disturbance: null }));

/** A step that replaces everything comes only when it is aimed at, so that there is enough to lose. */
function drawUsual(chance: Chance): Step {
  for (;;) {
    const step = drawStep(chance);
    if (!["reset", "restore a snapshot"].includes(step.kind)) return { ...step, disturbance: null };
  }
}

/** Every second kill is aimed at a step of one kind, and the others at whatever is under way then. */
function killOf(number: number, chance: Chance): { readonly steps: Step[]; readonly moment: number } {
  const aims = Object.entries(AIMS);
  const [kind = "", longest = 0] = aims[Math.floor(number / 2) % aims.length] ?? [];
  // More often near the beginning: on a fast machine a step is over before its usual time.
  if (number % 2 === 0) return { steps: [drawKind(chance, kind)], moment: chance.fraction() ** 3 * longest };
  const steps = Array.from({ length: TOGETHER }, () => drawUsual(chance));
  return { steps, moment: chance.fraction() ** 2 * 2 * TOGETHER_MS };
}

/** The kinds of steps that no kill has interrupted. */
export const missed = (tally: Tally): string[] =>
  Object.keys(AIMS).filter((kind) => (tally.get(`without an answer: ${kind}`) ?? 0) === 0);

/**
 * Kills so many times, and then on, up to `most` times, while a kind of steps was not interrupted. Throws at the first
 * finding, which it describes in words, with the seed and the kill.
 */
export async function crash(seed: number, kills: number, place: Place, most = kills): Promise<Tally> {
  const chance = chanceOf(seed);
  const tally: Tally = new Map();
  const host = await startProcess(place, chance);
  const simulation = await Simulation.start(host, tally);
  let kill = 0;
  try {
    for (; kill < kills || (kill < most && missed(tally).length > 0); kill += 1) {
      for (let step = 0; step < BETWEEN; step++) await simulation.takeUnread(drawUsual(chance));
      for (const step of CASE) await simulation.takeUnread(step);
      const { steps, moment } = killOf(kill, chance);
      await simulation.killDuring(steps, moment);
    }
    await simulation.end();
  } catch (error) {
    throw new Error(`kill ${kill + 1} of the run with QA_PAY_CRASH_SEED=${seed}: ${error}`);
  } finally {
    await simulation.close();
  }
  return tally;
}
