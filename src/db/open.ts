import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { withoutWarnings } from "../runtime.js";
import { SQLITE_PACKAGE } from "../version.js";
import type { Db } from "./driver.js";
import { MIGRATIONS } from "./migrations/index.js";
import { LOCK, makeFile, makeFolder, namesOf, tighten, tightenDatabase, watchPlace, withoutLinks } from "./place.js";

/** Written into the header of the file, so that a SQLite file of another program is never taken for ours. */
const APPLICATION_ID = 0x71706179; // "qpay"
/**
 * In the header of databases from before the first release. Their versions count other migrations, so a version number
 * alone would take such a file for one of ours.
 */
export const DEVELOPMENT_ID = 0x71617079; // "qapy"

/** The database cannot be used; the message says what to do about it. */
class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** Whether another server has the file. */
  isInUse = false;
}

interface Driver {
  readonly name: string;
  open(file: string, readOnly?: boolean): Db;
}

/** Milliseconds that a connection waits for another program to let go of the file; better-sqlite3 waits as long. */
const BUSY_TIMEOUT = 5_000;

function betterSqlite(require: NodeJS.Require): Driver {
  const BetterSqlite = require("better-sqlite3") as new (file: string, options: { readonly: boolean }) => Db;
  new BetterSqlite(":memory:", { readonly: false }).close();
  return { name: "better-sqlite3", open: (file, readOnly = false) => new BetterSqlite(file, { readonly: readOnly }) };
}

function sqliteOfNode(require: NodeJS.Require): Driver {
  const { DatabaseSync } = withoutWarnings(() => require("node:sqlite")) as {
    DatabaseSync: new (file: string, options: { readOnly: boolean }) => Db;
  };
  function open(file: string, readOnly = false): Db {
    const db = new DatabaseSync(file, { readOnly });
    // It does not wait at all unless it is told to.
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    return db;
  }
  return { name: "node:sqlite", open };
}

/**
 * From 24.19 on, a better-sqlite3 of version 12 that was compiled for this Node aborts the process when a statement is
 * collected while no script runs, at the latest on the way out: Node's ObjectWrap then asks for an environment that is
 * not there. Node's own SQLite is no experiment any more by then.
 */
function prefersItsOwn(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major > 24 || (major === 24 && minor >= 19);
}

/** Why better-sqlite3 cannot be loaded, and the command that mends it. */
function troubleOf(cause: unknown): readonly [trouble: string, command: string] {
  const { code = "", message = String(cause) } = cause as { code?: string; message?: string };
  if (code === "MODULE_NOT_FOUND") {
    // There is nothing to rebuild then. To install it again as a part of qa-pay would fail without a word again.
    const trouble = "better-sqlite3 is not installed (npm leaves it out when its build fails)";
    return [trouble, `npm install --no-save ${SQLITE_PACKAGE}`];
  }
  const trouble = message.includes("NODE_MODULE_VERSION")
    ? "better-sqlite3 was built for another version of Node"
    : "the native part of better-sqlite3 is missing or does not fit this machine";
  // Where install scripts are switched off, they are for a rebuild, too.
  return [trouble, "npm rebuild better-sqlite3 --ignore-scripts=false"];
}

function noDriver(cause: unknown): DatabaseError {
  const [trouble, command] = troubleOf(cause);
  return new DatabaseError(
    `No SQLite driver: ${trouble}, and this Node has no SQLite of its own.\n` +
      `Run \`${command}\` in the folder where qa-pay is installed (with -g where it is installed globally). It downloads ` +
      "the native part, or builds it with python3, make and a C++ compiler, and shows what fails. Or use Node 22.13 or newer.",
    { cause },
  );
}

/**
 * better-sqlite3, or Node's own SQLite where that package came without its native binary (some package managers do not
 * run install scripts) or does not get on with this Node. Both are equally fast; Node 20 has only the first.
 */
export function loadDriver(require = createRequire(import.meta.url), nodeVersion = process.versions.node): Driver {
  const drivers = prefersItsOwn(nodeVersion) ? [sqliteOfNode, betterSqlite] : [betterSqlite, sqliteOfNode];
  let cause: unknown;
  for (const driver of drivers) {
    try {
      return driver(require);
    } catch (error) {
      if (driver === betterSqlite) cause = error;
    }
  }
  throw noDriver(cause);
}

function pragma(db: Db, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown>)[0]);
}

function explain(file: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  // The file system's messages hold the path, in which any word may stand; its codes do not.
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
 * One server per file. The lock is a second SQLite file held exclusively, because a lock held by the operating system
 * dies with its process (kill -9 included), while the data file stays readable for other tools.
 */
function lock(guard: Db): void {
  guard.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
  guard.exec("BEGIN EXCLUSIVE");
  // A file that may only be read is locked for reading, which many can at once; to change it is refused then.
  guard.exec("PRAGMA user_version = 1");
}

/**
 * Throws when anybody has the data file itself open, whatever they call it: SQLite holds a lock on it meanwhile. Other
 * tools do so, too, so this is asked only where the lock beside the file cannot tell.
 */
function refuseOtherUsers(driver: Driver, file: string): void {
  const probe = driver.open(file);
  try {
    // Exclusive before anything is read, so that nothing is made beside a file in use.
    probe.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
    probe.exec("BEGIN EXCLUSIVE; ROLLBACK");
  } finally {
    probe.close();
  }
}

/** Where the file is, which is made and locked. What was opened for that is added to `opened`. */
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
  // A lock goes by name: it is another one under another name, and after it was removed.
  if (names > 1 || (isLockNew && !isNew)) refuseOtherUsers(driver, file);
  if (names === 1) return file;
  throw new DatabaseError(
    `Cannot use the database ${path}: the file has ${names} names (hard links). What a server that was killed left beside ` +
      "one of them is not found under another, and lost. Remove the other names, copy it to a file of its own, or choose " +
      "another with --db.",
  );
}

export interface OpenDatabase {
  readonly db: Db;
  /** Absolute path without links, or `:memory:`. */
  readonly file: string;
  /** Throws DatabaseError when the file is not where it was opened any more: what is written now would be lost. */
  checkPlace(): void;
  close(): void;
}

/** In memory there is no place that could be lost. */
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
    // SQLite opens what it may not write for reading, and would complain at the first change.
    db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}; ROLLBACK`);
    return { db, file, checkPlace: placeOf(file), close };
  } catch (error) {
    close();
    throw explain(inMemory ? path : resolve(path), error);
  }
}

/** The name of the driver that databases are opened with. Throws DatabaseError when there is none. */
export function driverName(): string {
  return loadDriver().name;
}

/**
 * Looks into a database, whether or not a server is using it, and leaves everything as it was. Throws DatabaseError when
 * it cannot be read, also for what `look` finds unreadable.
 */
export function lookInto<Found>(file: string, look: (db: Db) => Found): Found {
  try {
    // On closing, a connection that may write tidies away the side files that its visit made, and would fold in those
    // that a server or its crash left there. One that may not write does neither.
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
