import { NO_ROOM } from "../../base/db/database-error.js";
import type { Db } from "../../base/db/driver.js";
import { findBrokenReference, replaceContents } from "../../base/db/replace-contents.js";
import { errorCode, reasonOf } from "../../base/kernel/reason.js";
import type { OpenFile } from "../../service/features/operation.js";
import { dropContents, type SnapshotContents } from "./contents.js";

/** Snapshots: named copies of all contents of a database. This file has the parts that the two stores share. */

export interface Snapshot {
  readonly name: string;
  /** Real milliseconds since the epoch. Emulated time goes back with a restore, so it cannot order snapshots. */
  readonly createdAt: number;
  /** Bytes. */
  readonly size: number;
  /** The absolute path of its file; null for a snapshot in memory. */
  readonly file: string | null;
  /** Null when the file cannot be read. */
  readonly contents: SnapshotContents | null;
}

/** A place for a file that is being received. Nobody but the owner may read the file that is written there. */
export interface Draft {
  readonly file: string;
  remove(): void;
}

/** Begins a transaction, calls `replace` in it and commits. When anything throws, it must roll all of it back. */
export type ReplacingTransaction = (replace: () => void) => void;

/** Every method is synchronous, so that no other write comes in between. Names match SNAPSHOT_NAME. */
export interface SnapshotStore {
  /** Newest first. */
  list(): Snapshot[];
  /** Saves the present contents under `name`, in place of an older snapshot of that name. Throws SnapshotError (`name`, `storage`). */
  save(name: string): Snapshot;
  /**
   * Puts the saved contents back. Returns null when there is no snapshot of that name. Must not be called inside a
   * transaction. Throws SnapshotError (`unusable`, `storage`) and whatever `run` throws.
   */
  restore(name: string, run: ReplacingTransaction): Snapshot | null;
  /** Removes a snapshot. Returns false when there is none of that name. Throws SnapshotError (`storage`). */
  remove(name: string): boolean;
  /**
   * Opens a snapshot as a database file. What happens to the snapshot later does not change the open file. Returns null
   * when there is no snapshot of that name. Throws SnapshotError (`storage`).
   */
  open(name: string): OpenFile | null;
  /** Throws SnapshotError (`name`) for a name that a new snapshot cannot have. */
  checkName(name: string): void;
  /** A new place for a file from outside. Throws SnapshotError (`storage`). */
  place(): Draft;
  /**
   * Creates a snapshot of the database in `file`, which may come from anybody, in place of an older snapshot of that name.
   * Throws SnapshotError (`name`, `unusable`, `storage`); nothing was changed then.
   */
  adopt(name: string, file: string): Snapshot;
}

/** Matches names that are one file name on every operating system, and never a path. */
export const SNAPSHOT_NAME = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[a-z0-9][a-z0-9._-]{0,63}$/i;

/** A snapshot cannot be saved or restored. Nothing was changed. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";

  constructor(
    /** `name`: the name is too similar to another. `unusable`: the snapshot is at fault. `storage`: the disk is. */
    readonly kind: "name" | "unusable" | "storage",
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** Refuses a name that differs from a known one by its case alone: some file systems take both for the same file. */
export function refuseAlike(name: string, known: readonly Snapshot[]): void {
  const alike = known.find((one) => one.name !== name && one.name.toLowerCase() === name.toLowerCase());
  if (alike !== undefined) throw new SnapshotError("name", `differs from the snapshot ${alike.name} by its case alone`);
}

export function newestFirst(one: Snapshot, other: Snapshot): number {
  return other.createdAt - one.createdAt || (one.name < other.name ? -1 : 1);
}

const NO_ACCESS =
  /SQLITE_(?:IOERR|CANTOPEN|READONLY)|I\/O error|readonly|unable to open|EACCES|EPERM|EROFS|ENOTDIR|EEXIST|EISDIR/;
const UNFIT =
  /SQLITE_(?:CORRUPT|NOTADB|CONSTRAINT)|malformed|not a database|constraint failed|no such (?:table|column)/;

/**
 * Turns an error of SQLite or of the file system into a SnapshotError, by its code and text. With `unusable`, an error that the
 * snapshot may have caused becomes one too. Returns every other error as it is.
 */
export function explain(error: unknown, unusable?: (why: string) => SnapshotError): unknown {
  if (error instanceof SnapshotError) return error;
  const code = errorCode(error) ?? "";
  const message = reasonOf(error);
  // A message of the file system holds the path, and a path may hold any word. The code does not.
  const text = /^E[A-Z]+$/.test(code) ? code : `${code} ${message}`;
  if (NO_ROOM.test(text))
    return new SnapshotError("storage", "There is no room left on the disk. Nothing was changed.", error);
  if (NO_ACCESS.test(text))
    return new SnapshotError("storage", `The disk refuses it: ${message}. Nothing was changed.`, error);
  return unusable !== undefined && UNFIT.test(text) ? unusable(message) : error;
}

/** Runs work on files. Its errors are explained by `explain`. */
export function explainErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explain(error);
  }
}

/**
 * Replaces the contents of the database inside the transaction of `run`. `source` returns the SQL name of the table to copy
 * from; `unusable` returns the error for rows that do not fit.
 */
export function replaceFrom(
  db: Db,
  source: (table: string) => string,
  unusable: (why: string) => SnapshotError,
  run: ReplacingTransaction,
): void {
  // Checked at the end instead: row by row, foreign keys would forbid to empty a table.
  db.exec("PRAGMA foreign_keys = OFF");
  const replace = () => {
    try {
      replaceContents(db, source);
    } catch (error) {
      throw explain(error, unusable);
    }
    dropContents(db);
    const broken = findBrokenReference(db);
    if (broken !== null) throw unusable(`rows of ${broken} refer to rows that do not exist`);
  };
  try {
    explainErrors(() => run(replace));
  } finally {
    db.exec("PRAGMA foreign_keys = ON");
  }
}
