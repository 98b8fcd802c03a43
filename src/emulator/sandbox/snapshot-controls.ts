import type { UnitOfWork } from "../../base/db/unit-of-work.js";
import type { Cause } from "../../base/kernel/cause.js";
import { ApiError, fieldError, shorten } from "../../base/kernel/errors.js";
import { recordClock } from "../../service/features/history/actions.js";
import type { BackgroundWork } from "../../service/features/noun.js";
import type { SaveUpload } from "../../service/features/operation.js";
import { extendShared, type Tx } from "../../service/features/tx.js";
import type { EmulatedClock } from "../../service/jobs/clock.js";
import type { Scheduler } from "../../service/jobs/scheduler.js";
import { explain, type Snapshot, SnapshotError, type SnapshotStore } from "../snapshots/snapshot.js";
import { type Caches, endOldWork, forgetContents } from "./caches.js";

/**
 * Snapshots of the whole emulator (docs/decisions/029-snapshots.md). To restore one has the same effect as to start with
 * the saved database and the options of this start, but the server goes on listening.
 */
export interface SnapshotParts {
  readonly caches: Caches;
  readonly store: SnapshotStore;
  readonly uow: UnitOfWork<Tx>;
  readonly clock: EmulatedClock;
  readonly scheduler: Scheduler;
  readonly background: Pick<BackgroundWork, "lookAgain">;
  /** Resolves when the users of this start are stored. In a snapshot without them, nobody could log in. */
  readonly usersStored: () => Promise<void>;
  /**
   * Called before the contents are replaced. Returns a function that writes the keys and secrets of this start into the new
   * ones.
   */
  readonly carryOver: (tx: Tx) => (next: Tx) => void;
}

/** Returns the refusal for a SnapshotError. Every other error stays as it is, because the request did not cause it. */
function refusal(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  const explained = explain(error);
  if (!(explained instanceof SnapshotError)) return error;
  const { kind, message } = explained;
  if (kind === "name") return fieldError("name", message);
  return new ApiError(kind === "unusable" ? "unprocessable_entity" : "internal_error", { message, cause: error });
}

/** Replaces the contents in one transaction. When it fails, database, caches and clock are as before. */
function replaceAll(parts: SnapshotParts, replace: () => void, cause: Cause): void {
  const { uow, clock } = parts;
  try {
    uow.alone((tx) => {
      const writeShown = parts.carryOver(tx);
      replace();
      forgetContents(parts.caches);
      if (tx.accounts.first() === null) throw new SnapshotError("unusable", "The snapshot holds no account.");
      for (const secret of parts.caches.secrets) secret();
      clock.restore(tx);
      clock.persist();
      // The results of attempts that were under way when the snapshot was saved are unknown.
      tx.webhooks.recoverClaimed();
      const then = extendShared(tx, { now: clock.now() });
      writeShown(then);
      recordClock(then, "restore", { from: tx.now });
    }, cause);
  } catch (error) {
    forgetContents(parts.caches);
    throw error;
  }
  endOldWork(parts.caches);
  parts.background.lookAgain();
}

/** How many files may be received at once. Each may take as much of the disk as one import may. */
const MAX_RECEIVING = 4;

function unknown(name: string): ApiError {
  const message = `There is no snapshot ${shorten(name)}; \`qa-pay sandbox snapshots list\` shows all.`;
  return new ApiError("not_found", { message });
}

/** Returns the snapshot of this name. Throws a 404 when there is none. */
function requireFound<Found>(name: string, found: Found | null): Found {
  if (found === null) throw unknown(name);
  return found;
}

/** Carries out a change when the users of this start are stored, and throws what it throws as a refusal. */
function refuseAfter(usersStored: SnapshotParts["usersStored"]) {
  return async <Result>(change: () => Promise<Result>): Promise<Result> => {
    try {
      await usersStored();
      return await change();
    } catch (error) {
      throw refusal(error);
    }
  };
}

export type SnapshotControls = ReturnType<typeof createSnapshotControls>;

/** Returns the controls of snapshots. They throw ApiError for an unknown name. */
export function createSnapshotControls(parts: SnapshotParts) {
  const { store, uow, scheduler, usersStored } = parts;
  let receiving = 0;

  async function restore(name: string, cause: Cause): Promise<Snapshot> {
    // Earlier writes belong to the old contents, so this waits until they are committed.
    await uow.write(() => undefined);
    return requireFound(
      name,
      store.restore(name, (replace) => replaceAll(parts, replace, cause)),
    );
  }

  async function adopt(name: string, save: SaveUpload): Promise<Snapshot> {
    if (receiving >= MAX_RECEIVING) {
      const message = `${MAX_RECEIVING} snapshots are being imported already. Wait for one, then try again.`;
      throw new ApiError("service_unavailable", { message });
    }
    // Before the file is received, because a refused name need not wait for it.
    store.checkName(name);
    const place = store.place();
    receiving += 1;
    try {
      await save(place.file);
      return await scheduler.exclusively(async () => store.adopt(name, place.file));
    } finally {
      receiving -= 1;
      place.remove();
    }
  }

  const refusing = refuseAfter(usersStored);

  return {
    /** The newest first. */
    list: () => store.list(),
    /** Saves the present state under `name`, in place of an older snapshot of that name. Throws ApiError. */
    save: (name: string) => refusing(() => scheduler.exclusively(async () => store.save(name))),
    /** Puts the saved state in place of the present one. When it throws an ApiError, nothing was changed. */
    restore: (name: string, cause: Cause) => refusing(() => scheduler.withJobsPaused(() => restore(name, cause))),
    /** Throws ApiError when there is no snapshot of that name. */
    remove: (name: string) =>
      refusing(() =>
        scheduler.exclusively(async () => {
          if (!store.remove(name)) throw unknown(name);
        }),
      ),
    /** Opens a snapshot as a database file. Throws ApiError. */
    open: (name: string) => refusing(() => scheduler.exclusively(async () => requireFound(name, store.open(name)))),
    /**
     * Creates a snapshot from a file from outside, in place of an older one of that name. `save` writes the file to a path.
     * Throws ApiError; nothing was changed then.
     */
    adopt: (name: string, save: SaveUpload) => refusing(() => adopt(name, save)),
  };
}
