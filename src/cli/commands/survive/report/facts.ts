import type { Result } from "../../../../receiver-check/judge.js";
import type { FaultName, OracleName } from "../../../../survive/faults.js";
import type { Survival } from "../../../../survive/survive.js";

/** What a report of `survive` is made of. */

/** A schedule that was run: its faults, and the oracles that it failed. */
export interface RunSchedule {
  readonly schedule: number;
  readonly faults: readonly FaultName[];
  readonly oracles: readonly OracleName[];
}

export interface ReportFacts {
  readonly survival: Survival;
  /** The command as it was given. */
  readonly command: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly schedules: readonly RunSchedule[];
  /** The answers of the shop's receiver; a text says why there are none. */
  readonly receiver: readonly Result[] | string;
  /** What the run could not see, in sentences. */
  readonly unseen: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  /** Secrets of the run. They stand nowhere in the report. */
  readonly secrets: readonly string[];
}
