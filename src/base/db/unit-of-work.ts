import { type Cause, SERVICE } from "../kernel/cause.js";
import type { Log, RealTime } from "../kernel/runtime.js";
import { writeError } from "./database-error.js";
import type { OpenDatabase } from "./open.js";

export interface Commit {
  /** Runs once the change is durable, and never when it was undone or after a crash: use it to wake workers only. */
  afterCommit(hook: () => void): void;
  /**
   * The hook runs when the change was undone, by its own failure or by a failure of the whole transaction. It takes back the
   * unit's changes in memory beside the database. Hooks run in reverse order.
   */
  afterUndo(hook: () => void): void;
}

class Hooks implements Commit {
  readonly #committed: (() => void)[] = [];
  readonly #undone: (() => void)[] = [];

  /** These are fields, so that all units can share one object and need no closures of their own. */
  readonly afterCommit = (hook: () => void): void => void this.#committed.push(hook);
  readonly afterUndo = (hook: () => void): void => void this.#undone.push(hook);

  mark(): { readonly committed: number; readonly undone: number } {
    return { committed: this.#committed.length, undone: this.#undone.length };
  }

  /** Runs the `afterUndo` hooks since the mark and drops the others. */
  undoSince(mark: { readonly committed: number; readonly undone: number }): void {
    this.#committed.length = mark.committed;
    for (const hook of this.#undone.splice(mark.undone).reverse()) hook();
  }

  commit(): void {
    for (const hook of this.#committed) hook();
  }
}

/** The code or class of an error. Its message may hold parts of a request and does not belong into the log. */
function nameOf(reason: unknown): string {
  if (!(reason instanceof Error)) return typeof reason;
  return "code" in reason && typeof reason.code === "string" ? reason.code : reason.name;
}

function roundMs(ms: number): number {
  return Math.round(ms * 100) / 100;
}

const START = { committed: 0, undone: 0 };

interface Pending<Tx> {
  readonly work: (tx: Tx) => unknown;
  readonly cause: Cause;
  readonly isOnce: boolean;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * How a unit that fails is undone. `all`: nothing else is in the transaction, so that undoing the unit is undoing the
 * transaction. `savepoint`: the unit has one. `again`: the unit has none; when it has written something, the transaction
 * is undone and all of its units run again, with savepoints.
 */
type TransactionMode = "all" | "savepoint" | "again";

type UnitResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: unknown };

interface UnitOptions {
  readonly log?: Pick<Log, "debug">;
  /** True if units of a transaction may run once more without a savepoint. */
  readonly mayRunAgain?: boolean;
}

/**
 * Every write of the service goes through `write` or `writeOnce`. The writes of one turn of the event loop share one
 * database transaction, and a write that fails undoes only itself. No answer leaves before the COMMIT that makes its write
 * durable. An action cannot tell whether it shares its transaction.
 *
 * The reason for sharing: most of the cost of a durable create is the commit (the write-ahead log and its checkpoint).
 * Under load one commit serves many writes; a single request waits only for the end of its own turn.
 */
export class UnitOfWork<Tx> {
  readonly #statements;
  readonly #real: RealTime;
  readonly #begin: (commit: Commit, cause: Cause) => Tx;
  readonly #checkPlace: OpenDatabase["checkPlace"];
  readonly #log: Pick<Log, "debug">;
  readonly #firstMode: "again" | "savepoint";
  #queue: Pending<Tx>[] = [];

  constructor(
    { db, checkPlace }: Pick<OpenDatabase, "db" | "checkPlace">,
    real: RealTime,
    begin: (commit: Commit, cause: Cause) => Tx,
    { log = {}, mayRunAgain = true }: UnitOptions = {},
  ) {
    this.#firstMode = mayRunAgain ? "again" : "savepoint";
    this.#real = real;
    this.#log = log;
    this.#begin = begin;
    this.#checkPlace = checkPlace;
    this.#statements = {
      begin: db.prepare("BEGIN IMMEDIATE"),
      commit: db.prepare("COMMIT"),
      rollback: db.prepare("ROLLBACK"),
      savepoint: db.prepare("SAVEPOINT work"),
      release: db.prepare("RELEASE work"),
      undo: db.prepare("ROLLBACK TO work"),
      changes: db.prepare("SELECT total_changes() AS count"),
    };
  }

  /**
   * `work` may run twice, because a later unit of the same transaction has failed (docs/decisions/001-one-commit-per-turn.md).
   * The first run is undone before. So `work` takes back every change beside the database with `afterUndo`.
   */
  write<Result>(work: (tx: Tx) => Result, cause = SERVICE): Promise<Result> {
    return this.#enqueue(work, cause, false);
  }

  /** The same for work that must not run twice. It and the units behind it pay for a savepoint each. */
  writeOnce<Result>(work: (tx: Tx) => Result, cause = SERVICE): Promise<Result> {
    return this.#enqueue(work, cause, true);
  }

  #enqueue<Result>(work: (tx: Tx) => Result, cause: Cause, isOnce: boolean): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      if (this.#queue.length === 0) this.#real.callSoon(() => this.#flush());
      this.#queue.push({ work, cause, isOnce, resolve: resolve as (value: unknown) => void, reject });
    });
  }

  /**
   * Runs `work` at once, in a transaction of its own. It is for work that replaces contents which other writes of the same turn
   * would see. When `work` throws, all of it is undone. Do not call it inside another unit of work.
   */
  alone<Result>(work: (tx: Tx) => Result, cause = SERVICE): Result {
    const hooks = new Hooks();
    const started = this.#startOfLog();
    this.#checkPlace();
    this.#statements.begin.run();
    let result: Result;
    try {
      result = work(this.#begin(hooks, cause));
      this.#statements.commit.run();
    } catch (reason) {
      this.#rollBack(hooks);
      this.#log.debug?.("transaction rolled back", { units: 1, reason: nameOf(reason) });
      throw writeError(reason);
    }
    this.#logCommit(started, 1, 0);
    hooks.commit();
    return result;
  }

  /** Real milliseconds; 0 when they are not wanted. */
  #startOfLog(): number {
    return this.#log.debug === undefined ? 0 : this.#real.monotonic();
  }

  #logCommit(started: number, units: number, undone: number): void {
    this.#log.debug?.("transaction committed", {
      units,
      undone,
      duration_ms: roundMs(this.#real.monotonic() - started),
    });
  }

  #rollBack(hooks: Hooks): void {
    try {
      this.#statements.rollback.run();
    } catch {
      // SQLite rolls back by itself after some failures, such as a full disk. The error to report is `reason`.
    }
    hooks.undoSince(START);
  }

  #flush(): void {
    const batch = this.#queue;
    this.#queue = [];
    const hooks = new Hooks();
    const started = this.#startOfLog();
    let outcomes: UnitResult[];
    try {
      outcomes = this.#commit(batch, hooks);
    } catch (reason) {
      this.#log.debug?.("transaction rolled back", { units: batch.length, reason: nameOf(reason) });
      const error = writeError(reason);
      for (const entry of batch) entry.reject(error);
      return;
    }
    batch.forEach((entry, index) => {
      const outcome = outcomes[index];
      if (outcome?.ok) entry.resolve(outcome.value);
      else entry.reject(writeError(outcome?.reason));
    });
    this.#logCommit(started, batch.length, outcomes.filter(({ ok }) => !ok).length);
    hooks.commit();
  }

  /** Runs the whole batch in one transaction. Throws when none of it became durable. */
  #commit(batch: readonly Pending<Tx>[], hooks: Hooks): UnitResult[] {
    this.#checkPlace();
    return this.#runAll(batch, hooks, this.#firstMode) ?? this.#runAll(batch, hooks, "savepoint") ?? [];
  }

  /**
   * Runs the units of a transaction, those behind a first success in the given mode. Returns null when a unit without a
   * savepoint has failed and written something. Then everything is undone, and the units must run again.
   */
  #runAll(batch: readonly Pending<Tx>[], hooks: Hooks, mode: Exclude<TransactionMode, "all">): UnitResult[] | null {
    this.#statements.begin.run();
    try {
      const outcomes: UnitResult[] = [];
      let isEmpty = true;
      let next = mode;
      for (const entry of batch) {
        if (entry.isOnce) next = "savepoint";
        const outcome = this.#runOne(entry, hooks, isEmpty ? "all" : next);
        if (outcome === null) {
          this.#rollBack(hooks);
          return null;
        }
        if (outcome.ok) isEmpty = false;
        outcomes.push(outcome);
      }
      this.#statements.commit.run();
      return outcomes;
    } catch (reason) {
      this.#rollBack(hooks);
      throw reason;
    }
  }

  /** Returns null when the unit has failed and cannot be undone by itself. */
  #runOne(entry: Pending<Tx>, hooks: Hooks, mode: TransactionMode): UnitResult | null {
    const mark = hooks.mark();
    const changes = mode === "again" ? this.#changes() : 0;
    if (mode === "savepoint") this.#statements.savepoint.run();
    try {
      const value = entry.work(this.#begin(hooks, entry.cause));
      if (value instanceof Promise) throw new TypeError("a unit of work must not wait: its result is a promise");
      if (mode === "savepoint") this.#statements.release.run();
      return { ok: true, value };
    } catch (reason) {
      if (mode !== "again") this.#undo(reason, mode);
      else if (this.#changes() !== changes) return null;
      else this.#checkOpen(reason);
      this.#log.debug?.("unit of work rolled back", { reason: nameOf(reason) });
      hooks.undoSince(mark);
      return { ok: false, reason };
    }
  }

  /** The number of rows that this connection has changed, undone changes included. */
  #changes(): number {
    const row = this.#statements.changes.get();
    return typeof row === "object" && row !== null && "count" in row ? Number(row.count) : Number.NaN;
  }

  /**
   * Throws `reason` when SQLite has already undone the whole transaction, as on a full disk. Not every driver reports whether a
   * transaction is open, but none can begin one inside another.
   */
  #checkOpen(reason: unknown): void {
    try {
      this.#statements.begin.run();
    } catch {
      return;
    }
    throw reason;
  }

  /** Undoes one unit. Throws `reason` when SQLite has already undone the whole transaction, as on a full disk. */
  #undo(reason: unknown, mode: Exclude<TransactionMode, "again">): void {
    try {
      if (mode === "all") {
        this.#statements.rollback.run();
        this.#statements.begin.run();
        return;
      }
      this.#statements.undo.run();
      this.#statements.release.run();
    } catch {
      throw reason;
    }
  }
}
