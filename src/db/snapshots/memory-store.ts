import type { RealTime } from "../../kernel/runtime.js";
import { type Db, getter } from "../driver.js";
import { columnsOf, quoted, tablesOf } from "../replace-contents.js";
import { newestFirst, refuseAlike, replaceFrom, type Snapshot, SnapshotError, type SnapshotStore } from "./snapshot.js";

/** All snapshots in memory may take this many bytes together. */
const MAX_BYTES = 512 * 1_048_576;

/**
 * Snapshots of a database in memory: tables of a second database in memory, which is attached to the first. The name of
 * each table begins with the number of its snapshot. The tables have no indexes and no constraints: nothing is looked up
 * in them.
 */
export function createMemoryStore(db: Db, real: RealTime, maxBytes = MAX_BYTES): SnapshotStore {
  const known = new Map<string, Snapshot & { readonly number: number }>();
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

  /** Size of the present database in bytes. */
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
      replaceFrom(db, (table) => copyOf(snapshot.number, table), unusable, run);
      return snapshot;
    },
  };
}
