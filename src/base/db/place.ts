import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "../platform/own-folder.js";
import { DatabaseError } from "./database-error.js";
import { readBytes } from "./read-bytes.js";

/** The place of a database: its path without links, the permissions of its files, and whether the path still leads there. */

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;

/** The lock file of a server has the name of the database with this suffix. */
export const LOCK = "-lock";
/** The write-ahead log: new pages that are not copied into the database yet. */
export const LOG = "-wal";
/** The rollback journal: with it SQLite undoes the half-done change of a killed process. */
export const JOURNAL = "-journal";
/** The suffixes of the files that SQLite and a server create beside a database. */
export const SIDE_FILES = [JOURNAL, LOG, "-shm", LOCK, LOCK + JOURNAL] as const;
/** The folder of the snapshots of a database has its name with this suffix. */
export const SNAPSHOTS = ".snapshots";

/** The name of the folder that this program creates. A folder of another name keeps the permissions of its user. */
const OWN_FOLDER = ".qa-pay";

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Returns the path of a file with all symbolic links followed. The file itself need not exist yet. */
export function withoutLinks(path: string): string {
  try {
    return fs.realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const link = fs.lstatSync(path, { throwIfNoEntry: false });
  if (link?.isSymbolicLink()) return withoutLinks(resolve(dirname(path), fs.readlinkSync(path)));
  const folder = dirname(path);
  return folder === path ? path : join(withoutLinks(folder), basename(path));
}

/** Creates the folder of a database. An existing folder of this program is closed to other users. */
export function makeDatabaseFolder(folder: string): void {
  const found = makeFolder(folder);
  if (basename(found) === OWN_FOLDER) tighten(found);
}

function refusal(path: string, what: string, way: string): DatabaseError {
  return new DatabaseError(`Cannot use ${path}: it is ${what}, which qa-pay never creates there. ${way}`);
}

const INTO_PLACE = "Look where it leads, remove it, and start again; to keep a database elsewhere, name it with --db.";

/**
 * Throws DatabaseError when there is anything unusual in the place of a server's own files: a link or a journal could lead it
 * to the files of others. Only a database that the user names may be a link itself. Call it before SQLite opens anything,
 * because SQLite plays a journal back before it reads.
 */
export function refuseStrangers(file: string): void {
  const folder = dirname(file);
  const isOwnFolder = basename(folder) === OWN_FOLDER;
  if (isOwnFolder) refuseAllBut("isDirectory", folder);
  const sides = SIDE_FILES.map((side) => file + side);
  for (const path of isOwnFolder ? [file, ...sides] : sides) refuseAllBut("isFile", path);
  refuseAllBut("isDirectory", file + SNAPSHOTS);
  refuseJournals(file);
}

/**
 * A journal can end with the name of another file (a super-journal), which SQLite removes after the playback: 3.53 and older
 * remove whatever it is. SQLite plays no journal back beside an empty file.
 */
function refuseJournals(file: string): void {
  const cannot = `Cannot use the database ${file}: its`;
  if (sizeOf(file + LOCK) > 0) {
    const way = "Remove the lock and start again, or choose another database with --db.";
    throw new DatabaseError(`${cannot} lock ${file}${LOCK} is not empty, and qa-pay never writes into a lock. ${way}`);
  }
  if (namesAnotherFile(file + JOURNAL)) {
    const why = "names another file, which SQLite would remove; qa-pay never creates such a journal";
    throw new DatabaseError(
      `${cannot} journal ${file}${JOURNAL} ${why}. Move both files away, or choose another with --db.`,
    );
  }
}

/** The bytes with which a journal begins, and also ends when it names a super-journal. */
const JOURNAL_MAGIC = Buffer.from("d9d505f920a163d7", "hex");

/** SQLite looks for the name at the very end of the journal alone, before these bytes. */
function namesAnotherFile(journal: string): boolean {
  const { length } = JOURNAL_MAGIC;
  const size = sizeOf(journal);
  try {
    return size > length && readBytes(journal, size - length, length).equals(JOURNAL_MAGIC);
  } catch {
    // SQLite cannot read it either, and reports that.
    return false;
  }
}

function refuseAllBut(kind: "isFile" | "isDirectory", path: string): void {
  const found = lookAt(path);
  if (found === undefined) return;
  if (found.isSymbolicLink()) throw refusal(path, "a link", INTO_PLACE);
  // The folder where a database should be is reported by SQLite.
  if (kind === "isFile" && found.isDirectory()) return;
  if (!found[kind]()) throw refusal(path, kind === "isFile" ? "no regular file" : "no folder", INTO_PLACE);
  // A database with several names gets a message of its own.
  const isSide = SIDE_FILES.some((side) => path.endsWith(side));
  if (isSide && found.nlink > 1) throw refusal(path, "a file with several names (hard links)", INTO_PLACE);
}

/** Returns the file at a path, without following links. A path that cannot be reached is reported by its user. */
export function lookAt(path: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Bytes of a file; 0 where there is none. */
function sizeOf(path: string): number {
  const found = lookAt(path);
  return found?.isFile() ? found.size : 0;
}

/**
 * Removes the permissions of everybody but the owner from a file or folder. One that belongs to another user stays as
 * it is, and so does what a link leads to, or a file with another name elsewhere.
 */
function tighten(path: string): void {
  const found = lookAt(path);
  if (found === undefined || found.isSymbolicLink() || (found.isFile() && found.nlink > 1)) return;
  const mode = found.isDirectory() ? OWNER_FOLDER : OWNER_FILE;
  if ((found.mode & 0o777 & ~mode) === 0) return;
  try {
    fs.chmodSync(path, found.mode & mode);
  } catch {
    // Only the owner of a file can change its permissions.
  }
}

/** Keeps others out of a folder, when there is one, and out of the files in it whose names `isOwn` accepts. */
export function tightenFolder(folder: string, isOwn: (name: string) => boolean): void {
  if (!lookAt(folder)?.isDirectory()) return;
  tighten(folder);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && isOwn(entry.name)) tighten(join(folder, entry.name));
  }
}

/**
 * Creates a file that does not exist yet. Only its owner may read and write it, whatever the umask is; SQLite copies these
 * permissions to the files beside a database. Returns whether it created the file.
 */
export function makeFile(file: string): boolean {
  try {
    fs.closeSync(fs.openSync(file, "wx", OWNER_FILE));
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

/** Keeps others out of a database and its side files. Call it once the file is known to be a database of qa-pay. */
export function tightenDatabase(file: string): void {
  for (const side of ["", ...SIDE_FILES]) tighten(file + side);
}

/** Returns how many names (hard links) a file has. */
export function namesOf(file: string): number {
  return fs.statSync(file).nlink;
}

export const CUT = "shortened";
/** The damage that other programs may do to a file in use. */
export type Damage = "removed, moved or replaced" | typeof CUT;

/**
 * Returns a function that names the damage to a file since now; null while it is the same file and not shorter. SQLite never
 * shortens it itself. For a file that is missing at first the function returns null: SQLite keeps no log where the file system
 * cannot have one.
 */
export function watchFile(file: string): () => Damage | null {
  const first = fs.statSync(file, { throwIfNoEntry: false });
  if (first === undefined) return () => null;
  const { dev, ino } = first;
  let { size } = first;
  return () => {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    if (found === undefined || found.ino !== ino || found.dev !== dev) return "removed, moved or replaced";
    if (found.size < size) return CUT;
    size = found.size;
    return null;
  };
}
