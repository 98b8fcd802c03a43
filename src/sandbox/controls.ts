import type { Db } from "../db/driver.js";
import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Chaos } from "../delivery/chaos.js";
import type { DeliveryWorker } from "../delivery/worker.js";
import { addUsers, hashPasswords, newAccount, openAccount, usersFor } from "../features/access/actions.js";
import type { Tx } from "../features/tx.js";
import type { EmulatedClock } from "../jobs/clock.js";
import type { Scheduler } from "../jobs/scheduler.js";
import { fieldError } from "../kernel/errors.js";
import type { Ids, Random } from "../kernel/runtime.js";
import { iso, MAX_INSTANT } from "../kernel/time.js";
import { VERSION } from "../version.js";
import type { ClockControls, ClockState, Controls, SnapshotControls } from "./control-interface.js";
import type { FaultRules } from "./fault-rules.js";
import type { RequestLog } from "./request-log.js";

export interface ControlParts {
  readonly db: Db;
  readonly uow: UnitOfWork<Tx>;
  readonly clock: EmulatedClock;
  readonly scheduler: Scheduler;
  readonly worker: Pick<DeliveryWorker, "forget">;
  readonly ids: Ids;
  readonly random: Random;
  readonly requestLog: RequestLog;
  readonly faults: FaultRules;
  readonly chaos: Chaos;
  readonly rateLimiter: { clear(): void } | null;
  readonly snapshots: SnapshotControls;
  readonly startFrozen: boolean;
  /** Makes the forward target that the options of this start ask for. */
  readonly restoreForward: (tx: Tx, accountId: string) => void;
}

/** Emptied by a reset, children before parents. Accounts, books, keys, users and revoked tokens are not here. */
const RESET_TABLES = [
  "delivery_attempts",
  "deliveries",
  "idempotency_keys",
  "events",
  "jobs",
  "tranches",
  "ledger_entries",
  "ledger_journals",
  "ledger_balances",
  "emails",
  "med_evidence",
  "med_cases",
  "refunds",
  "payouts",
  "daily_figures",
  "payment_times",
  "transactions",
  "audit",
] as const;

/** Opens an account with its users, in one unit of work. The passwords are hashed before: hashing cannot run inside. */
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

function clockControls({ uow, clock, scheduler }: ControlParts): ClockControls {
  function change(how: (tx: Tx) => void): Promise<ClockState> {
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
    for (const table of RESET_TABLES) db.exec(`DELETE FROM ${table}`);
    tx.transactions.printed.clear();
    // The forward target keeps its id and secret: the application behind it knows them.
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

  /** Brings the state in memory back to that after a start. */
  function forget(): void {
    parts.faults.reset();
    parts.chaos.clear();
    requestLog.clear();
    parts.rateLimiter?.clear();
    parts.worker.forget();
  }

  return {
    version: VERSION,
    requests: (query) => requestLog.search(query),
    faults: parts.faults,
    chaos: parts.chaos,
    clock: clockControls(parts),
    // Exclusively: a snapshot or a restore in between would separate the account from its users.
    openAccount: (name) => scheduler.exclusively(() => openWithUsers(parts, name)),
    snapshots: parts.snapshots,
    reset: () =>
      scheduler.withJobsPaused(() =>
        uow.write((tx) => {
          reset(tx);
          clock.reset(parts.startFrozen, tx);
          tx.afterCommit(forget);
        }),
      ),
  };
}
