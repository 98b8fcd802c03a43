import { closeSync, fsyncSync, lstatSync, openSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Io } from "../terminal/io.js";

const MODE = 0o600;
const MOST_LINKS = 40;

/**
 * Why a file must not be believed, and what to do about it. Null for a regular file that only its owner, the user of this process, may read and change. Another user could
 * send our requests to any host by any other file. Does not follow links, because this program writes none.
 */
export function distrustOf(io: Pick<Io, "uid">, file: string): { readonly why: string; readonly hint?: string } | null {
  const found = lstatSync(file);
  if (!found.isFile()) return { why: "it is not a regular file" };
  if (io.uid === null) return null;
  if (found.uid !== io.uid) return { why: "it belongs to another user" };
  const mode = found.mode & 0o777;
  if ((mode & 0o077) === 0) return null;
  const others = (mode & 0o022) === 0 ? "read" : "change";
  return {
    why: `others may ${others} it (mode ${mode.toString(8)})`,
    hint: `Check it, then run: chmod 600 ${file}`,
  };
}

/**
 * Writes a file that contains keys: only its owner may read it. The write is atomic: after a crash, and for other
 * processes, the file holds either the old text or the new one. A link at `path` is replaced, not followed. `unique` is
 * the ending of the temporary file's name; the temporary file must not exist yet.
 */
export function writePrivately(path: string, text: string, unique: string): void {
  const temporary = `${path}.${unique}`;
  const descriptor = openSync(temporary, "wx", MODE);
  try {
    try {
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
  for (let links = 0; lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    if (links === MOST_LINKS) throw Object.assign(new Error(`too many links behind ${path}`), { code: "ELOOP" });
    file = resolve(dirname(file), readlinkSync(file));
  }
  return file;
}
