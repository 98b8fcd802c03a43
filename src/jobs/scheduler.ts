import type { UnitOfWork } from "../db/unit-of-work.js";
import type { DeliveryWorker } from "../delivery/worker.js";
import type { Tx } from "../features/tx.js";
import type { WebhookStore } from "../features/webhooks/store.js";
import { ApiError } from "../kernel/errors.js";
import type { Subscribable } from "../kernel/feed.js";
import type { Log, RealTime, TimerHandle } from "../kernel/runtime.js";
import { iso } from "../kernel/time.js";
import type { EmulatedClock } from "./clock.js";
import { runJob } from "./handlers.js";
import type { JobRow, JobStore } from "./store.js";

/** Longest real sleep that a timer takes. */
const MAX_SLEEP = 2 ** 31 - 1;
const BATCH = 200;
/** A job that keeps throwing is given up after this many tries, a minute of emulated time apart. */
const MAX_FAILURES = 5;
const RETRY_AFTER_MS = 60_000;
/** Real time after which due work is looked for again when the database could not be read or written. */
const RETRY_LOOK_MS = 1_000;

export interface Scheduler {
  /** Runs what is due already, and from now on what becomes due. */
  start(): void;
  /** Something became due at `at`; wakes earlier if that is sooner than what is being waited for. */
  hint(at: number): void;
  /** The clock was changed: look again, though not before `pauseMs` of real time. */
  rearm(pauseMs?: number): void;
  /** Changes time itself. One change at a time: none gets in between the steps of a journey. */
  exclusively<Result>(change: () => Promise<Result>): Promise<Result>;
  /**
   * The same while no job is on its way or begins: for what replaces time and due work alike. Journeys that were asked
   * for before are ended where they are, because what they wait for is about to go.
   */
  quietly<Result>(change: () => Promise<Result>): Promise<Result>;
  /**
   * Moves the clock to `target`, stopping at every instant at which something is due and finishing it there. Throws
   * `service_unavailable` when it is ended before.
   */
  advance(target: number): Promise<void>;
  /** Ends journeys where they are and lets nothing begin any more. */
  interrupt(): void;
  stop(): Promise<void>;
}

export interface SchedulerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly jobs: JobStore;
  readonly webhooks: WebhookStore;
  readonly clock: EmulatedClock;
  readonly real: RealTime;
  readonly log: Log;
  /** Sends what is due and comes back when nothing is due or on its way. */
  readonly deliveries: Pick<DeliveryWorker, "pump" | "drain" | "setHurry">;
  /** The emulated instants at which new jobs and deliveries are due. */
  readonly jobDue: Subscribable<number>;
  readonly deliveryDue: Subscribable<number>;
}

/**
 * The loop behind everything that happens later. It holds no work of its own, only one timer to the earliest row, so a
 * restart, a frozen clock and time travel all run the same code.
 */
export function createScheduler(parts: SchedulerParts): Scheduler {
  return new JobLoop(parts);
}

class JobLoop implements Scheduler {
  readonly #parts: SchedulerParts;
  #timer: TimerHandle | null = null;
  #armedFor = Number.POSITIVE_INFINITY;
  #running: Promise<void> | null = null;
  #stopped = false;
  #paused = false;
  /** The end of the last change of time. */
  #travel: Promise<unknown> = Promise.resolve();
  /** Journeys that were asked for and have not ended. */
  readonly #journeys = new Set<AbortController>();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { jobDue, deliveryDue, clock } = this.#parts;
    jobDue.subscribe((dueAt) => this.hint(dueAt));
    deliveryDue.subscribe((dueAt) => {
      // The delivery worker sends at once what is due now.
      if (dueAt > clock.now()) this.hint(dueAt);
    });
    this.rearm();
  }

  hint(at: number): void {
    const { clock } = this.#parts;
    if (at < this.#armedFor && (!clock.frozen || at <= clock.now())) this.rearm();
  }

  rearm(pauseMs = 0): void {
    const { clock, real } = this.#parts;
    this.#timer?.cancel();
    this.#timer = null;
    this.#armedFor = Number.POSITIVE_INFINITY;
    const next = this.#stopped ? null : this.#earliest();
    if (next === null) return;
    const wait = next - clock.now();
    // A clock that stands still never reaches it: advancing the clock looks again.
    if (wait > 0 && clock.frozen) return;
    this.#armedFor = next;
    this.#timer = real.after(Math.min(Math.max(wait, pauseMs), MAX_SLEEP), () => this.#tick());
  }

  async advance(target: number): Promise<void> {
    const journey = new AbortController();
    if (this.#stopped) journey.abort();
    this.#journeys.add(journey);
    try {
      await this.exclusively(() => this.#advance(target, journey.signal));
    } finally {
      this.#journeys.delete(journey);
    }
    if (!journey.signal.aborted) return;
    throw new ApiError("service_unavailable", {
      message: "The journey of the clock was ended by a reset, a restore or the end of the server.",
    });
  }

  #endJourneys(): void {
    for (const journey of this.#journeys) journey.abort();
  }

  exclusively<Result>(change: () => Promise<Result>): Promise<Result> {
    const result = this.#travel.then(change);
    this.#travel = result.catch(() => undefined);
    return result;
  }

  quietly<Result>(change: () => Promise<Result>): Promise<Result> {
    this.#endJourneys();
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

  interrupt(): void {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#endJourneys();
  }

  async stop(): Promise<void> {
    this.interrupt();
    await Promise.all([this.#running, this.#travel]);
  }

  #earliest(): number | null {
    const job = this.#parts.jobs.nextDue()?.due_at ?? null;
    const delivery = this.#parts.webhooks.nextDelivery()?.due_at ?? null;
    return job === null || delivery === null ? (job ?? delivery) : Math.min(job, delivery);
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
        uow.write((tx) => this.#run(tx, job)).catch((reason) => this.#postpone(job, reason)),
      );
      await Promise.all(runs);
    }
  }

  #run(tx: Tx, job: JobRow): void {
    // Two looks may find the same row; whoever takes it away does it.
    if (this.#parts.jobs.remove(job) === 0) return;
    runJob(tx, job);
    const { log } = this.#parts;
    if (log.info === undefined) return;
    const facts = { kind: job.kind, subject: job.subject, due_at: iso(job.due_at), at: iso(tx.now) };
    tx.afterCommit(() => log.info?.("job done", facts));
  }

  async #postpone(job: JobRow, reason: unknown): Promise<void> {
    const { jobs, clock, uow, log } = this.#parts;
    const failures = job.failures + 1;
    const dropped = failures >= MAX_FAILURES;
    log.error(`job ${job.kind} of ${job.subject} failed${dropped ? " for good" : ", will try again"}`, reason);
    await uow.write(() => {
      jobs.remove(job);
      if (!dropped) jobs.insert({ ...job, due_at: clock.now() + RETRY_AFTER_MS, failures });
    });
  }

  /** Sets and saves the clock; the row says where it had got to, and whether it ran, if the process dies midway. */
  async #moveTo(at: number, frozen: boolean): Promise<void> {
    const { clock, uow } = this.#parts;
    await uow.write((tx) => {
      if (frozen) clock.freezeAt(at, tx);
      else clock.runFrom(at, tx);
    });
  }

  async #advance(target: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const { clock, deliveries, log } = this.#parts;
    const wasFrozen = clock.frozen;
    // So that real time does not run into the journey.
    clock.holdAt(clock.now());
    deliveries.setHurry(true);
    try {
      while (!signal.aborted) {
        await this.#runDueJobs(() => signal.aborted);
        await deliveries.drain(signal);
        if (signal.aborted) break;
        const next = this.#earliest();
        if (next === null || next > target) break;
        if (next > clock.now()) {
          await this.#moveTo(next, wasFrozen);
          clock.holdAt(next);
          log.debug?.("clock moved", { to: iso(next) });
        }
      }
      await this.#moveTo(Math.max(signal.aborted ? 0 : target, clock.now()), wasFrozen);
    } finally {
      deliveries.setHurry(false);
      // Where it failed, the clock is where the last step that was written has taken it.
      clock.letGo();
      this.rearm();
    }
  }
}
