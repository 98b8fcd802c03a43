import type { RealTime, TimerHandle } from "../../base/kernel/runtime.js";

/** Real time that an advance of the clock goes on waiting when all that is left was added by later requests. */
const PATIENCE_MS = 10_000;

/**
 * The wait of an advance of the clock before each step (docs/decisions/064-advances-under-load.md). All due work is done first.
 * Requests may add work without end, so an advance waits for added work for a limited time only.
 */
export class AdvanceWait {
  /** The newest row of the history when the advance began. Work that a request made due behind it was added. */
  readonly since: number;
  readonly #real: RealTime;
  #timer: TimerHandle | null = null;
  #isOver = false;
  #wake: () => void = () => undefined;

  constructor(real: RealTime, since: number) {
    this.#real = real;
    this.since = since;
  }

  /** True when the advance no longer waits for work that requests added. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Call it when only added work is left. The time starts with the first call; at its end the last `wake` is called. */
  startGracePeriod(wake: () => void): void {
    this.#wake = wake;
    this.#timer ??= this.#real.after(PATIENCE_MS, () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  end(): void {
    this.#timer?.cancel();
  }
}

/** The deliveries that an advance of the clock waits for: the delivery worker. */
export interface DueDeliveries {
  /** Looks for due deliveries at the end of this turn of the event loop. More calls in one turn cost nothing. */
  pump(): void;
  /**
   * Resolves when no delivery is due and no attempt is under way, without those for which `advance` waits no longer, or
   * when `signal` is aborted. Rejects when the database cannot be read or written.
   */
  drain(advance: AdvanceWait, signal: AbortSignal): Promise<void>;
  /** Sets whether the clock is being advanced. Endpoints that did not answer before get less time then. */
  setHurry(isHurried: boolean): void;
}
