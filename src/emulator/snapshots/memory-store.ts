import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Db } from "../../base/db/driver.js";
import { bytesOf } from "../../base/db/look.js";
import { columnsOf, quoteName, tablesOf, withAttached } from "../../base/db/replace-contents.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import type { OpenFile } from "../../service/features/operation.js";
import { copyCleanly, copyRows, seal } from "./clean-copy.js";
import { countRows, readStoredNow, type SnapshotContents } from "./contents.js";
import { openFile } from "./files.js";
import {
  explain,
  explainErrors,
  newestFirst,
  refuseAlike,
  replaceFrom,
  type Snapshot,
  SnapshotError,
  type SnapshotStore,
} from "./snapshot.js";

/** All snapshots in memory may take this many bytes together. */
const MAX_BYTES = 512 * 1_048_576;

type StoredSnapshot = Snapshot & { readonly number: number; readonly contents: SnapshotContents };

/** A folder of the system's temporary files, for the owner alone. */
function makeScratch(): { readonly path: string; remove(): void } {
  const path = explainErrors(() => mkdtempSync(join(tmpdir(), "qa-pay-snapshot-")));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Copies every table. `from` and `to` return the SQL names of the tables. */
function copyTables(db: Db, from: (table: string) => string, to: (table: string) => string): void {
  db.exec("BEGIN");
  try {
    for (const table of tablesOf(db)) {
      db.exec(`CREATE TABLE ${to(table)} AS SELECT ${columnsOf(db, table)} FROM ${from(table)}`);
    }
    db.exec("COMMIT");
  } catch (error) {
    db.exec("ROLLBACK");
    throw error;
  }
}

const inMain = (table: string) => `main.${quoteName(table)}`;
const ofSnapshot = (number: number) => (table: string) => `snapshots.${quoteName(`${number}/${table}`)}`;

/** Writes a snapshot into a database file in `folder`, and returns its path. */
function write(db: Db, { number, contents }: StoredSnapshot, folder: string, migrations: readonly string[]): string {
  const rows = join(folder, "rows");
  const draft = join(folder, "snapshot.db");
  withAttached(db, rows, "written", () => copyTables(db, ofSnapshot(number), (table) => `written.${quoteName(table)}`));
  copyRows(rows, draft, migrations);
  seal(draft, migrations, () => contents);
  return draft;
}

function openWritten(db: Db, snapshot: StoredSnapshot, migrations: readonly string[]): OpenFile {
  const scratch = makeScratch();
  try {
    return openFile(write(db, snapshot, scratch.path, migrations), scratch.remove);
  } catch (error) {
    scratch.remove();
    throw explain(error);
  }
}

/** The snapshots of a database in memory, by name. */
function createShelf(db: Db, maxBytes: number) {
  const known = new Map<string, StoredSnapshot>();
  let last = 0;
  function drop({ name, number }: StoredSnapshot): void {
    for (const table of tablesOf(db)) db.exec(`DROP TABLE ${ofSnapshot(number)(table)}`);
    known.delete(name);
  }
  return {
    known,
    drop,
    refuseTooMuch(name: string, size: number): void {
      const others = [...known.values()].filter((one) => one.name !== name);
      if (others.reduce((sum, one) => sum + one.size, size) <= maxBytes) return;
      const most = Math.floor(maxBytes / 1_048_576);
      const limit = `Snapshots of a database in memory take ${most} MB at most, all together`;
      throw new SnapshotError("unusable", `${limit}. Delete or replace one, or start with a database file (--db).`);
    },
    /** Keeps a copy of the tables that `from` names, in place of an older one of the same name. */
    keep(from: (table: string) => string, snapshot: Omit<StoredSnapshot, "number">): Snapshot {
      if (last === 0) db.exec("ATTACH ':memory:' AS snapshots");
      last += 1;
      const kept = { ...snapshot, number: last };
      copyTables(db, from, ofSnapshot(last));
      const old = known.get(kept.name);
      if (old !== undefined) drop(old);
      known.set(kept.name, kept);
      return kept;
    },
  };
}

/**
 * Snapshots of a database in memory: tables of a second database in memory, which is attached to the first. The name of
 * each table begins with the number of its snapshot. The tables have no indexes and no constraints: nothing is looked up
 * in them.
 */
export function createMemoryStore(
  db: Db,
  migrations: readonly string[],
  real: RealTime,
  maxBytes = MAX_BYTES,
): SnapshotStore {
  const shelf = createShelf(db, maxBytes);
  const { known } = shelf;
  const checkName = (name: string) => refuseAlike(name, [...known.values()]);
  return {
    list: () => [...known.values()].sort(newestFirst),
    checkName,
    save(name) {
      checkName(name);
      const size = bytesOf(db);
      shelf.refuseTooMuch(name, size);
      const createdAt = real.epoch();
      const contents = { now: readStoredNow(db, createdAt) ?? createdAt, counts: countRows(db, inMain) };
      return shelf.keep(inMain, { name, createdAt, size, file: null, contents });
    },
    restore(name, run) {
      const snapshot = known.get(name);
      if (snapshot === undefined) return null;
      const unusable = (why: string) => new SnapshotError("unusable", `The snapshot ${name} does not fit: ${why}.`);
      replaceFrom(db, ofSnapshot(snapshot.number), unusable, run);
      return snapshot;
    },
    remove(name) {
      const snapshot = known.get(name);
      if (snapshot !== undefined) shelf.drop(snapshot);
      return snapshot !== undefined;
    },
    open(name) {
      const snapshot = known.get(name);
      return snapshot === undefined ? null : openWritten(db, snapshot, migrations);
    },
    place() {
      const { path, remove } = makeScratch();
      return { file: join(path, "received.db"), remove };
    },
    adopt(name, source) {
      checkName(name);
      const draft = `${source}.draft`;
      const contents = copyCleanly({ source, draft, migrations, real });
      const { size } = statSync(draft);
      shelf.refuseTooMuch(name, size);
      const snapshot = { name, createdAt: real.epoch(), size, file: null, contents };
      return withAttached(db, draft, "received", () => shelf.keep((table) => `received.${quoteName(table)}`, snapshot));
    },
  };
}
