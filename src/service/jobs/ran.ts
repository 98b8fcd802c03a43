import type { Preview } from "../features/job.js";
import { attemptEntry, type DueEntry } from "../features/jobs/due-work.js";
import type { JobPlace, JobRow } from "../features/jobs/store.js";
import type { DueAttempt } from "../features/webhooks/store.js";

/** The most entries of one report. Work beyond them is only counted. */
const MAX_ENTRIES = 100;

export interface RanEntry extends DueEntry {
  /** True for work that something created during the advance; it was not due when the advance began. */
  readonly madeOnTheWay: boolean;
}

function keyOf({ due_at, subject, kind }: JobPlace): string {
  return `${due_at} ${subject} ${kind}`;
}

export class RanWork {
  readonly bookId: number;
  readonly entries: RanEntry[] = [];
  count = 0;
  /** The newest delivery at the beginning. Later deliveries were created during the advance. */
  #newestDelivery = 0;
  /** Jobs that were created during the advance, and deliveries that were attempted. Kept until the report is full. */
  readonly #created = new Set<string>();
  readonly #attempted = new Set<number>();

  constructor(bookId: number) {
    this.bookId = bookId;
  }

  begin(newestDelivery: number): void {
    this.#newestDelivery = newestDelivery;
  }

  onJob(job: JobRow): void {
    if (job.book_id === this.bookId && !this.#isFull) this.#created.add(keyOf(job));
  }

  jobDone(job: JobRow, preview: Preview): void {
    const isNew = this.#created.delete(keyOf(job));
    this.#add({ at: job.due_at, kind: job.kind, ...preview }, isNew);
  }

  attemptDone(delivery: DueAttempt): void {
    if (delivery.book_id !== this.bookId) return;
    // A retry was created by the attempt before it, so during the advance.
    const isNew = delivery.seq > this.#newestDelivery || this.#attempted.has(delivery.seq);
    if (!this.#isFull) this.#attempted.add(delivery.seq);
    this.#add(attemptEntry(delivery), isNew);
  }

  get #isFull(): boolean {
    return this.entries.length >= MAX_ENTRIES;
  }

  #add(entry: DueEntry, madeOnTheWay: boolean): void {
    this.count += 1;
    if (!this.#isFull) this.entries.push({ ...entry, madeOnTheWay });
  }
}
