import type { Statement } from "../../src/db/driver.js";
import { loadDriver } from "../../src/db/load-driver.js";

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

const diskIsFull = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

/** Throws what SQLite throws when there is no room. */
export function failAsFull(): void {
  throw diskIsFull();
}

const textOf = (statement: object) => String(Reflect.get(statement, "source") ?? Reflect.get(statement, "sourceSQL"));

/** Puts the seam below every statement of this process, whichever driver is in use. */
export function seamOfStorage(): Storage {
  const probe = loadDriver().open(":memory:");
  const prototype: Statement = Object.getPrototypeOf(probe.prepare("SELECT 1"));
  probe.close();
  let left = Number.POSITIVE_INFINITY;
  let action: (() => void) | null = null;
  const { run } = prototype;
  prototype.run = function (this: Statement, ...values) {
    // A rollback that fails would say more about this seam than about the service.
    if (action !== null && !textOf(this).startsWith("ROLLBACK")) {
      left -= 1;
      if (left <= 0) {
        const act = action;
        action = null;
        act();
      }
    }
    return run.apply(this, values);
  };
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
    remove() {
      prototype.run = run;
    },
  };
}
