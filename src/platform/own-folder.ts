import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { effectiveUser } from "./real-runtime.js";

/** Folders that this program makes for one user, and whether a folder is this user's alone. */

/**
 * Makes a folder for its owner alone, one by one with its parents: mkdir with `recursive` never returns where a parent
 * such as /proc refuses children. Returns the folder, or the parent of it, that was there already.
 */
export function makeFolder(folder: string): string {
  if (existsSync(folder)) return folder;
  const parent = dirname(folder);
  const found = parent === folder ? parent : makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
  return found;
}

/** Throws when somebody else can write to the folder, and so put a file of theirs in place of ours. */
function refuseShared(folder: string): void {
  const user = effectiveUser();
  // Windows gives the folders of a user to this user alone.
  if (user === null) return;
  const { uid, mode } = statSync(folder);
  if (uid !== user) throw new Error(`${folder} belongs to another user`);
  if ((mode & 0o022) !== 0) throw new Error(`${folder} can be written by others`);
}
