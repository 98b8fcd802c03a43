import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode, reasonOf } from "../kernel/reason.js";
import { DatabaseError } from "./database-error.js";
import { type Db, getter } from "./driver.js";
import { loadDriver } from "./load-driver.js";
import { JOURNAL, LOG, lookAt, refuseStrangers, withoutLinks } from "./place.js";
import { readBytes } from "./read-bytes.js";

/** Inspects files without changing them, and describes their faults. */

/** Written into the header of the file, so that a SQLite file of another program is never taken for ours. */
export const APPLICATION_ID = 0x71706131; // "qpa1"
/** In the header of databases from before the first release, whose versions count other migrations: "qapy" and "qpay". */
const DEVELOPMENT_IDS: readonly number[] = [0x71617079, 0x71706179];

export const isOfDevelopment = (owner: number) => DEVELOPMENT_IDS.includes(owner);

function pragma(db: Db, name: string): unknown {
  return Object.values(getter<Record<string, unknown>>(db, `PRAGMA ${name}`)() ?? {})[0];
}

/** The application id of the program that wrote a database, and how many migrations it has had. */
export function headerOf(db: Db): { readonly owner: number; readonly version: number } {
  return { owner: Number(pragma(db, "application_id")), version: Number(pragma(db, "user_version")) };
}

/** The size of a database, without its side files. */
export function bytesOf(db: Db): number {
  return Number(pragma(db, "main.page_count")) * Number(pragma(db, "main.page_size"));
}

/** Returns the fault that SQLite finds in a database, or null. With `whole` it also checks the indexes. */
export function damageOf(db: Db, whole = false): string | null {
  const check = String(pragma(db, `main.${whole ? "integrity_check" : "quick_check"}(1)`));
  return check === "ok" ? null : check;
}

/** Turns any error of a database into one that says what to do. */
export function explain(file: string, error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const code = errorCode(error) ?? "";
  const message = reasonOf(error);
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
  if (lookAt(file)?.isDirectory()) {
    return because(`it is a folder. Name a file with --db, such as ${join(file, "qa-pay.db")}.`);
  }
  if (/READONLY|readonly|EACCES|EROFS|EPERM|ENOENT|EEXIST|CANTOPEN|unable to open|ENOTDIR|EISDIR|ELOOP/i.test(text)) {
    return because("the file or its folder cannot be written. Choose a place you may write to with --db.");
  }
  return because(message);
}

export function foreign(file: string): DatabaseError {
  return new DatabaseError(`Cannot use the database ${file}: it belongs to another program. Choose another with --db.`);
}

/**
 * True if the head of a file shows a database of ours, or an empty one. It is read without SQLite, which would first finish or
 * undo a half-done change of another program.
 */
export function isMarkedAsOurs(file: string): boolean {
  const head = readBytes(file, 0, 105);
  const owner = head.readUInt32BE(68);
  // The number of tables, indexes and so on, as far as they are on the first page.
  return owner === APPLICATION_ID || (owner === 0 && head.readUInt16BE(103) === 0);
}

/** The version of a database's schema. Throws DatabaseError for a file that these migrations cannot bring up to date. */
export function usableVersion(db: Db, file: string, migrations: readonly string[]): number {
  const { owner, version } = headerOf(db);
  if (isOfDevelopment(owner)) {
    throw new DatabaseError(
      `Cannot use the database ${file}: a development version of qa-pay, older than the first release, created it, and it ` +
        "cannot be brought up to date. Move it away, or choose another file with --db.",
    );
  }
  const tables = Number(getter<{ n: number }>(db, "SELECT COUNT(*) AS n FROM sqlite_master")()?.n);
  if (owner !== APPLICATION_ID && (owner !== 0 || tables > 0)) {
    throw foreign(file);
  }
  if (version > migrations.length || version < 0) {
    throw new DatabaseError(
      `Cannot use the database ${file}: it was written by a newer version of qa-pay ` +
        `(schema ${version}, this one knows ${migrations.length}). Update qa-pay, or choose another file with --db.`,
    );
  }
  return version;
}

/** Reads a file that anybody may have written: nothing in it can write or lead SQLite elsewhere. Throws the errors of SQLite. */
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

/** Prepares a connection to read a file that anybody may have written. */
export function distrust(db: Db): void {
  db.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
}

/**
 * Reads a database, even while a server is using it, and changes nothing. Throws DatabaseError when a start would refuse the
 * files beside it, and when the file or its contents cannot be read. With `mayRecover`, SQLite undoes the half-done change of a
 * killed server.
 */
export function lookInto<Found>(file: string, look: (db: Db) => Found, mayRecover = false): Found {
  try {
    const real = withoutLinks(resolve(file));
    refuseStrangers(real);
    // When a connection that may write closes, it removes its side files. It would also merge and remove the side files of a
    // running server or of its crash. A read-only connection does neither.
    const isInUse = !mayRecover && [LOG, JOURNAL].some((suffix) => existsSync(real + suffix));
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
