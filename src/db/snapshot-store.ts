import type { Db } from "./driver.js";
import { brokenReference, refill } from "./refill.js";

/** Named copies of everything in a database: what both ways of keeping them share. */

export interface StoredSnapshot {
  readonly name: string;
  /** Real milliseconds: emulated time goes back with a restore, and would put snapshots out of order. */
  readonly createdAt: number;
  /** Bytes. */
  readonly size: number;
  /** Absolute path; null in memory. */
  readonly file: string | null;
}

/** Begins a transaction, calls `refill` in it and commits. Whatever throws must undo all of it. */
export type RefillTransaction = (refill: () => void) => void;

/** No method waits, so that no other write gets in between. Names are such as SNAPSHOT_NAME takes. */
export interface SnapshotStore {
  /** Newest first. */
  list(): StoredSnapshot[];
  /** Replaces the snapshot of that name. Throws SnapshotError (`name`, `storage`). */
  save(name: string): StoredSnapshot;
  /**
   * Puts everything back as it was; null when there is no snapshot of that name. Not to be called inside a transaction.
   * Throws SnapshotError (`unusable`, `storage`) and what `run` throws.
   */
  restore(name: string, run: RefillTransaction): StoredSnapshot | null;
}

/** What is a file name on every system, and never more than that. */
export const SNAPSHOT_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A snapshot can be neither saved nor restored. Nothing has changed then. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";

  constructor(
    /** `name`: it is too like another one. `unusable`: the snapshot's fault. `storage`: the disk's. */
    readonly kind: "name" | "unusable" | "storage",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** One file system's two files may be another's one. */
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
 * What went wrong, told apart by the codes and texts of SQLite and of the file system. What is neither the disk's fault
 * nor, where that may be, the snapshot's, stays itself.
 */
export function explain(error: unknown, unusable?: (why: string) => SnapshotError): unknown {
  if (error instanceof SnapshotError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  // The file system's messages hold the path, in which any word may stand; its codes do not.
  const text = /^E[A-Z]+$/.test(code) ? code : `${code} ${message}`;
  if (NO_ROOM.test(text))
    return new SnapshotError("storage", "There is no room left on the disk. Nothing was changed.", error);
  if (NO_ACCESS.test(text))
    return new SnapshotError("storage", `The disk refuses it: ${message}. Nothing was changed.`, error);
  return unusable !== undefined && UNFIT.test(text) ? unusable(message) : error;
}

/** `source` names where the rows of a table are, in SQL; `unusable` says what is wrong with them. */
export function refillFrom(
  db: Db,
  source: (table: string) => string,
  unusable: (why: string) => SnapshotError,
  run: RefillTransaction,
): void {
  // Row by row they would forbid emptying a table: they are checked at the end.
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
