import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { withoutWarnings } from "../runtime.js";
import { SQLITE_PACKAGE } from "../version.js";
import type { Db } from "./driver.js";
import { MIGRATIONS } from "./migrations/index.js";
import { LOCK, makeFile, makeFolder, namesOf, tighten, tightenDatabase, watchPlace, withoutLinks } from "./place.js";

/** Written into the header of the file, so that a SQLite file of another program is never taken for ours. */
export const APPLICATION_ID = 0x71706179; // "qpay"
/**
 * In the header of databases from before the first release. Their versions count other migrations, so a version number
 * alone would take such a file for one of ours.
 */
export const DEVELOPMENT_ID = 0x71617079; // "qapy"

/** The database cannot be used; the message says what to do about it. */
class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  /** Whether another server is using the file. */
  isInUse = false;
}

interface Driver {
  readonly name: string;
  open(file: string, readOnly?: boolean): Db;
}

/**
 * Milliseconds that a connection waits while another program has locked the file. better-sqlite3 waits as long by
 * default.
 */
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
    // node:sqlite does not wait at all unless it is told to.
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT}`);
    return db;
  }
  return { name: "node:sqlite", open };
}

/** What of a Node decides which driver works: its version, and the version of its interface for native packages. */
interface Versions {
  readonly node: string;
  readonly napi?: string | undefined;
}

/** The version of the better-sqlite3 that is installed: `12.11.1`. Null when there is none, or it does not say. */
function installedVersion(require: NodeJS.Require): string | null {
  try {
    // The main file is lib/index.js. From version 13 on, the package does not let others load its package.json by name.
    const { version } = require(join(dirname(require.resolve("better-sqlite3")), "..", "package.json")) as {
      readonly version?: string;
    };
    return version ?? null;
  } catch {
    return null;
  }
}

/**
 * Whether Node's own SQLite is taken first. From Node 24.19 on, better-sqlite3 12 aborts the process when the garbage
 * collector removes a statement while no script runs, at the latest when the process ends: Node's ObjectWrap then asks
 * for an environment that does not exist any more. Node's own SQLite is stable in those versions.
 */
function prefersItsOwn({ node }: Versions, installed: string | null): boolean {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  return (major > 24 || (major === 24 && minor >= 19)) && !isThirteen(installed);
}

function isThirteen(installed: string | null): boolean {
  return installed !== null && Number.parseInt(installed, 10) >= 13;
}

/** Why the installed better-sqlite3 must not be loaded, or null. The project that uses qa-pay may need any version of it. */
function unfit(installed: string | null, napi: string | undefined): string | null {
  if (installed === null) return null;
  if (Number.parseInt(installed, 10) < 12) return `better-sqlite3 ${installed} is older than version 12`;
  // Version 13 asks for Node-API 10, and kills the process where there is an older one.
  return isThirteen(installed) && Number(napi) < 10 ? `better-sqlite3 ${installed} needs Node 22.14 or newer` : null;
}

const INSTALL = `npm install ${SQLITE_PACKAGE}`;

/** Why better-sqlite3 cannot be loaded, and the command that mends it. */
function troubleOf(cause: unknown): readonly [trouble: string, command: string] {
  const { code = "", message = String(cause) } = cause as { code?: string; message?: string };
  if (cause instanceof Unfit) return [message, INSTALL];
  if (code === "MODULE_NOT_FOUND") return ["better-sqlite3 is not installed", INSTALL];
  const trouble = message.includes("NODE_MODULE_VERSION")
    ? "better-sqlite3 was built for another version of Node"
    : "the native part of better-sqlite3 is missing or does not fit this machine";
  // The flag lets the install script of the package run even where install scripts are switched off.
  return [trouble, "npm rebuild better-sqlite3 --ignore-scripts=false"];
}

/** The installed better-sqlite3 is of a version that is not loaded. */
class Unfit extends Error {
  override readonly name = "Unfit";
}

function noDriver(cause: unknown): DatabaseError {
  const [trouble, command] = troubleOf(cause);
  const others = ["with -g where it is installed globally"];
  if (command === INSTALL) others.push(`with npx, begin with \`npx -p ${SQLITE_PACKAGE} -p qa-pay qa-pay\``);
  return new DatabaseError(
    `No SQLite driver: ${trouble}, and this Node has no SQLite of its own.\n` +
      `Run \`${command}\` in the folder where qa-pay is installed (${others.join("; ")}). It downloads ` +
      "the native part, or builds it with python3, make and a C++ compiler, and shows what fails. Or use Node 22.13 or newer.",
    { cause },
  );
}

/**
 * Loads better-sqlite3 where it is installed, else Node's own SQLite. Both are equally fast. Node 20 has no SQLite of its
 * own. Where better-sqlite3 came without its native binary (some package managers do not run install scripts) or does not
 * work with this Node, Node's own is taken too.
 */
export function loadDriver(require = createRequire(import.meta.url), versions: Versions = process.versions): Driver {
  const installed = installedVersion(require);
  const drivers = prefersItsOwn(versions, installed) ? [sqliteOfNode, betterSqlite] : [betterSqlite, sqliteOfNode];
  let cause: unknown;
  for (const driver of drivers) {
    try {
      const reason = driver === betterSqlite ? unfit(installed, versions.napi) : null;
      if (reason !== null) throw new Unfit(reason);
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
