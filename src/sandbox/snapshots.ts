import { SnapshotError, type SnapshotStore } from "../db/snapshot-store.js";
import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Mailer } from "../delivery/mailer.js";
import type { Snapshot, SnapshotControls } from "../features/operation.js";
import type { Tx } from "../features/tx.js";
import type { EmulatedClock } from "../jobs/clock.js";
import type { Scheduler } from "../jobs/scheduler.js";
import { ApiError, fieldError } from "../kernel/errors.js";
import { endOldWork, forgetContents, type Memory } from "./memory.js";

/**
 * Snapshots of the whole emulator (docs/decisions/029-snapshots.md). Restoring one is like starting on a copy of the
 * database as it was, with the flags of this start, while the server goes on listening.
 */
export interface SnapshotParts extends Memory {
  readonly store: SnapshotStore;
  readonly uow: UnitOfWork<Tx>;
  readonly clock: EmulatedClock;
  readonly scheduler: Scheduler;
  readonly mailer: Mailer;
  /** Comes back once the users of this start are stored: a snapshot without them would lock them out. */
  readonly usersStored: () => Promise<void>;
  /** Asked before the contents are replaced; answers what puts what this start promised into those that come. */
  readonly carryOver: (tx: Tx) => (next: Tx) => void;
}

/** What the client is told; nothing else than a SnapshotError is about the request. */
function refusal(error: unknown): unknown {
  if (!(error instanceof SnapshotError)) return error;
  const { kind, message } = error;
  if (kind === "name") return fieldError("name", message);
  return new ApiError(kind === "unusable" ? "unprocessable_entity" : "internal_error", { message, cause: error });
}

/** One transaction, after which nothing speaks of what was there before, or as if nobody had asked. */
function replaceAll(parts: SnapshotParts, refill: () => void): void {
  const { uow, clock } = parts;
  try {
    uow.alone((tx) => {
      const keepPromises = parts.carryOver(tx);
      refill();
      forgetContents(parts);
      if (tx.accounts.first() === null) throw new SnapshotError("unusable", "The snapshot holds no account.");
      for (const key of parts.keys) key();
      clock.restore();
      clock.persist();
      // Attempts that were under way when it was saved never reported back.
      tx.webhooks.recoverClaimed();
      keepPromises({ ...tx, now: clock.now() });
    });
  } catch (error) {
    forgetContents(parts);
    clock.restore();
    throw error;
  }
  endOldWork(parts);
  parts.mailer.pump();
}

export function createSnapshotControls(parts: SnapshotParts): SnapshotControls {
  const { store, uow, scheduler, usersStored } = parts;

  async function restore(name: string): Promise<Snapshot> {
    // What was asked for before belongs to what is about to go: it is written there, and goes with it.
    await uow.write(() => undefined);
    const snapshot = store.restore(name, (refill) => replaceAll(parts, refill));
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
    restore: (name) => refusing(() => scheduler.quietly(() => restore(name))),
  };
}
