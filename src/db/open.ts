import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseError } from "./database-error.js";
import type { Db } from "./driver.js";
import { type Driver, loadDriver } from "./load-driver.js";
import { MIGRATIONS } from "./migrations/index.js";
import { LOCK, makeFile, makeFolder, namesOf, tighten, tightenDatabase, watchPlace, withoutLinks } from "./place.js";

/** Written into the header of the file, so that a SQLite file of another program is never taken for ours. */
export const APPLICATION_ID = 0x71706179; // "qpay"
/**
 * In the header of databases from before the first release. Their versions count other migrations, so a version number
 * alone would take such a file for one of ours.
 */
export const DEVELOPMENT_ID = 0x71617079; // "qapy"

function pragma(db: Db, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>)[0]);
}

function explain(file: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  // Messages of the file system contain the path, which may contain any of these words. Its codes do not.
  const text = /^E[A-Z]+$/.test(code) ? code : `${code} ${message}`;
  const because = (why: string) => new DatabaseError(`Cannot use the database ${file}: ${why}`, { cause: error });
  if (/BUSY|locked/i.test(text)) {
    const way = "Stop that one, or choose another file with --db.";
    return Object.assign(because(`another qa-pay server is using it. ${way}`), { isInUse: true });
  }
  if (/NOTADB|not a database|CORRUPT|malformed/i.test(text)) {
    return because("the file is damaged or is no SQLite database. Move it away, or choose another file with --db.");
  }
  if (/READONLY|readonly|EACCES|EROFS|EPERM|ENOENT|EEXIST|CANTOPEN|unable to open|ENOTDIR|EISDIR|ELOOP/i.test(text)) {
    return because("the file or its folder cannot be written. Choose a place you may write to with --db.");
  }
  return because(message);
}

/** The version of a database's schema. Throws DatabaseError for a file that these migrations cannot bring up to date. */
export function usableVersion(db: Db, file: string, migrations: readonly string[]): number {
  const version = pragma(db, "user_version");
  const owner = pragma(db, "application_id");
  if (owner === DEVELOPMENT_ID) {
    throw new DatabaseError(
      `Cannot use the database ${file}: a development version of qa-pay, older than the first release, made it, and it ` +
        "cannot be brought up to date. Move it away, or choose another file with --db.",
    );
  }
  const tables = Number((db.prepare("SELECT COUNT(*) AS n FROM sqlite_master").get() as { n: number }).n);
  if (owner !== APPLICATION_ID && (owner !== 0 || tables > 0)) {
    throw new DatabaseError(
      `Cannot use the database ${file}: it belongs to another program. Choose another with --db.`,
    );
  }
  if (version > migrations.length) {
    throw new DatabaseError(
      `Cannot use the database ${file}: it was written by a newer version of qa-pay ` +
        `(schema ${version}, this one knows ${migrations.length}). Update qa-pay, or choose another file with --db.`,
    );
  }
  return version;
}

/** All in one transaction: when a migration fails, the file stays as it was. */
function migrate(db: Db, file: string, migrations: readonly string[]): void {
  const version = usableVersion(db, file, migrations);
  if (version === migrations.length) return;
  db.exec("BEGIN IMMEDIATE");
  for (const sql of migrations.slice(version)) db.exec(sql);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec(`PRAGMA user_version = ${migrations.length}`);
  db.exec("COMMIT");
}

/**
 * Takes the lock that lets one server use the file. The lock is a second SQLite file that is held exclusively: the
 * operating system releases it when the process ends, kill -9 included, and other tools can still read the data file.
 */
function lock(guard: Db): void {
  guard.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
  guard.exec("BEGIN EXCLUSIVE");
  // A lock file that may only be read can be locked for reading, by several servers at once. Writing to it fails then.
  guard.exec("PRAGMA user_version = 1");
}

/**
 * Throws when another program has the data file itself open, under whatever name: SQLite holds a lock on an open file.
 * Tools that only read hold one too, so this is asked only where the lock file cannot tell.
 */
function refuseOtherUsers(driver: Driver, file: string): void {
  const probe = driver.open(file);
  try {
    // The exclusive mode comes before the first read: otherwise SQLite would make side files beside a file in use.
    probe.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
    probe.exec("BEGIN EXCLUSIVE; ROLLBACK");
  } finally {
    probe.close();
  }
}

/**
 * Makes the file when there is none, locks it and returns its path without links. The connection that holds the lock is
 * added to `opened`.
 */
function takePlace(driver: Driver, path: string, opened: Db[]): string {
  makeFolder(dirname(path));
  const file = withoutLinks(path);
  const isNew = makeFile(file);
  const isLockNew = makeFile(file + LOCK);
  tighten(file + LOCK);
  const guard = driver.open(file + LOCK);
  opened.push(guard);
  lock(guard);
  const names = namesOf(file);
  // The lock file is found by name: under its second name, a data file has another lock, and so it has after the lock
  // file was removed.
  if (names > 1 || (isLockNew && !isNew)) refuseOtherUsers(driver, file);
  if (names === 1) return file;
  throw new DatabaseError(
    `Cannot use the database ${path}: the file has ${names} names (hard links). A server that is killed leaves its ` +
      "last changes in a file beside one of these names, and they are not found under another. Remove the other names, " +
      "copy it to a file of its own, or choose another with --db.",
  );
}

export interface OpenDatabase {
  readonly db: Db;
  /** Absolute path without links, or `:memory:`. */
  readonly file: string;
  /**
   * Throws DatabaseError when the file was moved, removed or replaced since it was opened: later changes would be lost.
   */
  checkPlace(): void;
  /**
   * Opens a second connection to the file, for reading alone; null for a database in memory. It is closed with the
   * database, at the latest.
   */
  openReader(): Pick<OpenDatabase, "db" | "close"> | null;
  close(): void;
}

/** Returns the `checkPlace` of a file. A database in memory has no place that could change. */
function placeOf(file: string): OpenDatabase["checkPlace"] {
  if (file === ":memory:") return () => undefined;
  const isInPlace = watchPlace(file);
  return () => {
    if (isInPlace()) return;
    throw new DatabaseError(
      `The database ${file} was removed, moved or replaced while this server was using it. Nothing is written any more. ` +
        "Stop this server; then put the file back, or start without it.",
    );
  };
}

/** Opens a connection that only reads, and adds it to `opened` for as long as it is open. */
function readerOf(driver: Driver, file: string, opened: Db[]) {
  const db = driver.open(file, true);
  opened.push(db);
  const close = () => {
    const place = opened.indexOf(db);
    if (place !== -1) opened.splice(place, 1);
    if (place !== -1) db.close();
  };
  return { db, close };
}

/** Opens (or makes) the database and brings its schema up to date. Throws DatabaseError with the way out. */
export function openDatabase(path: string, migrations = MIGRATIONS): OpenDatabase {
  const inMemory = path === ":memory:";
  const opened: Db[] = [];
  const close = () => {
    for (const db of opened.splice(0).reverse()) db.close();
  };
  try {
    const driver = loadDriver();
    const file = inMemory ? path : takePlace(driver, resolve(path), opened);
    const db = driver.open(file);
    opened.push(db);
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");
    migrate(db, file, migrations);
    if (!inMemory) tightenDatabase(file);
    db.exec("PRAGMA foreign_keys = ON");
    // SQLite opens a file that it may not write for reading only and reports that at the first change. This tries one
    // now.
    db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}; ROLLBACK`);
    const openReader = () => (inMemory ? null : readerOf(driver, file, opened));
    return { db, file, checkPlace: placeOf(file), openReader, close };
  } catch (error) {
    close();
    throw explain(inMemory ? path : resolve(path), error);
  }
}

/**
 * Reads a file that anybody may have made. Nothing in the file can write, run functions with effects, or lead SQLite
 * outside of it. Throws what SQLite throws.
 */
export function lookIntoUntrusted<Found>(file: string, look: (db: Db) => Found): Found {
  const db = loadDriver().open(file, true);
  try {
    db.exec("PRAGMA query_only = ON");
    distrust(db);
    return look(db);
  } finally {
    db.close();
  }
}

/** Makes a connection ready to read a file that anybody may have made. */
export function distrust(db: Db): void {
  db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

/** The name of the driver that databases are opened with. Throws DatabaseError when there is none. */
export function driverName(): string {
  return loadDriver().name;
}

/**
 * Reads a database, even while a server is using it, and changes nothing. Throws DatabaseError when the file cannot be
 * read, also when `look` cannot read what is in it.
 */
export function lookInto<Found>(file: string, look: (db: Db) => Found): Found {
  try {
    // When a connection that may write closes, it removes the side files that it made. It would also merge and remove
    // the side files of a running server or of its crash. A read-only connection does neither.
    const real = withoutLinks(resolve(file));
    const isInUse = ["-wal", "-journal"].some((suffix) => existsSync(real + suffix));
    const db = loadDriver().open(real, isInUse);
    try {
      db.exec("PRAGMA query_only = ON");
      return look(db);
    } finally {
      db.close();
    }
  } catch (error) {
    throw explain(file, error);
  }
}
