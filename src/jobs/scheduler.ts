import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Tx } from "../features/tx.js";
import type { WebhookStore } from "../features/webhooks/store.js";
import type { Log, RealTime, TimerHandle } from "../kernel/runtime.js";
import type { EmulatedClock } from "./clock.js";
import { JOB_HANDLERS } from "./handlers.js";
import type { JobRow, JobStore } from "./store.js";

/** Longest real sleep that a timer takes. */
const MAX_SLEEP = 2 ** 31 - 1;
const BATCH = 200;
/** A job that keeps throwing is given up after this many tries, a minute of emulated time apart. */
const MAX_FAILURES = 5;
const RETRY_AFTER_MS = 60_000;

export interface Scheduler {
  start(): void;
  /** Something became due at `at`; wakes earlier if that is sooner than what is being waited for. */
  hint(at: number): void;
  /** The clock was changed: look again. */
  rearm(): void;
  /** Moves the clock to `target`, stopping at every instant at which something is due and finishing it there. */
  advance(target: number): Promise<void>;
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
  readonly deliveries: { pump(): void; drain(): Promise<void> };
}

/**
 * The loop behind everything that happens later. It holds no work of its own, only one timer to the earliest row, so a
 * restart, a frozen clock and time travel all run the same code.
 */
export function createScheduler(parts: SchedulerParts): Scheduler {
  const { uow, jobs, webhooks, clock, real, log, deliveries } = parts;
  let timer: TimerHandle | null = null;
  let armedFor = Number.POSITIVE_INFINITY;
  let running: Promise<void> | null = null;
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();

  function earliest(): number | null {
    const job = jobs.nextDue()?.due_at ?? null;
    const delivery = webhooks.nextDelivery()?.due_at ?? null;
    return job === null || delivery === null ? (job ?? delivery) : Math.min(job, delivery);
  }

  function runJob(tx: Tx, job: JobRow): void {
    const handler = JOB_HANDLERS[job.kind];
    if (handler === undefined) throw new Error(`no handler for job ${job.kind}`);
    handler(tx, job.subject, JSON.parse(job.payload) as object);
    jobs.remove(job.due_at, job.subject, job.kind);
  }

  async function postpone(job: JobRow, reason: unknown): Promise<void> {
    const failures = job.failures + 1;
    const dropped = failures >= MAX_FAILURES;
    log.error(`job ${job.kind} of ${job.subject} failed${dropped ? " for good" : ", will try again"}`, reason);
    await uow.write(() => {
      jobs.remove(job.due_at, job.subject, job.kind);
      if (!dropped) jobs.insert(clock.now() + RETRY_AFTER_MS, job.subject, job.kind, job.payload, failures);
    });
  }

  async function runDueJobs(): Promise<void> {
    for (;;) {
      const due = jobs.due(clock.now(), BATCH);
      if (due.length === 0) return;
      await Promise.all(due.map((job) => uow.write((tx) => runJob(tx, job)).catch((reason) => postpone(job, reason))));
    }
  }

  function rearm(): void {
    timer?.cancel();
    timer = null;
    armedFor = Number.POSITIVE_INFINITY;
    if (stopped) return;
    const next = earliest();
    if (next === null) return;
    const wait = next - clock.now();
    // A clock that stands still never reaches it: advancing the clock looks again.
    if (wait > 0 && clock.frozen) return;
    armedFor = next;
    timer = real.after(Math.min(Math.max(wait, 0), MAX_SLEEP), tick);
  }

  function tick(): void {
    if (stopped || running !== null) return;
    running = runDueJobs()
      .catch((reason) => log.error("due work could not be read", reason))
      .finally(() => {
        running = null;
        deliveries.pump();
        rearm();
      });
  }

  async function moveTo(at: number, frozen: boolean): Promise<void> {
    await uow.write(() => {
      if (frozen) clock.freezeAt(at);
      else clock.runFrom(at);
      clock.persist();
    });
  }

  async function advanceNow(target: number): Promise<void> {
    const wasFrozen = clock.frozen;
    // Held still in memory only: if the process dies midway, the row says where it had got to, and whether it ran.
    clock.freezeAt(clock.now());
    try {
      for (;;) {
        await runDueJobs();
        await deliveries.drain();
        const next = earliest();
        if (next === null || next > target) break;
        if (next > clock.now()) {
          await moveTo(next, wasFrozen);
          clock.freezeAt(next);
        }
      }
    } finally {
      await moveTo(Math.max(target, clock.now()), wasFrozen);
      rearm();
    }
  }

  return {
    start: rearm,
    hint(at) {
      if (at < armedFor && (!clock.frozen || at <= clock.now())) rearm();
    },
    rearm,
    advance(target) {
      const result = turn.then(() => advanceNow(target));
      turn = result.catch(() => undefined);
      return result;
    },
    async stop() {
      stopped = true;
      timer?.cancel();
      await Promise.all([running, turn]);
    },
  };
}
