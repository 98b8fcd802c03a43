import type { Result } from "../../../../receiver-check/judge.js";

/** What a report of `survive` is made of. */

export interface Found {
  readonly schedule: number;
  readonly oracle: string;
  readonly text: string;
  readonly steps: readonly string[];
  readonly command: string;
  readonly timeline: readonly { readonly at: string; readonly text: string }[];
  readonly said: string;
  readonly again: { readonly failed: number; readonly of: number };
  readonly charge: string | null;
}

export interface Survival {
  readonly seed: string;
  readonly schedules: number;
  readonly survived: number;
  readonly failed: number;
  readonly faults: Readonly<Record<string, { readonly schedules: number; readonly failed: number }>>;
  readonly failures: readonly Found[];
}

/** A schedule that was run: its faults, and the oracles that it failed. */
export interface RunSchedule {
  readonly schedule: number;
  readonly faults: readonly string[];
  readonly oracles: readonly string[];
}

export interface ReportFacts {
  readonly survival: Survival;
  /** The command as it was given. */
  readonly command: string;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  readonly schedules: readonly RunSchedule[];
  /** What each fault does, by its name: all that there are. */
  readonly about: Readonly<Record<string, string>>;
  /** The faults that the run was to use. */
  readonly asked: readonly string[];
  /** The answers of the shop's receiver; a text says why there are none. */
  readonly receiver: readonly Result[] | string;
  /** What the run could not see, in sentences. */
  readonly unseen: readonly string[];
  readonly versions: Readonly<Record<string, string>>;
  /** Secrets of the run. They stand nowhere in the report. */
  readonly secrets: readonly string[];
}
