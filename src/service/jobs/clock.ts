import { DatabaseError } from "../../base/db/database-error.js";
import { type Db, getter, runner } from "../../base/db/driver.js";
import type { Commit } from "../../base/db/unit-of-work.js";
import { isJsonObject, jsonIn } from "../../base/kernel/json.js";
import type { Log, RealTime } from "../../base/kernel/runtime.js";
import { iso, MAX_INSTANT } from "../../base/kernel/time.js";

type Undoable = Pick<Commit, "afterUndo">;

interface ClockState {
  readonly offset: number;
  readonly frozenAt: number | null;
  /** Where the clock was started; absent when it began as real time. */
  readonly begunAt?: number;
  /** How many times as fast as real time it runs; absent for 1. */
  readonly speed?: number;
}

interface StoredClock extends ClockState {
  /** The instant that the clock showed when it was stored. */
  readonly shown?: number;
}

const isNumber = (value: unknown) => typeof value === "number";

function isStoredClock(value: unknown): value is StoredClock {
  if (!isJsonObject(value)) return false;
  const { offset, frozenAt, begunAt, speed, shown } = value;
  if (!isNumber(offset) || (frozenAt !== null && !isNumber(frozenAt))) return false;
  return [begunAt, speed, shown].every((one) => one === undefined || isNumber(one));
}

/** Throws TypeError for a text that is no stored clock. */
function parseClock(stored: string): StoredClock {
  const value = jsonIn(stored);
  if (!isStoredClock(value)) throw new TypeError("the text is no stored clock");
  return value;
}

/** The instant that a stored clock shows at the real instant `epoch`; null for a text that is no stored clock. */
export function instantOf(stored: string, epoch: number): number | null {
  try {
    const { offset, frozenAt, shown = 0 } = parseClock(stored);
    const at = frozenAt ?? Math.max(shown, Math.min(epoch + offset, MAX_INSTANT));
    return Number.isSafeInteger(offset) && Number.isSafeInteger(at) && at >= 0 && at <= MAX_INSTANT ? at : null;
  } catch {
    return null;
  }
}

/**
 * Reads a stored clock, and the earliest instant that it may show. `newest` is the newest instant in the database. Throws
 * DatabaseError for a clock that shows no valid instant, because nothing would work with it.
 */
function readClock(text: string, newest: number, epoch: number): [ClockState, number] {
  if (instantOf(text, epoch) === null) {
    const way = "Move it away, or choose another with --db.";
    throw new DatabaseError(`Cannot use the database: its clock shows no time that can be read. ${way}`);
  }
  const { shown = 0, ...stored } = parseClock(text);
  const first = Math.max(shown, newest);
  // After a crash, the stored offset of a faster clock is too small for the time that it has shown since.
  const isBehind = (stored.speed ?? 1) > 1 && epoch + stored.offset < first;
  return [isBehind ? { ...stored, offset: first - epoch } : stored, first];
}

/** The newest instants in the database: after a crash, the clock may have shown more than was stored of it. */
const NEWEST = `
  SELECT MAX(COALESCE((SELECT at FROM history ORDER BY seq DESC LIMIT 1), 0),
             COALESCE((SELECT attempted_at FROM delivery_attempts ORDER BY seq DESC LIMIT 1), 0)) AS at`;

/** The log has no line about a smaller step back: clocks that are kept right over the network take such steps. */
const LOGGED_STEP_MS = 1_000;

/**
 * A clock that runs: the machine's time plus an offset, which grows when the clock is faster. It never shows an earlier
 * instant than it has shown.
 */
function createRunning(real: RealTime, log: Pick<Log, "warn">) {
  let offset = 0;
  let speed = 1;
  /** The real instant from which on the speed counts. */
  let since = 0;
  /** The latest instant that it has shown since `set`. */
  let latest = 0;
  return {
    /** The offset as it is now, with what the speed has added. */
    offset(): number {
      const epoch = real.epoch();
      offset = Math.min(offset + (speed - 1) * (epoch - since), MAX_INSTANT);
      since = epoch;
      return offset;
    },
    now(): number {
      const epoch = real.epoch();
      const at = epoch + offset + (speed - 1) * (epoch - since);
      const behind = latest - at;
      // The clock of this machine has gone back.
      if (behind > 0) offset += behind;
      const step = behind / speed;
      if (step >= LOGGED_STEP_MS && latest > 0) {
        const what = `The clock of this machine went back by ${Math.round(step / 1_000)} s`;
        log.warn(`${what}. The emulated clock goes on from ${iso(latest)}, so that its time does not go back.`);
      }
      latest = Math.min(Math.max(at, latest), MAX_INSTANT);
      return latest;
    },
    /** Sets offset and speed, also to an earlier time, but not earlier than `first`. */
    set(to: number, factor: number, first: number, unit: Undoable): void {
      const before = { offset, speed, since, latest };
      unit.afterUndo(() => {
        ({ offset, speed, since, latest } = before);
      });
      offset = to;
      speed = factor;
      since = real.epoch();
      latest = first;
    },
  };
}

/**
 * The clock of the service: real time plus an offset, or an instant at which the clock stands still. It is stored in the
 * database, so it survives a restart. It is changed inside a unit of work; when that is rolled back, so is the clock.
 *
 * By itself it never goes back, whatever the clock of this machine does, and it stops at the end of the year 9999. While it
 * runs it may go many times as fast as real time (docs/decisions/075-time-never-goes-back.md).
 */
export function createClock(db: Db, real: RealTime, log: Pick<Log, "warn">) {
  const save = runner(db, "INSERT OR REPLACE INTO settings (name, value) VALUES ('clock', ?)");
  const load = getter<{ value: string }>(db, "SELECT value FROM settings WHERE name = 'clock'");
  const newest = getter<{ at: number }>(db, NEWEST);
  const running = createRunning(real, log);
  let state: Omit<ClockState, "offset"> = { frozenAt: null };
  let heldAt: number | null = null;
  const now = () => heldAt ?? state.frozenAt ?? running.now();
  function persist(): void {
    save(JSON.stringify({ ...state, shown: now(), offset: running.offset() } satisfies StoredClock));
  }
  /** Takes another state. A running clock may go back by it, but not before `first`. */
  function take({ offset, ...next }: ClockState, first: number, unit: Undoable): void {
    const before = state;
    unit.afterUndo(() => {
      state = before;
    });
    state = next;
    running.set(offset, next.speed ?? 1, first, unit);
  }
  function show(at: number, frozen: boolean, unit: Undoable, more: Partial<ClockState> = {}): void {
    take({ ...state, ...more, offset: at - real.epoch(), frozenAt: frozen ? at : null }, 0, unit);
    persist();
  }
  return {
    now,
    get frozen() {
      return heldAt !== null || state.frozenAt !== null;
    },
    /** The clock as users see it. A clock that is only held (`holdAt`) counts as running. */
    show: () => ({ now: iso(now()), frozen: state.frozenAt !== null, speed: state.speed ?? 1 }),
    /** Real milliseconds in which a running clock goes on by `ms`. */
    realMs: (ms: number) => Math.ceil(ms / (state.speed ?? 1)),
    setSpeed: (speed: number, unit: Undoable) => show(now(), state.frozenAt !== null, unit, { speed }),
    freezeAt: (at: number, unit: Undoable) => show(at, true, unit),
    runFrom: (at: number, unit: Undoable) => show(at, false, unit),
    /** Starts the clock of a new database at `at`. A reset comes back to it. */
    beginAt: (at: number, frozen: boolean, unit: Undoable) => show(at, frozen, unit, { begunAt: at }),
    get begunAt() {
      return state.begunAt ?? null;
    },
    /** Sets the clock to where it was started, or to real time. */
    reset: (frozen: boolean, unit: Undoable) => show(state.begunAt ?? real.epoch(), frozen, unit),
    /** Stops the clock at `at` until `letGo`. Only in memory: the stored clock does not change. */
    holdAt(at: number): void {
      heldAt = at;
    },
    letGo(): void {
      heldAt = null;
    },
    /** Stores the present state, and what the clock shows. Call it inside a unit of work. */
    persist,
    /** Reads the stored clock. Returns false when there is none; the clock is real time then. */
    restore(unit: Undoable): boolean {
      const row = load();
      if (row !== null) take(...readClock(row.value, newest()?.at ?? 0, real.epoch()), unit);
      return row !== null;
    },
  };
}

export type EmulatedClock = ReturnType<typeof createClock>;
