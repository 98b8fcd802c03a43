import { closeSync, fsyncSync, lstatSync, openSync, readlinkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Files that hold keys. */

const MODE = 0o600;
const MOST_LINKS = 40;

/**
 * Writes a file that only its owner may read, whole or not at all: another process sees the old text or the new one, and
 * so does the next start of the machine. A link of that name is replaced, not followed. `unique` names the file that is
 * written first; it must not be there.
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

/** The file that a path means when links are followed, whether it is there or not. */
export function behindLinks(path: string): string {
  let file = path;
  for (let links = 0; lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink(); links++) {
    if (links === MOST_LINKS) throw Object.assign(new Error(`too many links behind ${path}`), { code: "ELOOP" });
    file = resolve(dirname(file), readlinkSync(file));
  }
  return file;
}
