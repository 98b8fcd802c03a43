import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The place of a database in the file system: its path without links, the permissions of its files and folders, and
 * whether the path still leads to the same file.
 */

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;

/** The lock file of a server has the name of the database with this suffix. */
export const LOCK = "-lock";
/** The suffixes of the files that SQLite and a server make beside a database. */
export const SIDE_FILES = ["-journal", "-wal", "-shm", LOCK] as const;

/**
 * The name of the folder that this program makes for itself. A folder of another name belongs to the user and keeps its
 * permissions.
 */
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

/**
 * Makes a folder and its parents, one by one: the recursive option of mkdir never returns where a parent such as /proc
 * refuses children.
 */
export function makeFolder(folder: string): void {
  if (!fs.existsSync(folder)) {
    makeFolder(dirname(folder));
    fs.mkdirSync(folder, { mode: OWNER_FOLDER });
  } else if (basename(folder) === OWN_FOLDER) tighten(folder);
}

/**
 * Removes the permissions of everybody but the owner from a file or folder. One that belongs to another user stays as
 * it is.
 */
export function tighten(path: string): void {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const mode = found.isDirectory() ? OWNER_FOLDER : OWNER_FILE;
  if ((found.mode & 0o777 & ~mode) === 0) return;
  try {
    fs.chmodSync(path, found.mode & mode);
  } catch {
    // Only the owner of a file can change its permissions.
  }
}

/** Removes the permissions of everybody but the owner from a folder, when there is one, and from the files in it. */
export function tightenFolder(folder: string): void {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  tighten(folder);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) tighten(join(folder, entry.name));
  }
}

/**
 * Makes a file that does not exist yet. Only its owner may read and write it, whatever the umask is; SQLite gives the
 * files beside a database the same permissions. Returns whether it made the file.
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

/**
 * Removes the permissions of everybody but the owner from a database and its side files. Call it once the file is known
 * to be a database of qa-pay.
 */
export function tightenDatabase(file: string): void {
  for (const side of ["", ...SIDE_FILES]) tighten(file + side);
}

/** Returns how many names (hard links) a file has. */
export function namesOf(file: string): number {
  return fs.statSync(file).nlink;
}

/** Returns a function that tells whether the path still leads to the file that it leads to now. */
export function watchPlace(file: string): () => boolean {
  const { dev, ino } = fs.statSync(file);
  return () => {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    return found !== undefined && found.ino === ino && found.dev === dev;
  };
}
