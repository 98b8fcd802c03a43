import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { findFile, findJson, ifThere } from "../terminal/find-file.js";
import type { Io } from "../terminal/io.js";

const MODE = 0o600;
const MOST_LINKS = 40;

/** A file that other users could have written, with a hint for its owner. */
export class Distrusted extends Error {
  constructor(
    why: string,
    readonly hint?: string,
  ) {
    super(why);
  }
}

/** Throws Distrusted unless only the user of this process may read and change the file. With any other file, another user could send our requests to any host. */
function requireOwn({ uid }: Pick<Io, "uid">, file: string, found: Stats): void {
  if (uid === null) return;
  if (found.uid !== uid) throw new Distrusted("it belongs to another user");
  const mode = found.mode & 0o777;
  if ((mode & 0o077) === 0) return;
  const others = (mode & 0o022) === 0 ? "read" : "change";
  throw new Distrusted(`others may ${others} it (mode ${mode.toString(8)})`, `Check it, then run: chmod 600 ${file}`);
}

/**
 * The value of a JSON file of this program with keys in it; undefined when nothing is there. Throws Distrusted for one that others may
 * use, and Error like `findJson`. Does not follow links, because this program writes none.
 */
export function privateJson(io: Pick<Io, "uid">, file: string): unknown {
  return findJson(file, { noLinks: true, check: (found) => requireOwn(io, file, found) });
}

/** The bytes of a file of this program with a key in it, as `privateJson` reads it; null when nothing is there. */
export function privateFile(io: Pick<Io, "uid">, file: string): Buffer | null {
  const found = findFile(file, { noLinks: true, check: (stats) => requireOwn(io, file, stats) });
  return found === null ? null : found.bytes;
}

/** Sets mode and owner of an open file to those of another one. */
function keepOwner(descriptor: number, { mode, uid, gid }: Stats): void {
  const own = fstatSync(descriptor);
  if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid);
  fchmodSync(descriptor, mode & 0o7777);
}

/**
 * Writes a file that contains keys: only its owner may read it, or who may read `replaced`, the file that was there. The write is
 * atomic: after a crash, and for other processes, the file holds either the old text or the new one. A link at `path` is replaced, not
 * followed. `unique` is the ending of the temporary file's name; the temporary file must not exist yet.
 */
export function writePrivately(path: string, text: string, unique: string, replaced?: Stats): void {
  const temporary = `${path}.${unique}`;
  const descriptor = openSync(temporary, "wx", MODE);
  try {
    try {
      if (replaced !== undefined) keepOwner(descriptor, replaced);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Follows links and returns the path of the file at the end, which may not exist. Throws an ELOOP error for a loop. */
export function behindLinks(path: string): string {
  let file = path;
  for (let links = 0; ifThere(() => lstatSync(file, { throwIfNoEntry: false }))?.isSymbolicLink(); links++) {
    if (links === MOST_LINKS) throw Object.assign(new Error(`too many links behind ${path}`), { code: "ELOOP" });
    file = resolve(dirname(file), readlinkSync(file));
  }
  return file;
}
