import { createHmac } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { isSameText } from "../kernel/same-text.js";
import { makeFolder, refuseShared } from "../platform/own-folder.js";
import { cacheFolder, createRandom } from "../platform/real-runtime.js";
import { JOURNAL, KNOWN, LOG, tighten } from "./place.js";

/**
 * Whether a database is as a server of this user has left it. Then nobody has to look at all of it again
 * (docs/decisions/073-files-nobody-vouches-for.md).
 *
 * Beside the database stands what the file system says about it, signed with a key that only this user has. A file that came
 * from somewhere has another inode, and nobody can choose when the file system says that a file was changed.
 */

const KEY_FILE = "known-databases.key";
const KEY_BYTES = 32;

/** The key of this user, made at its first use. Null where the user has no folder of their own for it. */
function ownKey(): Buffer | null {
  const folder = cacheFolder();
  if (folder === null) return null;
  try {
    makeFolder(folder);
    tighten(folder);
    refuseShared(folder);
    const file = join(folder, KEY_FILE);
    if (!fs.existsSync(file)) fs.writeFileSync(file, createRandom().bytes(KEY_BYTES), { flag: "wx", mode: 0o600 });
    const key = fs.readFileSync(file);
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

function signed(file: string, key: Buffer): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = fs.lstatSync(file, { bigint: true });
  return createHmac("sha256", key).update([dev, ino, size, mtimeNs, ctimeNs].join()).digest("hex");
}

/** Notes how a database is. Call it when the database is closed and its contents are the product's own. */
export function rememberFile(file: string): void {
  const key = ownKey();
  if (key === null) return;
  try {
    fs.rmSync(file + KNOWN, { force: true });
    fs.writeFileSync(file + KNOWN, signed(file, key), { flag: "wx", mode: 0o600 });
  } catch {
    // The next start looks at the whole database.
  }
}

/** Whether a database, of which no log is left, is as it was noted. */
export function isRemembered(file: string): boolean {
  try {
    if ([JOURNAL, LOG].some((side) => fs.existsSync(file + side))) return false;
    const noted = fs.readFileSync(file + KNOWN, "latin1");
    const key = ownKey();
    return key !== null && isSameText(noted, signed(file, key));
  } catch {
    return false;
  }
}
