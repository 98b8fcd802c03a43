import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import { type Cause, SERVICE, workCause } from "../../base/kernel/cause.js";
import { ApiError } from "../../base/kernel/errors.js";
import type { Feed, Subscribable } from "../../base/kernel/feed.js";
import type { Log, RealTime, TimerHandle } from "../../base/kernel/runtime.js";
import { iso, MAX_INSTANT } from "../../base/kernel/time.js";
import { recordClock } from "../features/history/actions.js";
import type { HistoryStore } from "../features/history/store.js";
import { previewJob, runJob } from "../features/jobs/handlers.js";
import type { JobRow, JobStore } from "../features/jobs/store.js";
import type { Tx } from "../features/tx.js";
import type { DueAttempt, WebhookStore } from "../features/webhooks/store.js";
import { AdvanceWait, type DueDeliveries } from "./advance-wait.js";
import type { EmulatedClock } from "./clock.js";
import type { RanWork } from "./ran.js";

/** The longest delay that a Node timer accepts. */
const MAX_SLEEP = 2 ** 31 - 1;
const BATCH = 200;
/** A job that fails this many times is dropped (docs/decisions/064-advances-under-load.md). */
const MAX_FAILURES = 5;
/** Emulated time between two tries of a failing job. */
const RETRY_AFTER_MS = 60_000;
/** Real time between two looks for due work while the database cannot be read or written. */
const RETRY_LOOK_MS = 1_000;

type Target = number | (() => number | null);

export interface SchedulerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly jobs: JobStore;
  readonly webhooks: WebhookStore;
  readonly history: Pick<HistoryStore, "last">;
  readonly clock: EmulatedClock;
  readonly real: RealTime;
  readonly log: Log;
  readonly deliveries: DueDeliveries;
  readonly jobDue: Subscribable<number>;
  readonly deliveryDue: Subscribable<number>;
  readonly onJob: Subscribable<JobRow>;
  /** Called with the instant at which an advance ended, if it moved the clock. */
  readonly clockReached: Pick<Feed<number>, "publish">;
  readonly attemptRecorded: Subscribable<DueAttempt>;
}

function earlierOf(one: number | null = null, other: number | null = null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/**
 * Runs all due work. The work itself is rows of the database; the scheduler holds one timer to the earliest row. So a
 * restart, a frozen clock and an advance of the clock all run the same code.
 */
export class Scheduler {
  readonly #parts: SchedulerParts;
  #timer: TimerHandle | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #stopped = false;
  #paused = false;
  /** Resolves when the last change of the clock has ended. */
  #change: Promise<unknown> = Promise.resolve();
  readonly #advances = new Set<AbortController>();
  /** Collects the work of the advance that is under way. */
  #ran: RanWork | null = null;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  /** Runs all due work, and from now on all work that becomes due. */
  start(): void {
    const { jobDue, deliveryDue, clock } = this.#parts;
    jobDue.subscribe((dueAt) => this.hint(dueAt));
    deliveryDue.subscribe((dueAt) => {
      // The delivery worker sends at once what is due now.
      if (dueAt > clock.now()) this.hint(dueAt);
    });
    this.rearm();
  }

  /** Reports work that is due at `at`. The timer is set to it if that is earlier than its present instant. */
  hint(at: number): void {
    const { clock } = this.#parts;
    if (at < this.#armedFor && (!clock.frozen || at <= clock.now())) this.rearm();
  }

  /** Sets the timer anew after a change of the clock or of the due work; it fires in `pauseMs` at the earliest. */
  rearm(pauseMs = 0): void {
    const { clock, real } = this.#parts;
    this.#timer?.cancel();
    this.#timer = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const next = this.#stopped ? null : this.#nextTurn();
    if (next === null) return;
    const wait = clock.realMs(next - clock.now());
    // A clock that stands still never reaches it, and none goes beyond its end. An advance of the clock sets the timer anew.
    if (wait > 0 && (clock.frozen || next > MAX_INSTANT)) return;
    this.#armedFor = next;
    this.#timer = real.after(Math.min(Math.max(wait, pauseMs), MAX_SLEEP), () => this.#tick());
  }

  /**
   * Moves the clock to `target`. It stops at every instant at which work is due, and finishes that work there. The history
   * names `cause` as the reason of the move. A `target` that is a function is called when all due work is done; the clock stays
   * when it returns null. `ran` collects the work. Throws `service_unavailable` when the advance is ended before it reaches
   * `target`.
   */
  async advance(target: Target, cause = SERVICE, ran: RanWork | null = null): Promise<void> {
    const controller = new AbortController();
    if (this.#stopped) controller.abort();
    this.#advances.add(controller);
    try {
      await this.exclusively(() => this.#collect(ran, () => this.#advance(target, cause, controller.signal)));
    } finally {
      this.#advances.delete(controller);
    }
    if (!controller.signal.aborted) return;
    throw new ApiError("service_unavailable", {
      message: "The advance of the clock was ended by a reset, a restore or the end of the server.",
    });
  }

  #endAdvances(): void {
    for (const controller of this.#advances) controller.abort();
  }

  /** Runs a change of the clock, one at a time: no other change comes between the steps of an advance. */
  exclusively<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#change.then(change);
    this.#change = result.catch(() => undefined);
    return result;
  }

  /**
   * Runs a change exclusively while no job runs, for a reset or a restore, which replace the clock and the due work.
   * Advances of the clock that have not ended are ended first: the work that they wait for is about to be removed.
   */
  withJobsPaused<Result>(change: () => Promise<Result>): Promise<Result> {
    this.#endAdvances();
    return this.exclusively(async () => {
      this.#paused = true;
      await this.#running;
      try {
        return await change();
      } finally {
        this.#paused = false;
        this.rearm();
      }
    });
  }

  /** Ends every advance of the clock where it is. No job begins after that. */
  interrupt(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#endAdvances();
  }

  async stop(): Promise<void> {
    this.interrupt();
    await Promise.all([this.#running, this.#change]);
  }

  /** True when the advance has waited long enough for added work, and no other job is due. */
  #hasOnlyAddedJobs(wait: AdvanceWait): boolean {
    const { jobs, clock } = this.#parts;
    const next = jobs.nextDue()?.due_at ?? Number.POSITIVE_INFINITY;
    if (next > clock.now() || jobs.awaited(clock.now(), wait.since) !== null) return false;
    wait.startGracePeriod(() => undefined);
    return wait.isOver;
  }

  /** Where an advance stops next: at the instant of the earliest work, which may be now. */
  #nextStop(wait: AdvanceWait): number | null {
    const { jobs, webhooks, clock } = this.#parts;
    // Added work may be due without end, so it holds the clock no longer.
    if (!wait.isOver) return earlierOf(jobs.nextDue()?.due_at, webhooks.nextDelivery()?.due_at);
    return earlierOf(jobs.nextDueAfter(clock.now())?.due_at, webhooks.nextDeliveryAfter(clock.now())?.due_at);
  }

  /**
   * The instant to wait for. Due deliveries wait for a free slot, and the worker looks for them whenever one becomes free: a
   * timer for them would fire without end.
   */
  #nextTurn(): number | null {
    const { jobs, webhooks, clock, deliveries } = this.#parts;
    const now = clock.now();
    if ((webhooks.nextDelivery()?.due_at ?? Number.POSITIVE_INFINITY) <= now) deliveries.pump();
    return earlierOf(jobs.nextDue()?.due_at, webhooks.nextDeliveryAfter(now)?.due_at);
  }

  #tick(): void {
    if (this.#stopped || this.#paused || this.#running !== null) return;
    let pause = 0;
    this.#running = this.#runDueJobs(() => this.#stopped || this.#paused)
      .catch((reason) => {
        this.#parts.log.error("due work could not be done; it is tried again in a second", reason);
        pause = RETRY_LOOK_MS;
      })
      .finally(() => {
        this.#running = null;
        this.#parts.deliveries.pump();
        this.rearm(pause);
      });
  }

  async #runDueJobs(isOver: () => boolean): Promise<void> {
    const { jobs, clock, uow } = this.#parts;
    while (!isOver()) {
      const due = jobs.due(clock.now(), BATCH);
      if (due.length === 0) return;
      const runs = due.map((job) =>
        uow.write((tx) => this.#run(tx, job), workCause(job)).catch((reason) => this.#postpone(job, reason)),
      );
      await Promise.all(runs);
    }
  }

  #run(tx: Tx, job: JobRow): void {
    // Two looks at the table may find the same row. The one that removes it does the work.
    if (this.#parts.jobs.remove(job) === 0) return;
    const ran = this.#ran?.bookId === job.book_id ? this.#ran : null;
    const preview = ran === null ? null : previewJob(tx, job);
    runJob(tx, job);
    if (preview !== null) tx.afterCommit(() => ran?.jobDone(job, preview));
    const { log } = this.#parts;
    if (log.info === undefined) return;
    const facts = { kind: job.kind, subject: job.subject, due_at: iso(job.due_at), at: iso(tx.now) };
    tx.afterCommit(() => log.info?.("job done", facts));
  }

  async #postpone(job: JobRow, reason: unknown): Promise<void> {
    const { jobs, clock, uow, log } = this.#parts;
    const failures = job.failures + 1;
    // A refusal would be the same at the next try.
    const isRefused = reason instanceof ApiError;
    const dropped = isRefused || failures >= MAX_FAILURES;
    if (isRefused) log.warn(`job ${job.kind} of ${job.subject} was not done: ${reason.message}`);
    else log.error(`job ${job.kind} of ${job.subject} failed${dropped ? " permanently" : ", will try again"}`, reason);
    await uow.write((tx) => {
      jobs.remove(job);
      if (dropped) return;
      const again = { ...job, due_at: clock.now() + RETRY_AFTER_MS, failures };
      jobs.insert(again);
      tx.afterCommit(() => this.#ran?.onJob(again));
    });
  }

  /** Sets and stores the clock, so that it is right after a crash in the middle of an advance. */
  async #moveTo(at: number, frozen: boolean): Promise<void> {
    const { clock, uow } = this.#parts;
    await uow.write((tx) => {
      if (frozen) clock.freezeAt(at, tx);
      else clock.runFrom(at, tx);
    });
  }

  /** Runs an advance of the clock. `ran` collects the work that is done meanwhile. */
  async #collect(ran: RanWork | null, advance: () => Promise<void>): Promise<void> {
    if (ran === null) return advance();
    const { webhooks, onJob, attemptRecorded } = this.#parts;
    ran.begin(webhooks.newestDelivery()?.seq ?? 0);
    this.#ran = ran;
    const ends = [
      onJob.subscribe((job) => ran.onJob(job)),
      attemptRecorded.subscribe((delivery) => ran.attemptDone(delivery)),
    ];
    try {
      await advance();
    } finally {
      for (const end of ends) end();
      this.#ran = null;
    }
  }

  /** Adds a move of the clock to `at` to the history, unless the clock is there already. Returns `at`. */
  async #announce(at: number, cause: Cause): Promise<number> {
    const { clock, uow } = this.#parts;
    if (at > clock.now()) await uow.write((tx) => recordClock(tx, "advance", { to: at }), cause);
    return at;
  }

  async #advance(target: Target, cause: Cause, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, deliveries, history, log, real } = this.#parts;
    const wasFrozen = clock.frozen;
    const began = clock.now();
    // Otherwise the clock would go on with real time during the advance.
    clock.holdAt(clock.now());
    deliveries.setHurry(true);
    const wait = new AdvanceWait(real, history.last());
    let goal: number | null = null;
    try {
      goal = typeof target === "number" ? await this.#announce(target, cause) : null;
      while (!signal.aborted) {
        await this.#runDueJobs(() => signal.aborted || this.#hasOnlyAddedJobs(wait));
        await deliveries.drain(wait, signal);
        if (signal.aborted) break;
        if (typeof target !== "number") goal ??= await this.#announce(target() ?? clock.now(), cause);
        const next = this.#nextStop(wait);
        if (next === null || next > (goal ?? 0)) break;
        if (next > clock.now()) {
          await this.#moveTo(next, wasFrozen);
          clock.holdAt(next);
          log.debug?.("clock moved", { to: iso(next) });
        }
      }
      await this.#moveTo(Math.max(signal.aborted ? 0 : (goal ?? 0), clock.now()), wasFrozen);
    } finally {
      wait.end();
      deliveries.setHurry(false);
      // After a failure, the clock is at the last step that was stored.
      clock.letGo();
      this.rearm();
      if (clock.now() > began) this.#parts.clockReached.publish(clock.now());
    }
  }
}
