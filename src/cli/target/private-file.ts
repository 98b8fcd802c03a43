import { closeSync, fsyncSync, lstatSync, openSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const MODE = 0o600;
const MOST_LINKS = 40;

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
