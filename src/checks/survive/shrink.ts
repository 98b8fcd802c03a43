import { SAMPLE_PAYER_CPF } from "../../base/kernel/tax-id.js";
import type { Disturbance, Step } from "./schedule.js";

/** Shortens a failing schedule to the fewest and simplest steps that still fail. Pure except for `fails`. */

/** The smallest figures of each disturbance that has any. */
const SMALLEST: Readonly<Partial<Record<Disturbance["fault"], object>>> = {
  duplicate: { copies: 1 },
  simultaneous: { copies: 1 },
  lost_until_retry: { attempts: 1 },
  cut_answer: { attempts: 1 },
  late: { behind: null },
  api_slow: { ms: 50 },
  restart: { ms: 0 },
};

function simplest(one: Disturbance): Disturbance {
  return { ...one, ...SMALLEST[one.fault], ...("nth" in one ? { nth: 0 } : {}) };
}

function replaceStep(steps: readonly Step[], at: number, step: Step): Step[] {
  return steps.map((other, index) => (index === at ? step : other));
}

/** All schedules that are one move simpler, the greatest moves first. */
export function* simpler(steps: readonly Step[]): Generator<readonly Step[]> {
  for (const order of new Set(steps.map((step) => step.order))) {
    const others = steps.filter((step) => step.order !== order);
    if (others.length > 0) yield others;
  }
  // The last steps are most often needless. Without its purchase an order has no steps at all.
  for (let at = steps.length - 1; at >= 0; at--) {
    if (steps[at]?.do !== "buy") yield steps.filter((_, index) => index !== at);
  }
  for (const [at, step] of steps.entries()) {
    for (const one of step.disturbed)
      yield replaceStep(steps, at, { ...step, disturbed: step.disturbed.filter((other) => other !== one) });
  }
  for (const [at, step] of steps.entries()) {
    for (const one of step.disturbed) {
      const simple = simplest(one);
      if (JSON.stringify(simple) === JSON.stringify(one)) continue;
      const disturbed = step.disturbed.map((other) => (other === one ? simple : other));
      yield replaceStep(steps, at, { ...step, disturbed });
    }
    if (step.do === "pay" && step.how !== "right") yield replaceStep(steps, at, { ...step, how: "right" });
    if (step.do === "buy" && step.letters)
      yield replaceStep(steps, at, { ...step, letters: false, document: SAMPLE_PAYER_CPF });
    if (step.do === "buy" && step.amount !== 1_000) yield replaceStep(steps, at, { ...step, amount: 1_000 });
  }
}

/** The most schedules that are tried for one failure. */
const MOST_TRIES = 80;

/** Returns the simplest schedule that still `fails`. The one that is passed must fail. */
export async function shrink(
  steps: readonly Step[],
  fails: (steps: readonly Step[]) => Promise<boolean>,
): Promise<readonly Step[]> {
  let best = steps;
  let tries = 0;
  for (let isSimpler = true; isSimpler; ) {
    isSimpler = false;
    for (const candidate of simpler(best)) {
      if (tries++ >= MOST_TRIES) return best;
      if (!(await fails(candidate))) continue;
      best = candidate;
      isSimpler = true;
      break;
    }
  }
  return best;
}
