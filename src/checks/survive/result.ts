import type { FaultName, OracleName } from "./faults.js";

/** The result of a run, as programs get it. */

/** A failure, with the fewest steps that still show it. */
export interface SurviveFailure {
  /** The number of its schedule. */
  readonly schedule: number;
  /** The oracle that did not hold in the end. */
  readonly oracle: OracleName;
  readonly text: string;
  /** The steps, a sentence for each. */
  readonly steps: readonly string[];
  /** The command that command that runs this schedule alone. */
  readonly command: string;
}

/** Counts schedules of one fault: those that had it, those in which it happened to the shop, those that failed by it. */
export interface FaultCount {
  readonly schedules: number;
  /**
   * The schedules in which the fault could show itself. In the others it had no effect, such as a copy of a webhook that the
   * shop does not get, or another payer where the shop expects none.
   */
  readonly could_show: number;
  readonly failed: number;
}

export interface SurviveResult {
  /** With the same seed and the same faults, the same happens again. */
  readonly seed: string;
  /** How many schedules were run. */
  readonly schedules: number;
  readonly survived: number;
  readonly failed: number;
  /** The counts of each fault. */
  readonly faults: Readonly<Partial<Record<FaultName, FaultCount>>>;
  /** One failure of each kind. */
  readonly failures: readonly SurviveFailure[];
}

/** The object of `--json`. */
export function resultOf({ seed, schedules, survived, failed, faults, failures: all }: SurviveResult): SurviveResult {
  const own = ({ schedule, oracle, text, steps, command }: SurviveFailure) => ({
    schedule,
    oracle,
    text,
    steps,
    command,
  });
  const failures = all.map(own);
  return { seed, schedules, survived, failed, faults, failures };
}
