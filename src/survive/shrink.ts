import { SAMPLE_PAYER_CPF } from "../kernel/tax-id.js";
import type { Disturbance, Step } from "./schedule.js";

/** Shortens a schedule that fails to the fewest and simplest steps that still do. Pure but for the tries. */

/** The same disturbance with its smallest figures. */
function simplest(one: Disturbance): Disturbance {
  switch (one.fault) {
    case "duplicate":
    case "simultaneous":
      return { ...one, copies: 1 };
    case "lost_until_retry":
    case "cut_answer":
      return { ...one, attempts: 1 };
    case "late":
      return { ...one, behind: null };
    case "api_slow":
      return { ...one, ms: 50 };
    case "restart":
      return { ...one, ms: 0, ...(one.moment === "during" ? { nth: 0 } : {}) };
    default:
      return one;
  }
}

function replaced(steps: readonly Step[], at: number, step: Step): Step[] {
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
      yield replaced(steps, at, { ...step, disturbed: step.disturbed.filter((other) => other !== one) });
  }
  for (const [at, step] of steps.entries()) {
    for (const one of step.disturbed) {
      const simple = simplest(one);
      if (JSON.stringify(simple) === JSON.stringify(one)) continue;
      yield replaced(steps, at, {
        ...step,
        disturbed: step.disturbed.map((other) => (other === one ? simple : other)),
      });
    }
    if (step.do === "pay" && step.how !== "right") yield replaced(steps, at, { ...step, how: "right" });
    if (step.do === "buy" && step.letters)
      yield replaced(steps, at, { ...step, letters: false, document: SAMPLE_PAYER_CPF });
    if (step.do === "buy" && step.amount !== 1_000) yield replaced(steps, at, { ...step, amount: 1_000 });
  }
}

/** The most schedules that are tried for one failure. */
const MOST_TRIES = 80;

/** The simplest schedule that still `fails`. The given one does. */
export async function shrunk(
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
