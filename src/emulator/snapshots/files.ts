import * as fs from "node:fs";
import { SIDE_FILES } from "../../base/db/place.js";
import type { OpenFile } from "../../service/features/operation.js";

/** Files of databases that no server uses, with the files that SQLite creates beside them. */

/** Returns when a file, or the list of files of a folder, is on the disk. */
export function settle(path: string): void {
  const handle = fs.openSync(path, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

export function removeAll(path: string): void {
  for (const side of ["", ...SIDE_FILES]) fs.rmSync(path + side, { force: true });
}

/** Removes as much as possible. The caller reports its own error, not this one. */
export function removeIfPossible(path: string): void {
  try {
    removeAll(path);
  } catch {
    // The next save or the next start removes it.
  }
}

export function openFile(path: string, afterwards: () => void = () => undefined): OpenFile {
  const descriptor = fs.openSync(path, "r");
  const { size } = fs.fstatSync(descriptor);
  return {
    descriptor,
    size,
    close() {
      fs.closeSync(descriptor);
      afterwards();
    },
  };
}
