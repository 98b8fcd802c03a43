import type { Preview } from "../job.js";
import type { JobKind, Stores, Tx } from "../tx.js";
import { isKnown, jobOf, readPayload } from "./kinds.js";
import type { JobRow } from "./store.js";

function run<Kind extends JobKind>(tx: Tx, kind: Kind, { subject, payload }: JobRow): void {
  jobOf(kind).run(tx, subject, readPayload(kind, payload));
}

/** Does the work of a job. Throws for a kind or payload that this version does not know. */
export function runJob(tx: Tx, job: JobRow): void {
  if (!isKnown(job.kind)) throw new Error(`no handler for job ${job.kind}`);
  run(tx, job.kind, job);
}

function preview<Kind extends JobKind>(stores: Stores, kind: Kind, job: JobRow, at: number): Preview | null {
  return jobOf(kind).preview(stores, job.subject, readPayload(kind, job.payload), at);
}

/** The effect of a job at its instant, or now if that is past. Null for none, and for a job of another version. */
export function previewJob(stores: Stores & { readonly now: number }, job: JobRow): Preview | null {
  if (!isKnown(job.kind)) return null;
  try {
    return preview(stores, job.kind, job, Math.max(job.due_at, stores.now));
  } catch {
    return null;
  }
}
