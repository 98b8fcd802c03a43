import * as fs from "node:fs";
import { join } from "node:path";
import { type Db, getter } from "../driver.js";
import { inspectDatabase } from "../inspect.js";
import { DEVELOPMENT_ID, lookInto, openDatabase } from "../open.js";
import { makeFile, SIDE_FILES, tightenFolder } from "../place.js";
import { quoted } from "../replace-contents.js";
import {
  explain,
  newestFirst,
  refuseAlike,
  replaceFrom,
  SNAPSHOT_NAME,
  type Snapshot,
  SnapshotError,
  type SnapshotStore,
} from "./snapshot.js";

/** Snapshots of a database file. Each snapshot is a database file of its own in the folder `<file>.snapshots`. */

const EXTENSION = ".db";
/** The file in which a snapshot is written or upgraded. It begins with a dot, so it is never taken for a snapshot. */
const DRAFT = ".draft";

export function createFileStore(db: Db, file: string, migrations: readonly string[]): SnapshotStore {
  const folder = `${file}.snapshots`;
  const draft = join(folder, DRAFT);
  tightenFolder(folder);
  return {
    list: () => listFolder(folder),
    save(name) {
      try {
        refuseAlike(name, listFolder(folder));
        write(db, folder, name, draft);
      } catch (error) {
        removeIfPossible(draft);
        throw explain(error);
      }
      return describe(folder, name);
    },
    restore(name, run) {
      const snapshot = listFolder(folder).find((one) => one.name === name);
      if (snapshot === undefined) return null;
      const stored = join(folder, name + EXTENSION);
      const refusals = refusalsOf(name, stored);
      try {
        const isCurrent = checkedVersion(db, stored, migrations, refusals) === migrations.length;
        if (!isCurrent) upgradeCopy(stored, draft, migrations, refusals);
        db.prepare("ATTACH ? AS snapshot").run(isCurrent ? stored : draft);
        try {
          replaceFrom(db, (table) => `snapshot.${quoted(table)}`, refusals.damaged, run);
        } finally {
          db.exec("DETACH snapshot");
        }
      } catch (error) {
        throw explain(error);
      } finally {
        removeIfPossible(draft);
      }
      return snapshot;
    },
  };
}

function listFolder(folder: string): Snapshot[] {
  if (!fs.existsSync(folder) || !fs.statSync(folder).isDirectory()) return [];
  const found = fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = entry.name.slice(0, -EXTENSION.length);
    const isOne = entry.isFile() && entry.name.endsWith(EXTENSION) && SNAPSHOT_NAME.test(name);
    return isOne ? [describe(folder, name)] : [];
  });
  return found.sort(newestFirst);
}

/** Writes a draft first and renames it once all of it is on the disk. */
function write(db: Db, folder: string, name: string, draft: string): void {
  // For the owner alone: a snapshot holds secrets.
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { mode: 0o700 });
  removeAll(draft);
  makeFile(draft);
  db.prepare("VACUUM INTO ?").run(draft);
  settle(draft);
  fs.renameSync(draft, join(folder, name + EXTENSION));
  // Windows cannot open a folder.
  if (process.platform !== "win32") settle(folder);
}

function describe(folder: string, name: string): Snapshot {
  const file = join(folder, name + EXTENSION);
  const { mtimeMs, size } = fs.statSync(file);
  return { name, createdAt: Math.floor(mtimeMs), size, file };
}

/** Returns when a file, or the list of files of a folder, is on the disk. */
function settle(path: string): void {
  const handle = fs.openSync(path, "r");
  try {
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
}

function removeAll(path: string): void {
  for (const side of ["", ...SIDE_FILES]) fs.rmSync(path + side, { force: true });
}

function removeIfPossible(path: string): void {
  try {
    removeAll(path);
  } catch {
    // The next save removes it. The caller reports the first error, not this one.
  }
}

interface Refusals {
  unusable(why: string, cause?: unknown): SnapshotError;
  damaged(why: string, cause?: unknown): SnapshotError;
}

function refusalsOf(name: string, file: string): Refusals {
  const unusable = (why: string, cause?: unknown) =>
    new SnapshotError("unusable", `The snapshot ${name} ${why} Nothing was changed.`, cause);
  const damaged = (why: string, cause?: unknown) =>
    unusable(`is damaged: ${why}. Save it anew, or remove ${file}.`, cause);
  return { unusable, damaged };
}

interface Header {
  /** The application id of the program that wrote the file. */
  readonly owner: number;
  /** How many migrations the file has had. */
  readonly version: number;
}

function headerOf(db: Db): Header {
  return {
    owner: getter<{ application_id: number }>(db, "PRAGMA application_id")()?.application_id ?? 0,
    version: getter<{ user_version: number }>(db, "PRAGMA user_version")()?.user_version ?? 0,
  };
}

/** The schema version of a snapshot. Throws SnapshotError when it is damaged, of another program, or too old or too new. */
function checkedVersion(db: Db, file: string, migrations: readonly string[], { unusable, damaged }: Refusals): number {
  function look<Found>(how: () => Found): Found {
    try {
      return how();
    } catch (error) {
      throw damaged("it cannot be read", error);
    }
  }
  const { owner, version } = look(() => lookInto(file, headerOf));
  if (owner === DEVELOPMENT_ID) {
    throw unusable(`was saved by a development version of qa-pay, older than the first release. Remove ${file}.`);
  }
  if (owner !== headerOf(db).owner) throw unusable(`was not saved by qa-pay. Remove ${file}.`);
  if (version > migrations.length) {
    const versions = `schema ${version}, this one knows ${migrations.length}`;
    throw unusable(`was saved by a newer version of qa-pay (${versions}). Update qa-pay to restore it.`);
  }
  const { damage, ledger } = look(() => inspectDatabase(file, migrations));
  const wrong = damage ?? ledger;
  if (wrong !== null) throw damaged(wrong);
  return version;
}

/** Upgrades a copy. The snapshot itself stays as it is, so that the version of qa-pay that saved it can still use it. */
function upgradeCopy(file: string, copy: string, migrations: readonly string[], { unusable }: Refusals): void {
  try {
    removeAll(copy);
    fs.copyFileSync(file, copy);
    openDatabase(copy, migrations).close();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw unusable(`cannot be brought to this version of qa-pay: ${why}`, error);
  }
}
