import { createRequire } from "node:module";
import { loadBundledSqlite } from "../../src/base/db/bundled-sqlite.js";
import type { Db, Statement } from "../../src/base/db/driver.js";
import { loadDriver } from "../../src/base/db/load-driver.js";

/**
 * The seam below the product's storage: it counts the statements that change something, BEGIN and COMMIT included, and
 * can let one of them fail or call back before it.
 */

export interface Storage {
  /** The next statements are counted from 1; before the one with this number, `act` is called. It may throw. */
  arm(number: number, act: () => void): void;
  /** Returns whether the armed statement was reached. */
  disarm(): boolean;
  /** Takes the seam away. */
  remove(): void;
}

const BUNDLED = "@photostructure/sqlite";

const diskIsFull = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

/** Throws what SQLite throws when there is no room. */
export function failAsFull(): void {
  throw diskIsFull();
}

const textOf = (statement: object) => String(Reflect.get(statement, "source") ?? Reflect.get(statement, "sourceSQL"));

/** Calls `before` before each statement that changes something, with its text. Returns what ends that. */
function watch(before: (text: string) => void): () => void {
  const driver = loadDriver();
  if (driver.name === BUNDLED) return watchBundled(before);
  const probe = driver.open(":memory:");
  const prototype: Statement = Object.getPrototypeOf(probe.prepare("SELECT 1"));
  probe.close();
  const { run } = prototype;
  prototype.run = function (this: Statement, ...values) {
    before(textOf(this));
    return run.apply(this, values);
  };
  return () => {
    prototype.run = run;
  };
}

/** The same for the driver whose classes nobody can change: databases that are opened from now on are of another class. */
function watchBundled(before: (text: string) => void): () => void {
  const module = loadBundledSqlite(createRequire(import.meta.url)) as { DatabaseSync: new (file: string) => Db };
  const { DatabaseSync } = module;
  module.DatabaseSync = class extends DatabaseSync {
    override prepare(sql: string): Statement {
      const statement = super.prepare(sql);
      const run: Statement["run"] = statement.run.bind(statement);
      const value: Statement["run"] = (...values) => {
        before(sql);
        return run(...values);
      };
      return Object.defineProperty(statement, "run", { value });
    }
  };
  return () => {
    module.DatabaseSync = DatabaseSync;
  };
}

/** Puts the seam below every statement of this process, whichever driver is in use. */
export function seamOfStorage(): Storage {
  let left = Number.POSITIVE_INFINITY;
  let action: (() => void) | null = null;
  const remove = watch((text) => {
    // A rollback that fails would say more about this seam than about the service.
    if (action === null || text.startsWith("ROLLBACK")) return;
    left -= 1;
    if (left > 0) return;
    const act = action;
    action = null;
    act();
  });
  return {
    arm(number, act) {
      left = number;
      action = act;
    },
    disarm() {
      const isReached = action === null;
      action = null;
      return isReached;
    },
    remove,
  };
}
