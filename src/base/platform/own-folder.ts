import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Folders that this program creates for one user. */

/**
 * Creates a folder for its owner alone, one by one with its parents: mkdir with `recursive` never returns where a parent such
 * as /proc refuses children. Returns the folder, or the parent of it, that was there already.
 */
export function makeFolder(folder: string): string {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  const found = parent === folder ? parent : makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
  return found;
}
