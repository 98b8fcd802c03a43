import { type Snapshot, SnapshotError, type SnapshotStore } from "../db/snapshots/snapshot.js";
import type { StoredSecret } from "../db/stored-secret.js";
import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Mailer } from "../delivery/mailer.js";
import type { DeliveryWorker } from "../delivery/worker.js";
import type { Stores, Tx } from "../features/tx.js";
import type { EmulatedClock } from "../jobs/clock.js";
import type { Scheduler } from "../jobs/scheduler.js";
import { ApiError, fieldError } from "../kernel/errors.js";
import type { SnapshotControls } from "./control-interface.js";
import type { FaultRules } from "./fault-rules.js";
import type { RequestLog } from "./request-log.js";

/**
 * Snapshots of the whole emulator (docs/decisions/029-snapshots.md). To restore one has the same effect as to start with
 * the saved database and the options of this start, but the server goes on listening.
 */
export interface SnapshotParts {
  readonly store: SnapshotStore;
  readonly uow: UnitOfWork<Tx>;
  readonly clock: EmulatedClock;
  readonly scheduler: Scheduler;
  readonly stores: Pick<Stores, "accounts" | "transactions">;
  readonly secrets: readonly StoredSecret[];
  readonly signingKey: { forget(): void };
  readonly worker: DeliveryWorker;
  readonly mailer: Mailer;
  readonly faults: FaultRules;
  readonly requestLog: RequestLog;
  readonly rateLimiter: { clear(): void } | null;
  /** Resolves when the users of this start are stored: with a snapshot without them, nobody could log in. */
  readonly usersStored: () => Promise<void>;
  /** Called before the contents are replaced. It answers a function that writes what this start has shown into them. */
  readonly carryOver: (tx: Tx) => (next: Tx) => void;
}

/** The refusal for a SnapshotError. Every other error is answered as it is: the request did not cause it. */
function refusal(error: unknown): unknown {
  if (!(error instanceof SnapshotError)) return error;
  const { kind, message } = error;
  if (kind === "name") return fieldError("name", message);
  return new ApiError(kind === "unusable" ? "unprocessable_entity" : "internal_error", { message, cause: error });
}

/** Empties the caches of stored data, because the database holds other data now. */
function forget({ stores, secrets, signingKey }: SnapshotParts): void {
  stores.accounts.forget();
  stores.transactions.printed.clear();
  for (const secret of [...secrets, signingKey]) secret.forget();
}

/** Ends the work for the old contents and begins with the new. */
function beginAnew({ faults, requestLog, rateLimiter, worker, mailer }: SnapshotParts): void {
  faults.interrupt();
  requestLog.clear();
  rateLimiter?.clear();
  worker.forget();
  mailer.pump();
}

/** Replaces the contents in one transaction. When it fails, database, caches and clock are as before. */
function replaceAll(parts: SnapshotParts, replace: () => void): void {
  const { uow, clock } = parts;
  try {
    uow.alone((tx) => {
      const writeShown = parts.carryOver(tx);
      replace();
      forget(parts);
      if (tx.accounts.first() === null) throw new SnapshotError("unusable", "The snapshot holds no account.");
      for (const secret of parts.secrets) secret();
      clock.restore();
      clock.persist();
      // The results of attempts that were under way when the snapshot was saved are unknown.
      tx.webhooks.recoverClaimed();
      writeShown({ ...tx, now: clock.now() });
    });
  } catch (error) {
    forget(parts);
    clock.restore();
    throw error;
  }
  beginAnew(parts);
}

export function createSnapshotControls(parts: SnapshotParts): SnapshotControls {
  const { store, uow, scheduler, usersStored } = parts;

  async function restore(name: string): Promise<Snapshot> {
    // Writes that were asked for before belong to the old contents: this one waits until they are committed.
    await uow.write(() => undefined);
    const snapshot = store.restore(name, (replace) => replaceAll(parts, replace));
    if (snapshot !== null) return snapshot;
    const message = `There is no snapshot ${name}; \`sandbox snapshots list\` shows all.`;
    throw new ApiError("not_found", { message });
  }

  async function refusing(change: () => Promise<Snapshot>): Promise<Snapshot> {
    try {
      await usersStored();
      return await change();
    } catch (error) {
      throw refusal(error);
    }
  }

  return {
    list: () => store.list(),
    save: (name) => refusing(() => scheduler.exclusively(async () => store.save(name))),
    restore: (name) => refusing(() => scheduler.withJobsPaused(() => restore(name))),
  };
}
