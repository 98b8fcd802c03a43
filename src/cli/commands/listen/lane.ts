import type { RealTime } from "../../../kernel/runtime.js";

/** Real milliseconds after which the next job does not wait for a job any more. */
const SLOW_MS = 500;
/** Jobs that run at once when all of them are slow. */
const MAX_RUNNING = 16;
/** Jobs that wait in memory. */
const MAX_WAITING = 1_000;

/** Runs jobs one after the other, in the order in which they are added. One that is slow holds up the next only shortly. */
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

  /** Answers whether there is room for more; if not, wait for it. Throws what an earlier job threw. */
  add(job: () => Promise<void>): boolean {
    this.#check();
    this.#waiting.push(job);
    this.#next();
    return this.#waiting.length < MAX_WAITING;
  }

  /** Comes back when there is room for more. Throws what a job threw. */
  async room(): Promise<void> {
    while (this.#waiting.length >= MAX_WAITING) await this.#change();
    this.#check();
  }

  /** Comes back when everything has ended. Throws what a job threw. */
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
