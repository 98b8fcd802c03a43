import type { RealTime } from "../../../../base/kernel/runtime.js";

/** After this many real milliseconds, the next job starts although the job before it still runs. */
const SLOW_MS = 500;
/** The most jobs that run at the same time when all of them are slow. */
const MAX_RUNNING = 16;
/** The most jobs that wait in memory. */
const MAX_WAITING = 1_000;

export type ForwardQueue = ReturnType<typeof createForwardQueue>;

/** Runs jobs in the order in which they are added, one after the other. A slow job delays the next one only shortly. */
export function createForwardQueue(real: Pick<RealTime, "after">) {
  const waiting: (() => Promise<void>)[] = [];
  let [running, slow] = [0, 0];
  let failure: unknown;
  const changed: (() => void)[] = [];
  const change = () => new Promise<void>((resolve) => void changed.push(resolve));

  function check(): void {
    if (failure !== undefined) throw failure;
  }

  async function run(job: () => Promise<void>): Promise<void> {
    running += 1;
    let isSlow = false;
    const timer = real.after(SLOW_MS, () => {
      isSlow = true;
      slow += 1;
      next();
    });
    try {
      await job();
    } catch (reason) {
      failure ??= reason;
    }
    timer.cancel();
    running -= 1;
    if (isSlow) slow -= 1;
    next();
    for (const wake of changed.splice(0)) wake();
  }

  function next(): void {
    while (running === slow && running < MAX_RUNNING) {
      const job = waiting.shift();
      if (job === undefined) return;
      void run(job);
    }
  }

  return {
    /** Adds a job. Returns false when the queue is full: then await `room()`. Throws the error of an earlier job. */
    add(job: () => Promise<void>): boolean {
      check();
      waiting.push(job);
      next();
      return waiting.length < MAX_WAITING;
    },
    /** Waits until the queue has room for another job. Throws the error of a job. */
    async room(): Promise<void> {
      while (waiting.length >= MAX_WAITING) await change();
      check();
    },
    /** Waits until all jobs have ended. Throws the error of a job. */
    async idle(): Promise<void> {
      while (running > 0) await change();
      check();
    },
  };
}
