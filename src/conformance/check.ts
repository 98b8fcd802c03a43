import type { Check, Need, Seen } from "./types.js";

/** How checks are declared, and how a check ends. */

/** Checks by their names. Most of them belong to this section and need this; the others say what they do. */
export function checks(
  section: string,
  needs: readonly Need[],
  byName: Readonly<Record<string, Pick<Check, "about" | "run"> & Partial<Check>>>,
): readonly Check[] {
  return Object.entries(byName).map(([name, check]) => ({ section, needs, ...check, name }));
}

export type Status = "passed" | "failed" | "skipped";

/** The result of a check for a program. */
export interface Result {
  readonly name: string;
  readonly section: string;
  readonly status: Status;
  /** What was expected, what was seen, and how to look further. That of a warning begins with `Warning:`. */
  readonly detail: string;
}

/** The result of a check with its parts, for a person. */
export interface Outcome {
  readonly check: Check;
  readonly status: Status;
  /** True when the host differs in something that is only a warning. The status is `passed` then. */
  readonly isWarned: boolean;
  readonly expected: string;
  /** What was seen; for a skipped check the reason. */
  readonly seen: string;
  /** A command or a place that shows more; empty when there is none. */
  readonly look: string;
}

/** The host does something else than it should. */
export class Deviation extends Error {
  override readonly name = "Deviation";

  constructor(
    readonly seen: string,
    /** The exchange that shows it. */
    readonly exchange?: Seen,
    /** What was expected in this place, when it is more exact than the sentence of the check. */
    readonly expected?: string,
  ) {
    super(seen);
  }
}

/** The check cannot be made here. The message is the reason. */
export class Skip extends Error {
  override readonly name = "Skip";
}

/** The result for programs: the parts of the outcome as one text. */
export function resultOf({ check: { name, section }, status, isWarned, expected, seen, look }: Outcome): Result {
  if (status === "skipped") return { name, section, status, detail: `Skipped: ${seen}.` };
  const further = look === "" ? "" : ` Look further: ${look}`;
  const detail = `${isWarned ? "Warning: " : ""}Expected: ${expected} Seen: ${seen}.${further}`;
  return { name, section, status, detail };
}
