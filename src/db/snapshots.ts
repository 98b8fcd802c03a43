import type { RealTime } from "../kernel/runtime.js";
import { type Db, getter } from "./driver.js";
import { MIGRATIONS } from "./migrations/index.js";
import { columnsOf, quoted, tablesOf } from "./refill.js";
import { snapshotFiles } from "./snapshot-files.js";
import {
  newestFirst,
  refillFrom,
  refuseAlike,
  SnapshotError,
  type SnapshotStore,
  type StoredSnapshot,
} from "./snapshot-store.js";

/**
 * The most that all snapshots in memory may take together. Snapshots of a file have no bound: their size on the disk is
 * easy to see.
 */
const MAX_BYTES = 512 * 1_048_576;

/**
 * Named copies of a whole database (docs/decisions/029-snapshots.md). The snapshots of a file are files in a folder
 * beside it and outlive the server; the snapshots of a database in memory end with it. `file` is a path or `:memory:`.
 */
export function createSnapshots(
  db: Db,
  file: string,
  real: RealTime,
  maxBytes = MAX_BYTES,
  migrations = MIGRATIONS,
): SnapshotStore {
  return file === ":memory:" ? snapshotsInMemory(db, real, maxBytes) : snapshotFiles(db, file, migrations);
}

/**
 * Keeps snapshots as tables of a second database in memory, attached to the first. The tables of a snapshot have its
 * number in front of their names. They have no indexes and no constraints, because nothing is looked up in them.
 */
function snapshotsInMemory(db: Db, real: RealTime, maxBytes: number): SnapshotStore {
  const known = new Map<string, StoredSnapshot & { readonly number: number }>();
  const copyOf = (number: number, table: string) => `snapshots.${quoted(`${number}/${table}`)}`;
  let last = 0;

  function copyAll(number: number): void {
    db.exec("BEGIN");
    try {
      for (const table of tablesOf(db)) {
        db.exec(`CREATE TABLE ${copyOf(number, table)} AS SELECT ${columnsOf(db, table)} FROM main.${quoted(table)}`);
      }
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }

  /** Returns the size of the database as it is now, in bytes. */
  function size(): number {
    const pages = getter<{ page_count: number }>(db, "PRAGMA main.page_count")()?.page_count ?? 0;
    return pages * (getter<{ page_size: number }>(db, "PRAGMA main.page_size")()?.page_size ?? 0);
  }

  function refuseTooMuch(name: string): void {
    const others = [...known.values()].filter((one) => one.name !== name);
    if (others.reduce((sum, one) => sum + one.size, size()) <= maxBytes) return;
    const limit = `Snapshots of a database in memory take ${Math.floor(maxBytes / 1_048_576)} MB at most, all together`;
    throw new SnapshotError("unusable", `${limit}. Replace one, or start with a database file (--db).`);
  }

  return {
    list: () => [...known.values()].sort(newestFirst),
    save(name) {
      refuseAlike(name, [...known.values()]);
      refuseTooMuch(name);
      if (last === 0) db.exec("ATTACH ':memory:' AS snapshots");
      last += 1;
      copyAll(last);
      const old = known.get(name);
      if (old !== undefined) for (const table of tablesOf(db)) db.exec(`DROP TABLE ${copyOf(old.number, table)}`);
      const snapshot = { name, number: last, createdAt: real.epoch(), size: size(), file: null };
      known.set(name, snapshot);
      return snapshot;
    },
    restore(name, run) {
      const snapshot = known.get(name);
      if (snapshot === undefined) return null;
      const unusable = (why: string) => new SnapshotError("unusable", `The snapshot ${name} does not fit: ${why}.`);
      refillFrom(db, (table) => copyOf(snapshot.number, table), unusable, run);
      return snapshot;
    },
  };
}
