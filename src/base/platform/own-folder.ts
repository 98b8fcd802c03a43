import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Folders that this program creates. */

/**
 * Creates a folder, by default for its owner alone, one by one with its parents: mkdir with `recursive` never returns where a parent
 * such as /proc refuses children. Returns the folder, or the parent of it, that was there already.
 */
export function makeFolder(folder: string, mode = 0o700): string {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  const found = parent === folder ? parent : makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
  return found;
}
