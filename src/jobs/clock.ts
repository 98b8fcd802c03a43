import { type Db, getter, runner } from "../db/driver.js";
import type { Commit } from "../db/unit-of-work.js";
import type { Clock, RealTime } from "../kernel/runtime.js";
import { iso, MAX_INSTANT } from "../kernel/time.js";

/**
 * The clock of the service: real time plus an offset, or an instant at which the clock stands still. It is stored in the
 * database, so it survives a restart. It is changed inside a unit of work; when that is rolled back, so is the clock.
 */
export interface EmulatedClock extends Clock {
  /** Whether the clock stands still now. */
  readonly frozen: boolean;
  /** The clock as users see it. A clock that is only held (`holdAt`) counts as running. */
  show(): { now: string; frozen: boolean };
  /** Stops the clock at `at`. */
  freezeAt(at: number, unit: Undoable): void;
  /** Lets the clock run on from `at`. */
  runFrom(at: number, unit: Undoable): void;
  /** Starts the clock of a new database at `at`. A reset comes back to it. */
  beginAt(at: number, frozen: boolean, unit: Undoable): void;
  /** Where the clock was started; null when it began as real time. */
  readonly begunAt: number | null;
  /** Sets the clock to where it was started, or to real time. */
  reset(frozen: boolean, unit: Undoable): void;
  /** Stops the clock at `at` until `letGo`. Only in memory: the stored clock does not change. */
  holdAt(at: number): void;
  letGo(): void;
  /** Stores the present state. Call it inside a unit of work. */
  persist(): void;
  /** Reads the stored clock. Answers false when there is none; the clock is real time then. */
  restore(): boolean;
}

type Undoable = Pick<Commit, "afterUndo">;

interface ClockState {
  readonly offset: number;
  readonly frozenAt: number | null;
  /** See `EmulatedClock.begunAt`; absent when it is null. */
  readonly begunAt?: number;
}

/** The instant that a stored clock shows at the real instant `epoch`; null for a text that is no stored clock. */
export function instantOf(stored: string, epoch: number): number | null {
  try {
    const { offset, frozenAt } = JSON.parse(stored) as ClockState;
    const at = frozenAt ?? epoch + offset;
    return Number.isSafeInteger(offset) && Number.isSafeInteger(at) && at >= 0 && at <= MAX_INSTANT ? at : null;
  } catch {
    return null;
  }
}

export function createClock(db: Db, real: RealTime): EmulatedClock {
  const save = runner(db, "INSERT OR REPLACE INTO settings (name, value) VALUES ('clock', ?)");
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = 'clock'");
  /** The stored state. */
  let state: ClockState = { offset: 0, frozenAt: null };
  let heldAt: number | null = null;
  const now = () => heldAt ?? state.frozenAt ?? real.epoch() + state.offset;
  const persist = () => void save(JSON.stringify(state));
  function set(next: ClockState, unit: Undoable): void {
    const before = state;
    unit.afterUndo(() => {
      state = before;
    });
    state = { ...state, ...next };
    persist();
  }
  /** The state of a clock that shows `at` now. */
  const showing = (at: number, frozen: boolean) => ({ offset: at - real.epoch(), frozenAt: frozen ? at : null });
  return {
    now,
    get frozen() {
      return heldAt !== null || state.frozenAt !== null;
    },
    show: () => ({ now: iso(now()), frozen: state.frozenAt !== null }),
    freezeAt: (at, unit) => set(showing(at, true), unit),
    runFrom: (at, unit) => set(showing(at, false), unit),
    beginAt: (at, frozen, unit) => set({ ...showing(at, frozen), begunAt: at }, unit),
    get begunAt() {
      return state.begunAt ?? null;
    },
    reset: (frozen, unit) => set(showing(state.begunAt ?? real.epoch(), frozen), unit),
    holdAt(at) {
      heldAt = at;
    },
    letGo() {
      heldAt = null;
    },
    persist,
    restore() {
      const row = load();
      if (row !== null) state = JSON.parse(row.value) as ClockState;
      return row !== null;
    },
  };
}
