import { existsSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseError } from "./database-error.js";
import type { Db } from "./driver.js";
import { type Driver, loadDriver } from "./load-driver.js";
import {
  APPLICATION_ID,
  bytesOf,
  distrust,
  explain,
  foreign,
  isMarkedAsOurs,
  lookInto,
  usableVersion,
} from "./look.js";
import { MIGRATIONS } from "./migrations/index.js";
import {
  CUT,
  type Damage,
  JOURNAL,
  LOCK,
  LOG,
  makeDatabaseFolder,
  makeFile,
  namesOf,
  refuseStrangers,
  tightenDatabase,
  watchFile,
  withoutLinks,
} from "./place.js";
import { oddSchema } from "./schema.js";

/**
 * Runs all migrations in one transaction: when one fails, the file stays as it was. `warn` is called before, because a large
 * file takes seconds or minutes.
 */
function migrate(db: Db, file: string, migrations: readonly string[], warn: (text: string) => void): void {
  const version = usableVersion(db, file, migrations);
  if (version === migrations.length) return;
  if (version > 0) {
    const size = `${Math.ceil(bytesOf(db) / 1e6)} MB`;
    warn(`${file} (${size}) is of an older version of qa-pay. It is brought up to date before anything else.`);
  }
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
  // This is never committed: the lock stays empty, and one that is not is refused (refuseStrangers).
  guard.exec("PRAGMA user_version = 1");
}

/**
 * Throws when another program has the data file itself open, under whatever name: SQLite holds a lock on an open file. Tools
 * that only read hold one too, so this is tried only where the lock file does not decide.
 */
function refuseOtherUsers(driver: Driver, file: string): void {
  const probe = driver.open(file);
  try {
    // The exclusive mode comes before the first read: otherwise SQLite would create side files beside a file in use.
    probe.exec("PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE");
    probe.exec("BEGIN EXCLUSIVE; ROLLBACK");
  } finally {
    probe.close();
  }
}

const SHORTEST = 512;

/**
 * Throws DatabaseError for a file that is no database of this program, or has another schema. Nothing of it is run and not a
 * byte of it changes, because it may belong to another program.
 */
function refuseForeign(file: string, migrations: readonly string[]): void {
  // SQLite takes a shorter file for an empty one, and would write over it.
  if (statSync(file).size < SHORTEST) throw explain(file, new Error("file is not a database"));
  // A server that is killed while it creates the file leaves a journal, which only a connection that may write can use.
  const isInterrupted = existsSync(file + JOURNAL) && !existsSync(file + LOG);
  if (isInterrupted && !isMarkedAsOurs(file)) throw foreign(file);
  const shared = `${file}-shm`;
  const hadShared = existsSync(shared);
  try {
    lookInto(file, (db) => checkOwner(db, file, migrations), isInterrupted);
  } catch (error) {
    // SQLite creates this file to read a log that another program has left.
    if (!hadShared) rmSync(shared, { force: true });
    throw error;
  }
}

function checkOwner(db: Db, file: string, migrations: readonly string[]): void {
  distrust(db);
  const version = usableVersion(db, file, migrations);
  const odd = oddSchema(db, migrations.slice(0, version));
  if (odd === null) return;
  throw new DatabaseError(
    `Cannot use the database ${file}: it ${odd}. Somebody else has changed it. Move it away, or choose another with --db.`,
  );
}

/**
 * Creates the file when there is none, locks it and returns its path without links. The connection that holds the lock is added
 * to `opened`. Nothing is written before the file is known to be a database of this program.
 */
function takePlace(driver: Driver, path: string, migrations: readonly string[], opened: Db[]): string {
  refuseStrangers(path);
  makeDatabaseFolder(dirname(path));
  const file = withoutLinks(path);
  refuseStrangers(file);
  const isNew = makeFile(file);
  refuseSecondNames(driver, path, file);
  const isEmpty = isNew || statSync(file).size === 0;
  // Without a lock file, no server uses it. With one, a server may be about to write, and so the lock comes first.
  const isLockNew = !existsSync(file + LOCK);
  if (!isEmpty && isLockNew) refuseForeign(file, migrations);
  makeFile(file + LOCK);
  const guard = driver.open(file + LOCK);
  opened.push(guard);
  lock(guard);
  if (!isEmpty && !isLockNew) refuseForeign(file, migrations);
  // A running server whose lock file was removed holds another lock.
  if (isLockNew && !isNew) refuseOtherUsers(driver, file);
  return file;
}

/** Throws DatabaseError for a file with several names. The lock file is found by name, so each name would have a lock. */
function refuseSecondNames(driver: Driver, path: string, file: string): void {
  const names = namesOf(file);
  if (names === 1) return;
  refuseOtherUsers(driver, file);
  throw new DatabaseError(
    `Cannot use the database ${path}: the file has ${names} names (hard links). A server that is killed leaves its ` +
      "last changes in a file beside one of these names, and they are not found under another. Remove the other names, " +
      "copy it to a file of its own, or choose another with --db.",
  );
}

/**
 * Returns a function that names the damage of another program to a file or its log; null while there is none. Writes into a
 * removed log are lost when the process is killed. A database in memory cannot be damaged.
 */
function damageTo(file: string): () => { readonly damage: Damage; readonly error: DatabaseError } | null {
  if (file === ":memory:") return () => null;
  const [ofFile, ofLog] = [watchFile(file), watchFile(file + LOG)];
  return () => {
    const found = ofFile();
    if (found !== null) {
      const then = found === CUT ? "then put a copy of it in its place" : "then put the file back";
      return { damage: found, error: damageError(`The database ${file}`, found, `${then}, or start without it`) };
    }
    const damage = ofLog();
    if (damage === null) return null;
    const then = `then start it again${damage === CUT ? ". The latest changes may be missing" : ""}`;
    return { damage, error: damageError(`The file ${file}${LOG}, a part of the database,`, damage, then) };
  };
}

function damageError(what: string, damage: Damage, then: string): DatabaseError {
  const error = new DatabaseError(
    `${what} was ${damage} while this server was using it. Nothing is written any more. Stop this server; ${then}.`,
  );
  error.answer = `The database of the emulator was ${damage}, so nothing was changed. Stop the emulator; its log says more.`;
  return error;
}

/**
 * Closes a connection whose file or log was cut. SQLite would copy the rest of the log into the file, which ruins it. It does
 * not do so while another connection is open, and a read-only one never does it.
 */
function closeUncopied(driver: Driver, file: string, db: Db): void {
  const last = driver.open(file, true);
  try {
    last.exec("SELECT COUNT(*) FROM sqlite_schema");
  } catch {
    // It holds its lock even when its file is gone.
  }
  db.close();
  last.close();
}

/** Prepares a connection for writing, and brings the schema up to date. */
function prepare(db: Db, file: string, migrations: readonly string[], warn: (text: string) => void): void {
  db.exec(
    "PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768",
  );
  migrate(db, file, migrations, warn);
  if (file !== ":memory:") tightenDatabase(file);
  db.exec("PRAGMA foreign_keys = ON");
  // SQLite opens a file that it may not write for reading only and reports that at the first change. This tries one
  // now.
  db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${migrations.length}; ROLLBACK`);
}

export type OpenDatabase = ReturnType<typeof openDatabase>;

/**
 * Opens (or creates) the database and brings its schema up to date. Throws DatabaseError with the remedy. `warn` is called when
 * the file is of an older version.
 */
export function openDatabase(path: string, migrations = MIGRATIONS, warn: (text: string) => void = () => undefined) {
  const inMemory = path === ":memory:";
  const opened: Db[] = [];
  const close = () => {
    for (const db of opened.splice(0).reverse()) db.close();
  };
  try {
    const driver = loadDriver();
    const file = inMemory ? path : takePlace(driver, resolve(path), migrations, opened);
    const db = driver.open(file);
    opened.push(db);
    prepare(db, file, migrations, warn);
    const damageOf = damageTo(file);
    const closeAll = () => {
      if (opened.includes(db) && damageOf()?.damage === CUT) {
        opened.splice(opened.indexOf(db), 1);
        closeUncopied(driver, file, db);
      }
      close();
    };
    return {
      db,
      /** Absolute path without links, or `:memory:`. */
      file,
      /** Throws DatabaseError when another program moved, replaced or cut the file since it was opened: changes would be lost. */
      checkPlace: () => {
        const found = damageOf();
        if (found !== null) throw found.error;
      },
      close: closeAll,
    };
  } catch (error) {
    close();
    throw explain(inMemory ? path : resolve(path), error);
  }
}

/** The name of the driver that databases are opened with. Throws DatabaseError when there is none. */
export function driverName(): string {
  return loadDriver().name;
}
