import { mergeParts } from "../../../base/kernel/merge-parts.js";
import { isNameOf, namesOf } from "../../../base/kernel/names.js";
import { NOUNS } from "../index.js";
import type { Job, Jobs } from "../job.js";
import type { JobKind, JobPayloads } from "../tx.js";

/** The work of each kind. A kind that `JobPayloads` declares and no noun has is a type error here. */
const WORK: Jobs = mergeParts(NOUNS.map(({ jobs }) => jobs));

/** In the order of their names. */
export const JOB_KINDS: readonly [JobKind, ...JobKind[]] = namesOf(WORK).sort() as [JobKind, ...JobKind[]];

export function jobOf<Kind extends JobKind>(kind: Kind): Job<JobPayloads[Kind]> {
  return WORK[kind];
}

/** True if this version knows the kind of a job. Another version of qa-pay may have stored the job. */
export function isKnown(kind: string): kind is JobKind {
  return isNameOf(WORK, kind);
}

/** Reads a stored payload. Throws for text that is not a payload of this kind. */
export function readPayload<Kind extends JobKind>(kind: Kind, payload: string): JobPayloads[Kind] {
  return jobOf(kind).payload.parse(JSON.parse(payload));
}

export function isPayload(kind: string, payload: string): boolean {
  try {
    return isKnown(kind) && jobOf(kind).payload.safeParse(JSON.parse(payload)).success;
  } catch {
    return false;
  }
}
