import type { OracleName } from "./faults.js";
import type { Step } from "./schedule.js";
import { type ScheduleOutcome, ShopGone } from "./schedule-record.js";
import { shrink } from "./shrink.js";

/** Repeats a failure and shortens it, so that its report is certain and short. */

/** How often a failure is tried again before it is shortened, and after that. */
const SURE = 2;
const LAST = 3;
/** How often a failure that did not come back is tried again. */
const DOUBTFUL = 5;

export interface Shortened {
  readonly steps: readonly Step[];
  /** The newest run of these steps that failed. */
  readonly outcome: ScheduleOutcome;
  /** How often these steps failed again, and how often they ran; 0 of 0 where they could not run again. */
  readonly again: { readonly failed: number; readonly of: number };
  /** The shop does not start or answer any more. */
  readonly isGone: boolean;
}

export interface Failing {
  readonly steps: readonly Step[];
  readonly oracle: OracleName;
  readonly outcome: ScheduleOutcome;
  readonly stopped: AbortSignal;
  run(steps: readonly Step[]): Promise<ScheduleOutcome>;
}

export const UNTRIED = { failed: 0, of: 0 };

/** Shortens a failure. When the shop is gone meanwhile, returns what is known until then. */
export async function shorten(failing: Failing): Promise<Shortened> {
  const { oracle, stopped, run } = failing;
  let { steps, outcome } = failing;
  let again: Shortened["again"] = UNTRIED;
  let isGone = false;
  /** Runs the steps so many times and counts the failures; `enough` failures end it. */
  const failures = async (of: readonly Step[], times: number, enough = times) => {
    let failed = 0;
    for (let tries = 0; tries < times && failed < enough && !stopped.aborted; tries++) {
      const tried = await run(of);
      if (tried.isGone) throw new ShopGone();
      if (!tried.findings.some((finding) => finding.oracle === oracle)) continue;
      failed++;
      if (of === steps) outcome = tried;
    }
    return failed;
  };
  try {
    const sure = await failures(steps, SURE);
    again = { failed: sure, of: SURE };
    if (sure === 0) again = { failed: await failures(steps, DOUBTFUL), of: SURE + DOUBTFUL };
    if (again.failed > 0) {
      const tries = sure === SURE ? 1 : DOUBTFUL;
      steps = await shrink(steps, async (candidate) => (await failures(candidate, tries, 1)) > 0);
      again = { failed: await failures(steps, LAST), of: LAST };
    }
  } catch (error) {
    if (!(error instanceof ShopGone)) throw error;
    isGone = true;
    again = UNTRIED;
  }
  return { steps, outcome, again: stopped.aborted ? UNTRIED : again, isGone };
}
