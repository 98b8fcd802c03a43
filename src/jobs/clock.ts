import { type Db, getter, runner } from "../db/driver.js";
import type { Clock, RealTime } from "../kernel/runtime.js";
import { iso } from "../kernel/time.js";

/**
 * The one clock of the service: real time plus an offset, or an instant at which it stands still. Both survive a
 * restart, because they are a row of the database.
 */
export interface EmulatedClock extends Clock {
  readonly frozen: boolean;
  show(): { now: string; frozen: boolean };
  /** Stands still at `at` from now on. */
  freezeAt(at: number): void;
  /** Runs on from `at`. */
  runFrom(at: number): void;
  /** Back to real time, as after a first start. */
  reset(frozen: boolean): void;
  /** Writes the present state; call it inside a unit of work. */
  persist(): void;
  /** Reads what the last process left; a database without it starts on real time. */
  restore(): boolean;
}

interface ClockState {
  readonly offset: number;
  readonly frozenAt: number | null;
}

export function createClock(db: Db, real: RealTime): EmulatedClock {
  const save = runner(db, "INSERT OR REPLACE INTO settings (name, value) VALUES ('clock', ?)");
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = 'clock'");
  let state: ClockState = { offset: 0, frozenAt: null };
  const now = () => state.frozenAt ?? real.epoch() + state.offset;
  return {
    now,
    get frozen() {
      return state.frozenAt !== null;
    },
    show: () => ({ now: iso(now()), frozen: state.frozenAt !== null }),
    freezeAt(at) {
      state = { offset: at - real.epoch(), frozenAt: at };
    },
    runFrom(at) {
      state = { offset: at - real.epoch(), frozenAt: null };
    },
    reset(frozen) {
      state = { offset: 0, frozenAt: frozen ? real.epoch() : null };
    },
    persist: () => void save(JSON.stringify(state)),
    restore() {
      const row = load();
      if (row !== null) state = JSON.parse(row.value) as ClockState;
      return row !== null;
    },
  };
}
