import texts from "./checks.json" with { type: "json" };
import type { HostAccess } from "./host.js";
import type { Shapes } from "./shapes.js";
import type { TestObjects } from "./test-objects.js";
import type { WebhookStory } from "./webhook-story.js";

/** The vocabulary of conformance: a check, its needs, and the host as it sees it. */

/**
 * The needs of a check. `write`: it creates objects. `emulator`: it also needs the simulators of the emulator. `receiver`: the
 * host must be able to send webhooks to this machine. `other_key`: the key of the other mode.
 */
export type Need = "write" | "emulator" | "receiver" | "other_key";

export interface Check {
  readonly name: string;
  /** The number of the section of the interface specification that demands it. */
  readonly section: string;
  /** One sentence: what must be true. */
  readonly about: string;
  readonly needs?: readonly Need[];
  /** The specification leaves it open: a difference is reported as a warning, and does not fail. */
  readonly isWarning?: true;
  /** It looks at the answers to all other checks, so it runs after them. */
  readonly isLast?: true;
  /** Returns the observed facts in a few words. Throws Deviation or Skip. */
  readonly run: (host: Host) => Promise<string> | string;
}

/** The host as checks see it. */
export interface Host extends HostAccess {
  readonly shapes: Shapes;
  readonly objects: TestObjects;
  /** Runs the webhook scenario once, and returns its course. */
  readonly webhooks: () => Promise<WebhookStory>;
}

/** Declares checks and their outcomes. Their sentences are in checks.json, by the sections of the specification. */

type Texts = typeof texts;

/** Unique, in small letters with hyphens. Scripts choose checks by it, so it does not change. */
export type CheckName = { [Section in keyof Texts]: keyof Texts[Section]["checks"] }[keyof Texts];

/** The sections of the interface specification, by number. docs/guides/conformance.md has the same list. */
export const SECTIONS: Readonly<
  Record<string, { readonly title: string; readonly checks: Readonly<Record<string, string>> }>
> = texts;

/** A section as a heading: its number and its title. */
export function sectionTitle(section: string): string {
  return `${section} ${SECTIONS[section]?.title ?? ""}`.trimEnd();
}

/** Orders sections as the specification does: 4.9 before 4.10. */
export function bySection(one: string, other: string): number {
  const [a = 0, b = 0] = one.split(".").map(Number);
  const [c = 0, d = 0] = other.split(".").map(Number);
  return a - c || b - d;
}

type Run = Check["run"];

/** How a check differs from the others beside it. */
type CheckOverrides = Pick<Check, "run"> & Partial<Check>;

export function withNeeds(needs: readonly Need[], run: Run): CheckOverrides {
  return { needs, run };
}

/** The specification leaves it open. */
export function asWarning(run: Run): CheckOverrides {
  return { isWarning: true, run };
}

/** Checks by their names. Most of them need this. */
export function checks(
  needs: readonly Need[],
  byName: { readonly [Name in CheckName]?: Run | CheckOverrides },
): readonly Check[] {
  return Object.entries(byName).map(([name, given]) => {
    const [section = "", { checks: sentences = {} } = {}] =
      Object.entries(SECTIONS).find(([, { checks: all }]) => Object.hasOwn(all, name)) ?? [];
    const special = typeof given === "function" ? { run: given } : given;
    return { name, section, about: sentences[name] ?? "", needs, ...special };
  });
}

export type Status = "passed" | "failed" | "skipped";

/** The result of a check for a program. */
export interface Result {
  readonly name: string;
  readonly section: string;
  readonly status: Status;
  /** The expected and the observed facts, and how to look further. The text of a warning begins with `Warning:`. */
  readonly detail: string;
}

/** The result of a check with its parts, for a person. */
export interface CheckOutcome {
  readonly check: Check;
  readonly status: Status;
  /** True when the host differs in something that is only a warning. The status is `passed` then. */
  readonly isWarned: boolean;
  readonly expected: string;
  /** The observed facts; for a skipped check the reason. */
  readonly seen: string;
  /** A command or a place that shows more; empty when there is none. */
  readonly look: string;
  /** Real milliseconds that the check took. */
  readonly ms: number;
}

/** The result for programs: the parts of the outcome as one text. */
export function resultOf({
  check: { name, section },
  status,
  isWarned,
  expected,
  seen,
  look,
}: Omit<CheckOutcome, "ms">): Result {
  if (status === "skipped") return { name, section, status, detail: `Skipped: ${seen}.` };
  const further = look === "" ? "" : ` Look further: ${look}`;
  const detail = `${isWarned ? "Warning: " : ""}Expected: ${expected} Seen: ${seen}.${further}`;
  return { name, section, status, detail };
}
