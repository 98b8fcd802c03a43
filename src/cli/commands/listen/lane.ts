import type { RealTime } from "../../../kernel/runtime.js";

/** After this many real milliseconds, the next job starts although the job before it still runs. */
const SLOW_MS = 500;
/** The most jobs that run at the same time when all of them are slow. */
const MAX_RUNNING = 16;
/** The most jobs that wait in memory. */
const MAX_WAITING = 1_000;

/** Runs jobs in the order in which they are added, one after the other. A slow job delays the next one only shortly. */
export class Lane {
  readonly #real: Pick<RealTime, "after">;
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;
  #slow = 0;
  #failure: unknown;
  #changed: (() => void)[] = [];

  constructor(real: Pick<RealTime, "after">) {
    this.#real = real;
  }

  /** Adds a job. Returns false when the lane is full: then await `room()`. Throws the error of an earlier job. */
  add(job: () => Promise<void>): boolean {
    this.#check();
    this.#waiting.push(job);
    this.#next();
    return this.#waiting.length < MAX_WAITING;
  }

  /** Waits until the lane has room for another job. Throws the error of a job. */
  async room(): Promise<void> {
    while (this.#waiting.length >= MAX_WAITING) await this.#change();
    this.#check();
  }

  /** Waits until all jobs have ended. Throws the error of a job. */
  async idle(): Promise<void> {
    while (this.#running > 0) await this.#change();
    this.#check();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve));
  }

  #next(): void {
    while (this.#running === this.#slow && this.#running < MAX_RUNNING) {
      const job = this.#waiting.shift();
      if (job === undefined) return;
      void this.#run(job);
    }
  }

  async #run(job: () => Promise<void>): Promise<void> {
    this.#running += 1;
    let isSlow = false;
    const timer = this.#real.after(SLOW_MS, () => {
      isSlow = true;
      this.#slow += 1;
      this.#next();
    });
    try {
      await job();
    } catch (reason) {
      this.#failure ??= reason;
    }
    timer.cancel();
    this.#running -= 1;
    if (isSlow) this.#slow -= 1;
    this.#next();
    for (const wake of this.#changed.splice(0)) wake();
  }
}
