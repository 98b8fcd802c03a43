import * as fs from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where a database is: its path without links, folders and files that are for their owner alone, and its identity. */

const OWNER_FILE = 0o600;
const OWNER_FOLDER = 0o700;

/** What the lock of a server adds to the name of its database. */
export const LOCK = "-lock";
/** What SQLite and that lock put beside a database. */
export const SIDE_FILES = ["-journal", "-wal", "-shm", LOCK] as const;

/** The name of the folders that this program makes for itself; those of another name are the user's. */
const OWN_FOLDER = ".qa-pay";

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The path of a file without links in it; the file itself need not be there yet. */
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

/** Step by step: the recursive option of mkdir never returns where a parent refuses children, as /proc does. */
export function makeFolder(folder: string): void {
  if (!fs.existsSync(folder)) {
    makeFolder(dirname(folder));
    fs.mkdirSync(folder, { mode: OWNER_FOLDER });
  } else if (basename(folder) === OWN_FOLDER) tighten(folder);
}

/** Takes from a file or folder what others may do with it. One that belongs to another user stays as it is. */
export function tighten(path: string): void {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  const mode = found.isDirectory() ? OWNER_FOLDER : OWNER_FILE;
  if ((found.mode & 0o777 & ~mode) === 0) return;
  try {
    fs.chmodSync(path, found.mode & mode);
  } catch {
    // Its owner decides.
  }
}

/** A folder that is there, and the files in it, become their owner's alone. */
export function tightenFolder(folder: string): void {
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  tighten(folder);
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile()) tighten(join(folder, entry.name));
  }
}

/**
 * Makes a file that is not there, for its owner alone whatever the umask says. SQLite gives the files beside a database
 * the mode of the database. Answers whether it was made.
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

/** A database and what is beside it become their owner's alone. To be called once it is known to be ours. */
export function tightenDatabase(file: string): void {
  for (const side of ["", ...SIDE_FILES]) tighten(file + side);
}

/** How many names a file has. */
export function namesOf(file: string): number {
  return fs.statSync(file).nlink;
}

/** Answers how to ask whether the path still leads to the file that it leads to now. */
export function watchPlace(file: string): () => boolean {
  const { dev, ino } = fs.statSync(file);
  return () => {
    const found = fs.statSync(file, { throwIfNoEntry: false });
    return found !== undefined && found.ino === ino && found.dev === dev;
  };
}
