import type { FaultName, OracleName } from "./faults.js";

/** What came of a run, as programs get it. */

/** A failure, with the fewest steps that still show it. */
export interface SurviveFailure {
  /** The number of its schedule. */
  readonly schedule: number;
  /** What was not true in the end. */
  readonly oracle: OracleName;
  readonly text: string;
  /** What happens, a sentence for each step. */
  readonly steps: readonly string[];
  /** What runs the schedule alone. */
  readonly command: string;
}

/** In how many schedules a fault was, in how many of these it happened to the shop, and in how many the shop failed by it. */
export interface FaultCount {
  readonly schedules: number;
  /**
   * In how many of them the fault could show itself. In the others it was drawn and came to nothing: a copy of a webhook that the
   * shop is not sent, another payer where the shop expects none.
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
  /** For each fault, in how many schedules it was, in how many of these it could show itself, and in how many the shop failed by it. */
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
