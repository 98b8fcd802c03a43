import type { Db } from "./driver.js";
import { brokenReference, refill } from "./refill.js";

/** Named copies of a whole database: what snapshots in files and snapshots in memory have in common. */

export interface StoredSnapshot {
  readonly name: string;
  /**
   * Real time, milliseconds since the Unix epoch. A restore takes emulated time back, so emulated time would not give
   * the order of snapshots.
   */
  readonly createdAt: number;
  /** Bytes. */
  readonly size: number;
  /** Absolute path; null in memory. */
  readonly file: string | null;
}

/** Begins a transaction, calls `refill` in it and commits. When anything throws, it must undo the whole transaction. */
export type RefillTransaction = (refill: () => void) => void;

/** All methods are synchronous, so that no other write comes in between. Names must match SNAPSHOT_NAME. */
export interface SnapshotStore {
  /** Newest first. */
  list(): StoredSnapshot[];
  /**
   * Saves the database under a name, in place of the snapshot that had it. Throws SnapshotError (`name`, `storage`).
   */
  save(name: string): StoredSnapshot;
  /**
   * Puts everything back as it was. Returns null when there is no snapshot of that name. Do not call it inside a
   * transaction. Throws SnapshotError (`unusable`, `storage`) and whatever `run` throws.
   */
  restore(name: string, run: RefillTransaction): StoredSnapshot | null;
}

/** A text that is a valid file name on every operating system and is no path. */
export const SNAPSHOT_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A snapshot can be neither saved nor restored. Nothing has changed then. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";

  constructor(
    /**
     * `name`: the name is too similar to another one. `unusable`: the snapshot is at fault. `storage`: the disk is at
     * fault.
     */
    readonly kind: "name" | "unusable" | "storage",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Two names that differ by case alone are two files on one system and the same file on another. */
export function refuseAlike(name: string, known: readonly StoredSnapshot[]): void {
  const alike = known.find((one) => one.name !== name && one.name.toLowerCase() === name.toLowerCase());
  if (alike !== undefined) throw new SnapshotError("name", `differs from the snapshot ${alike.name} by its case alone`);
}

export function newestFirst(one: StoredSnapshot, other: StoredSnapshot): number {
  return other.createdAt - one.createdAt || (one.name < other.name ? -1 : 1);
}

const NO_ROOM = /SQLITE_FULL|disk is full|ENOSPC|EDQUOT|EFBIG/;
const NO_ACCESS =
  /SQLITE_(?:IOERR|CANTOPEN|READONLY)|I\/O error|readonly|unable to open|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR/;
const UNFIT =
  /SQLITE_(?:CORRUPT|NOTADB|CONSTRAINT)|malformed|not a database|constraint failed|no such (?:table|column)/;

/**
 * Turns an error of SQLite or of the file system into a SnapshotError, by its code or text. `unusable` makes the error
 * for a fault of the snapshot. Any other error is returned as it is.
 */
export function explain(error: unknown, unusable?: (why: string) => SnapshotError): unknown {
  if (error instanceof SnapshotError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  // Messages of the file system contain the path, which may contain any of these words. Its codes do not.
  const text = /^E[A-Z]+$/.test(code) ? code : `${code} ${message}`;
  if (NO_ROOM.test(text))
    return new SnapshotError("storage", "There is no room left on the disk. Nothing was changed.", error);
  if (NO_ACCESS.test(text))
    return new SnapshotError("storage", `The disk refuses it: ${message}. Nothing was changed.`, error);
  return unusable !== undefined && UNFIT.test(text) ? unusable(message) : error;
}

/**
 * Refills all tables in the transaction that `run` opens. `source` names, in SQL, the table that has the new rows of a
 * table. `unusable` makes the error for rows that do not fit.
 */
export function refillFrom(
  db: Db,
  source: (table: string) => string,
  unusable: (why: string) => SnapshotError,
  run: RefillTransaction,
): void {
  // Foreign keys would forbid emptying a table that others refer to. They are checked at the end instead.
  db.exec("PRAGMA foreign_keys = OFF");
  try {
    run(() => {
      try {
        refill(db, source);
      } catch (error) {
        throw explain(error, unusable);
      }
      const broken = brokenReference(db);
      if (broken !== null) throw unusable(`rows of ${broken} belong to nothing`);
    });
  } catch (error) {
    throw explain(error);
  } finally {
    db.exec("PRAGMA foreign_keys = ON");
  }
}
