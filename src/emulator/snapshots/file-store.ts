import * as fs from "node:fs";
import { join } from "node:path";
import type { Db } from "../../base/db/driver.js";
import { headerOf, lookIntoUntrusted } from "../../base/db/look.js";
import { openDatabase } from "../../base/db/open.js";
import { makeFile, SIDE_FILES, SNAPSHOTS, tightenFolder } from "../../base/db/place.js";
import { quoteName, withAttached } from "../../base/db/replace-contents.js";
import { oddSchema } from "../../base/db/schema.js";
import { reasonOf } from "../../base/kernel/reason.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { makeFolder } from "../../base/platform/own-folder.js";
import { checkRows, checkVersion, type Refusals, refusalsOf } from "./check-file.js";
import { copyCleanly } from "./clean-copy.js";
import { countRows, keepContents, readContents, readStoredNow } from "./contents.js";
import { openFile, removeAll, removeIfPossible, settle } from "./files.js";
import {
  type Draft,
  explain,
  explainErrors,
  newestFirst,
  type ReplacingTransaction,
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
/** The beginning of the names of files that are being received. */
const RECEIVED = ".received-";
const RECEIVED_NAME = /^\.received-\d+$/;

/** The name of a file that a server creates in the folder, with a suffix that SQLite may add. */
function isOwnName(name: string): boolean {
  const side = SIDE_FILES.find((suffix) => name.endsWith(suffix)) ?? "";
  const base = name.slice(0, name.length - side.length);
  return base === DRAFT || RECEIVED_NAME.test(base) || nameIn(base) !== null;
}

/** The name of the snapshot that a file holds; null for a file of another name. */
function nameIn(fileName: string): string | null {
  const name = fileName.slice(0, -EXTENSION.length);
  return fileName.endsWith(EXTENSION) && SNAPSHOT_NAME.test(name) ? name : null;
}

/** Returns the snapshots of a database that is a file. They outlive the server. */
export function createFileStore(
  db: Db,
  file: string,
  migrations: readonly string[],
  real: Pick<RealTime, "epoch">,
): SnapshotStore {
  const folder = file + SNAPSHOTS;
  const draft = join(folder, DRAFT);
  const list = lister(folder, migrations, real);
  const find = (name: string) => list().find((one) => one.name === name);
  let received = 0;
  tightenFolder(folder, isOwnName);
  removeReceived(folder);

  /** Writes a draft first and renames it once all of it is on the disk. */
  function replaceBy(name: string, write: () => void): Snapshot {
    try {
      refuseAlike(name, list());
      makeFolder(folder);
      removeAll(draft);
      write();
      settle(draft);
      fs.renameSync(draft, join(folder, name + EXTENSION));
      settleFolder(folder);
    } catch (error) {
      removeIfPossible(draft);
      throw explain(error);
    }
    const written = find(name);
    if (written === undefined) throw new SnapshotError("storage", `The snapshot ${name} was removed at once.`);
    return written;
  }

  return {
    list,
    checkName: (name) => refuseAlike(name, list()),
    save: (name) => replaceBy(name, () => writeDraft(db, draft, real)),
    adopt(name, source) {
      const adopted = replaceBy(name, () => void copyCleanly({ source, draft, migrations, real }));
      removeIfPossible(draft);
      return adopted;
    },
    restore(name, run) {
      const snapshot = find(name);
      if (snapshot === undefined) return null;
      restoreFile(db, { name, stored: join(folder, name + EXTENSION), draft, migrations }, run);
      return snapshot;
    },
    remove(name) {
      if (find(name) === undefined) return false;
      explainErrors(() => removeFile(folder, name));
      return true;
    },
    open: (name) => (find(name) === undefined ? null : explainErrors(() => openFile(join(folder, name + EXTENSION)))),
    place() {
      received += 1;
      return placeIn(folder, `${RECEIVED}${received}`);
    },
  };
}

function removeFile(folder: string, name: string): void {
  fs.unlinkSync(join(folder, name + EXTENSION));
  settleFolder(folder);
}

function placeIn(folder: string, name: string): Draft {
  const file = join(folder, name);
  explainErrors(() => {
    makeFolder(folder);
    removeAll(file);
  });
  return { file, remove: () => removeIfPossible(file) };
}

interface StoredFile {
  readonly name: string;
  readonly stored: string;
  /** The file in which a copy of an older snapshot is brought up to date. */
  readonly draft: string;
  readonly migrations: readonly string[];
}

function restoreFile(db: Db, { name, stored, draft, migrations }: StoredFile, run: ReplacingTransaction): void {
  const refusals = refusalsOf(name, stored);
  const restore = () => {
    const isCurrent = checkVersion(db, stored, migrations, refusals) === migrations.length;
    if (!isCurrent) upgradeCopy(stored, draft, migrations, refusals);
    const source = isCurrent ? stored : draft;
    checkRows(source, refusals);
    withAttached(db, source, "snapshot", () =>
      replaceFrom(db, (table) => `snapshot.${quoteName(table)}`, refusals.damaged, run),
    );
  };
  try {
    explainErrors(restore);
  } finally {
    removeIfPossible(draft);
  }
}

/** Windows cannot open a folder. */
function settleFolder(folder: string): void {
  if (process.platform !== "win32") settle(folder);
}

/** Removes the files that a server was receiving when it was killed. */
function removeReceived(folder: string): void {
  if (!isFolder(folder)) return;
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.isFile() && RECEIVED_NAME.test(entry.name)) removeIfPossible(join(folder, entry.name));
  }
}

function isFolder(folder: string): boolean {
  return fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The contents of a file in figures: as stored when it was saved, or counted for a file that was put there by hand. */
function contentsIn(file: string, migrations: readonly string[], { epoch }: Pick<RealTime, "epoch">) {
  try {
    return lookIntoUntrusted(file, (db) => {
      // A view in place of a table could keep these queries busy for ever.
      if (oddSchema(db, migrations.slice(0, headerOf(db).version)) !== null) return null;
      return readContents(db) ?? { now: readStoredNow(db, epoch()) ?? epoch(), counts: countRows(db, quoteName) };
    });
  } catch {
    return null;
  }
}

/** Lists the snapshots of a folder. The contents of a file are read once, and again only when the file has changed. */
function lister(folder: string, migrations: readonly string[], real: Pick<RealTime, "epoch">): () => Snapshot[] {
  let known = new Map<string, Snapshot>();
  return () => {
    if (!isFolder(folder)) return [];
    const found = new Map<string, Snapshot>();
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const name = nameIn(entry.name);
      if (!entry.isFile() || name === null) continue;
      const file = join(folder, entry.name);
      const { ino, mtimeMs, size } = fs.statSync(file);
      // A text that changes whenever the file does.
      const key = `${name} ${ino} ${mtimeMs} ${size}`;
      const about = { name, createdAt: Math.floor(mtimeMs), size, file };
      found.set(key, known.get(key) ?? { ...about, contents: contentsIn(file, migrations, real) });
    }
    known = found;
    return [...found.values()].sort(newestFirst);
  };
}

function writeDraft(db: Db, draft: string, { epoch }: Pick<RealTime, "epoch">): void {
  makeFile(draft);
  db.prepare("VACUUM INTO ?").run(draft);
  withAttached(db, draft, "draft", () => {
    const counts = countRows(db, (table) => `draft.${quoteName(table)}`);
    keepContents(db, "draft", { now: readStoredNow(db, epoch()) ?? epoch(), counts });
  });
}

/** Upgrades a copy. The snapshot itself stays as it is, so that the version of qa-pay that saved it can still use it. */
function upgradeCopy(file: string, copy: string, migrations: readonly string[], { unusable }: Refusals): void {
  try {
    removeAll(copy);
    fs.copyFileSync(file, copy);
    openDatabase(copy, migrations).close();
  } catch (error) {
    throw unusable(`cannot be brought to this version of qa-pay: ${reasonOf(error)}`, error);
  }
}
