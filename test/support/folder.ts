import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of temporary files for one test. */
export interface Folder {
  readonly path: string;
  /** A database in it that is not there yet. */
  readonly db: string;
  remove(): void;
}

export function newFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "qa-pay-test-"));
  return { path, db: join(path, "qa.db"), remove: () => rmSync(path, { recursive: true, force: true }) };
}
