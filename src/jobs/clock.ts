import { type Db, getter, runner } from "../db/driver.js";
import type { Commit } from "../db/unit-of-work.js";
import type { Clock, RealTime } from "../kernel/runtime.js";
import { iso } from "../kernel/time.js";

/**
 * The one clock of the service: real time plus an offset, or an instant at which it stands still. Both survive a
 * restart, because they are a row of the database. A change is made inside a unit of work, which writes it; when that is
 * undone, the clock is as it was.
 */
export interface EmulatedClock extends Clock {
  /** Whether it stands still now. */
  readonly frozen: boolean;
  /** `frozen` tells how it was left: a clock that is held goes on as soon as it is let go. */
  show(): { now: string; frozen: boolean };
  /** Stands still at `at` from now on. */
  freezeAt(at: number, unit: Undoable): void;
  /** Runs on from `at`. */
  runFrom(at: number, unit: Undoable): void;
  /** Back to real time, as after a first start. */
  reset(frozen: boolean, unit: Undoable): void;
  /** Stands still at `at` until it is let go, in memory only: what the database says does not change. */
  holdAt(at: number): void;
  letGo(): void;
  /** Writes the present state; call it inside a unit of work. */
  persist(): void;
  /** Reads what the last process left; a database without it starts on real time. */
  restore(): boolean;
}

type Undoable = Pick<Commit, "afterUndo">;

interface ClockState {
  readonly offset: number;
  readonly frozenAt: number | null;
}

export function createClock(db: Db, real: RealTime): EmulatedClock {
  const save = runner(db, "INSERT OR REPLACE INTO settings (name, value) VALUES ('clock', ?)");
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = 'clock'");
  /** What the database says. */
  let state: ClockState = { offset: 0, frozenAt: null };
  let heldAt: number | null = null;
  const now = () => heldAt ?? state.frozenAt ?? real.epoch() + state.offset;
  const persist = () => void save(JSON.stringify(state));
  function set(next: ClockState, unit: Undoable): void {
    const before = state;
    unit.afterUndo(() => {
      state = before;
    });
    state = next;
    persist();
  }
  return {
    now,
    get frozen() {
      return heldAt !== null || state.frozenAt !== null;
    },
    show: () => ({ now: iso(now()), frozen: state.frozenAt !== null }),
    freezeAt: (at, unit) => set({ offset: at - real.epoch(), frozenAt: at }, unit),
    runFrom: (at, unit) => set({ offset: at - real.epoch(), frozenAt: null }, unit),
    reset: (frozen, unit) => set({ offset: 0, frozenAt: frozen ? real.epoch() : null }, unit),
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
