import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Linux keeps this folder in memory. In a container it is often too small for the files of all tests. */
const MEMORY = "/dev/shm";
const ENOUGH_BYTES = 2 ** 31;
const OURS = join(MEMORY, "qa-pay-tests-");

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/**
 * Lets this process and all that it starts keep their temporary files in memory, where that is possible, until it ends:
 * a test then never waits until a disk has written a database.
 */
export function keepTemporaryFilesInMemory(): void {
  // Vitest reads its configuration once for each project.
  if (process.env.TMPDIR?.startsWith(OURS) || !hasRoom()) return;
  const folder = mkdtempSync(OURS);
  // Open to every user, like the system's own folder: some tests become another user.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
}
