/**
 * Notes that a database is as a server has left it, as `src/db/known-file.ts` does: a server that starts on a file that it does not know
 * reads every row first, which takes ten minutes for ten million payments. What the seeder writes is known to be right.
 */
import { createHmac } from "node:crypto";
import { existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Does nothing where no server of this user has made the key yet, as on systems that keep it elsewhere. */
export function markKnown(file) {
  const { XDG_CACHE_HOME: cache = "" } = process.env;
  const key = join(isAbsolute(cache) ? cache : join(homedir(), ".cache"), "qa-pay", "known-databases.key");
  if (!existsSync(key)) return;
  const { dev, ino, size, mtimeNs, ctimeNs } = lstatSync(file, { bigint: true });
  const signed = createHmac("sha256", readFileSync(key)).update([dev, ino, size, mtimeNs, ctimeNs].join());
  writeFileSync(`${file}-known`, signed.digest("hex"), { mode: 0o600 });
}
