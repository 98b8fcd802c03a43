import type { Db } from "../db/driver.js";
import { emptyTables } from "../db/refill.js";
import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Chaos } from "../delivery/chaos.js";
import { addUsers, hashPasswords, newAccount, openAccount, usersFor } from "../features/access/actions.js";
import type { Controls, SnapshotControls } from "../features/operation.js";
import type { Tx } from "../features/tx.js";
import type { EmulatedClock } from "../jobs/clock.js";
import type { Scheduler } from "../jobs/scheduler.js";
import { fieldError } from "../kernel/errors.js";
import type { Ids, Random } from "../kernel/runtime.js";
import { iso, MAX_INSTANT } from "../kernel/time.js";
import { VERSION } from "../version.js";
import type { Faults } from "./faults.js";
import { endOldWork, forgetContents, type Memory } from "./memory.js";
import type { RequestLog } from "./request-log.js";

export interface ControlParts extends Memory {
  readonly db: Db;
  readonly uow: UnitOfWork<Tx>;
  readonly clock: EmulatedClock;
  readonly scheduler: Scheduler;
  readonly ids: Ids;
  readonly random: Random;
  readonly requestLog: RequestLog;
  readonly faults: Faults;
  readonly chaos: Chaos;
  readonly snapshots: SnapshotControls;
  readonly startFrozen: boolean;
  /** Registers the forward target of the account again, as this start was asked to. */
  readonly restoreForward: (tx: Tx, accountId: string) => void;
}

/** The tables that a reset leaves alone. It empties all others, also those that are added one day. */
const KEPT_TABLES = [
  // The clock is reset by itself. The keys here sign addresses and tokens that clients still hold.
  "settings",
  // The first account stays as clients know it; `reset` removes the others, with everything in the tables below.
  "accounts",
  "books",
  "api_keys",
  "users",
  // The forward target stays under its id and secret, which the application behind it was told.
  "endpoints",
  // A token that was logged out must not work again.
  "revoked_tokens",
];

/** Passwords are hashed before anything is written, so that an account is there with its users or not at all. */
async function openWithUsers({ uow, ids, random, clock }: ControlParts, name: string) {
  const account = newAccount(name, { ids, random, now: clock.now() });
  const users = usersFor(account, false, random);
  const hashed = await hashPasswords(users, random);
  return uow.write((tx) => {
    const opened = openAccount(tx, account);
    addUsers(tx, hashed);
    return { opened, users };
  });
}

function clockControls({ uow, clock, scheduler }: ControlParts): Controls["clock"] {
  function change(how: (tx: Tx) => void): Promise<{ now: string; frozen: boolean }> {
    return scheduler.exclusively(async () => {
      await uow.write(how);
      scheduler.rearm();
      return clock.show();
    });
  }
  return {
    show: () => clock.show(),
    async advance(target) {
      const now = clock.now();
      const at = "to" in target ? target.to : now + Math.round(target.seconds * 1_000);
      const param = "to" in target ? "to" : "seconds";
      if (at < now) throw fieldError(param, `is before the emulated now, ${iso(now)}; time only goes forward`);
      if (at > MAX_INSTANT) throw fieldError(param, "goes beyond 9999-12-31");
      await scheduler.advance(at);
      return clock.show();
    },
    freeze: () => change((tx) => clock.freezeAt(clock.now(), tx)),
    resume: () => change((tx) => clock.runFrom(clock.now(), tx)),
  };
}

export function createControls(parts: ControlParts): Controls {
  const { db, uow, clock, scheduler, requestLog } = parts;

  function reset(tx: Tx): void {
    emptyTables(db, KEPT_TABLES);
    forgetContents(parts);
    db.exec("DELETE FROM endpoints WHERE origin <> 'forward'");
    const first = tx.accounts.first();
    if (first === null) throw new Error("the account of the first start is gone");
    for (const { id } of tx.accounts.otherThan(first.id)) {
      db.prepare("DELETE FROM endpoints WHERE book_id IN (SELECT id FROM books WHERE account_id = ?)").run(id);
      tx.users.removeOf(id);
      tx.accounts.removeKeysOf(id);
      tx.accounts.removeBooksOf(id);
      tx.accounts.remove(id);
    }
    parts.restoreForward(tx, first.id);
  }

  /** What is in memory alone is as after a start, too. */
  function forget(): void {
    parts.faults.clear();
    parts.chaos.clear();
    endOldWork(parts);
  }

  return {
    version: VERSION,
    requests: (query) => requestLog.search(query),
    faults: parts.faults,
    chaos: parts.chaos,
    clock: clockControls(parts),
    // A snapshot that is taken or restored in between would leave it without its users.
    openAccount: (name) => scheduler.exclusively(() => openWithUsers(parts, name)),
    snapshots: parts.snapshots,
    reset: () =>
      scheduler.quietly(() =>
        uow.write((tx) => {
          reset(tx);
          clock.reset(parts.startFrozen, tx);
          tx.afterCommit(forget);
        }),
      ),
  };
}
