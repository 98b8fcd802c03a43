import * as z from "zod";
import { fill, type Message } from "../../../base/kernel/message.js";
import { namesOf } from "../../../base/kernel/names.js";
import { IsoInstant, TextParams } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { DUE_TEXTS, type DueCode } from "../service-texts.js";
import { findObject, withOwn } from "../timeline-objects.js";
import type { JobKind, Reader, Stores } from "../tx.js";
import { subjectId } from "../webhooks/catalogue.js";
import type { DueAttempt } from "../webhooks/store.js";
import { previewJob } from "./handlers.js";
import { JOB_KINDS, jobOf } from "./kinds.js";
import type { JobPlace } from "./store.js";

/** Due work: jobs and next attempts of deliveries that would still have an effect. */

const WORK_KINDS = [...JOB_KINDS, "delivery.attempt"] as const;

export interface DueEntry extends Message<DueCode> {
  /** Emulated milliseconds. */
  readonly at: number;
  readonly kind: JobKind | "delivery.attempt";
  /** The public id of its object. */
  readonly subject: string;
}

export const DueWork = z
  .object({
    at: IsoInstant,
    kind: z.enum(WORK_KINDS),
    subject: z.string().describe("Id of the object that it is about"),
    text: z.string().describe("What happens, in plain words"),
    code: z.enum(namesOf(DUE_TEXTS)).describe("Which sentence the text is"),
    params: TextParams,
  })
  .meta({ id: "DueWork" });

export function toDueWork({ at, kind, subject, code, params }: DueEntry): z.input<typeof DueWork> {
  return { at: iso(at), kind, subject, text: fill(DUE_TEXTS[code], params), code, params };
}

/** The place of an entry in the list. At one instant, jobs come before attempts, because jobs are carried out first. */
export type DuePlace = ({ readonly of: "job" } & JobPlace) | { readonly of: "attempt"; at: number; seq: number };

interface Placed {
  readonly entry: DueEntry;
  readonly place: DuePlace;
}

export interface DueQuery {
  readonly bookId: number;
  /** The latest instant, in emulated milliseconds. */
  readonly until?: number | undefined;
  /** Ids without prefix: only work about these objects, or about their events. */
  readonly subjects?: readonly string[] | undefined;
  readonly limit: number;
  readonly after?: DuePlace | undefined;
}

const BATCH = 200;

/** Returns due work, soonest first, and the place of its last entry when there is more. */
export function dueWork(
  reader: Reader,
  query: DueQuery,
): { readonly entries: readonly DueEntry[]; readonly next: DuePlace | null } {
  const found = [...dueJobs(reader, query), ...dueAttempts(reader, query)].sort(
    (a, b) => a.entry.at - b.entry.at || Number(a.place.of === "attempt") - Number(b.place.of === "attempt"),
  );
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const more = found.length > page.length && last !== undefined;
  return { entries: page.map(({ entry }) => entry), next: more ? last.place : null };
}

/** The jobs up to one more than the limit. */
function dueJobs(
  reader: Reader,
  { bookId, until = Number.MAX_SAFE_INTEGER, subjects, limit, after }: DueQuery,
): Placed[] {
  const wanted = subjects === undefined ? undefined : subjectsAbout(reader, subjects);
  const found: Placed[] = [];
  let behind: JobPlace = firstJobBehind(after);
  for (;;) {
    const jobs = reader.jobs.ofBook({ bookId, behind, until, subjects: wanted, limit: BATCH });
    for (const job of jobs) {
      const preview = previewJob(reader, job);
      if (preview === null) continue;
      const { due_at, subject, kind } = job;
      found.push({ entry: { at: due_at, kind, ...preview }, place: { of: "job", due_at, subject, kind } });
      if (found.length > limit) return found;
    }
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < BATCH) return found;
    behind = last;
  }
}

/** The place after which jobs are read. After an attempt there are no more jobs of the same instant. */
function firstJobBehind(after: DuePlace | undefined): JobPlace {
  if (after?.of === "job") return after;
  return { due_at: after === undefined ? -1 : after.at + 1, subject: "", kind: "" };
}

/** The subjects of all jobs about objects: their ids, and other subjects of jobs. */
function subjectsAbout(stores: Stores, ids: readonly string[]): string[] {
  return [...ids, ...JOB_KINDS.flatMap((kind) => jobOf(kind).subjectsAbout?.(stores, ids) ?? [])];
}

/** The next attempts up to one more than the limit. */
function dueAttempts({ webhooks }: Reader, query: DueQuery): Placed[] {
  const { bookId, until = Number.MAX_SAFE_INTEGER, subjects, limit, after } = query;
  const behind = after?.of === "attempt" ? [after.at, after.seq] : [after?.due_at ?? -1, -1];
  const rows =
    subjects === undefined
      ? webhooks.attemptsDue(bookId, ...behind, until, limit + 1)
      : webhooks.attemptsDueAbout(JSON.stringify(subjects), bookId, ...behind, until, limit + 1);
  return rows.map((row) => {
    const at = row.next_attempt_at ?? 0;
    return { entry: attemptEntry(row), place: { of: "attempt", at, seq: row.seq } };
  });
}

export function attemptEntry({ next_attempt_at: at, attempts, type, subject, url }: DueAttempt): DueEntry {
  return {
    at: at ?? 0,
    kind: "delivery.attempt",
    subject: subjectId(type, subject),
    code: "delivery_attempted",
    params: { number: attempts + 1, type, url },
  };
}

/** Returns the ids of an object and of its parts; for an unknown object only its id. No id has a prefix. */
export function relatedSubjects(stores: Stores, bookId: number, id: string): string[] {
  const found = findObject(stores, bookId, id);
  return found === null ? [id] : withOwn(stores, found.object).map((one) => one.id);
}
