import type { Db } from "../../base/db/driver.js";
import { MIGRATIONS } from "../../base/db/migrations/index.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { createFileStore } from "./file-store.js";
import { createMemoryStore } from "./memory-store.js";
import type { SnapshotStore } from "./snapshot.js";

interface StoreOptions {
  readonly maxMemoryBytes?: number | undefined;
  readonly migrations?: readonly string[] | undefined;
}

/**
 * Returns the store of a database's snapshots (docs/decisions/029-snapshots.md). Those of a database file are files in a folder
 * beside it, and outlive the server. Those of a database in memory end with it. `file` is a path or `:memory:`.
 */
export function createSnapshotStore(
  db: Db,
  file: string,
  real: RealTime,
  { maxMemoryBytes, migrations = MIGRATIONS }: StoreOptions = {},
): SnapshotStore {
  return file === ":memory:"
    ? createMemoryStore(db, migrations, real, maxMemoryBytes)
    : createFileStore(db, file, migrations, real);
}
