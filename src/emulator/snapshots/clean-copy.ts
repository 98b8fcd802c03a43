import type { Db } from "../../base/db/driver.js";
import {
  APPLICATION_ID,
  damageOf,
  distrust,
  headerOf,
  isOfDevelopment,
  lookIntoUntrusted,
} from "../../base/db/look.js";
import { openDatabase } from "../../base/db/open.js";
import { readBytes } from "../../base/db/read-bytes.js";
import { findBrokenReference, quoteName, replaceContents } from "../../base/db/replace-contents.js";
import { oddSchema } from "../../base/db/schema.js";
import type { RealTime } from "../../base/kernel/runtime.js";
import { faultOf } from "./check.js";
import { countRows, keepContents, readContents, readStoredNow, type SnapshotContents } from "./contents.js";
import { removeAll } from "./files.js";
import { explain, SnapshotError } from "./snapshot.js";

/**
 * Creates a new database with the rows of another file. The other file may come from anybody: nothing but its rows gets into
 * the copy (docs/decisions/029-snapshots.md).
 */

const MAGIC = "SQLite format 3\0";

export interface CopyParts {
  readonly source: string;
  readonly draft: string;
  readonly migrations: readonly string[];
  readonly real: Pick<RealTime, "epoch">;
}

function unusable(why: string, cause?: unknown): SnapshotError {
  return new SnapshotError("unusable", `The file ${why} Nothing was changed.`, cause);
}

const damageError = (why: string, cause?: unknown) => unusable(`is damaged: ${why}. Export the snapshot again.`, cause);

function checkHeader(source: Db, migrations: readonly string[]): number {
  const found = headerOf(source);
  if (isOfDevelopment(found.owner)) {
    throw unusable("was saved by a development version of qa-pay, older than the first release: save it anew.");
  }
  if (found.owner !== APPLICATION_ID) throw unusable("was not saved by qa-pay.");
  if (found.version > migrations.length) {
    const versions = `schema ${found.version}, this one knows ${migrations.length}`;
    throw unusable(`was saved by a newer version of qa-pay (${versions}). Update qa-pay to import it.`);
  }
  if (found.version < 1) throw unusable("holds no schema. Export the snapshot again.");
  return found.version;
}

/** Checks the file, and creates an empty database of its version at `draft`. Returns that version. */
function makeDraft({ source, draft, migrations }: CopyParts): number {
  return lookIntoUntrusted(source, (found) => {
    const version = checkHeader(found, migrations);
    const ours = migrations.slice(0, version);
    const odd = oddSchema(found, ours);
    if (odd !== null) throw unusable(`${odd}.`);
    openDatabase(draft, ours).close();
    const damage = damageOf(found, true);
    if (damage !== null) throw damageError(damage.slice(0, 200));
    return version;
  });
}

/** Copies every row of `source` into a database at `draft`, which it creates when there is none. */
export function copyRows(source: string, draft: string, migrations: readonly string[]): void {
  const { db, close } = openDatabase(draft, migrations);
  try {
    distrust(db);
    db.exec("PRAGMA foreign_keys = OFF");
    db.prepare("ATTACH ? AS received").run(source);
    db.exec("BEGIN IMMEDIATE");
    replaceContents(db, (table) => `received.${quoteName(table)}`);
    const broken = findBrokenReference(db);
    if (broken !== null) throw damageError(`rows of ${broken} refer to rows that do not exist`);
    db.exec("COMMIT; DETACH received");
  } finally {
    close();
  }
}

/** Brings a draft to the present schema, writes its counts into it, and merges it into one complete file. */
export function seal(
  draft: string,
  migrations: readonly string[],
  look: (db: Db) => SnapshotContents,
): SnapshotContents {
  const { db, close } = openDatabase(draft, migrations);
  try {
    const contents = look(db);
    keepContents(db, "main", contents);
    db.exec("PRAGMA journal_mode = DELETE");
    return contents;
  } finally {
    close();
  }
}

function contentsOf(db: Db, real: CopyParts["real"]): SnapshotContents {
  const now = readStoredNow(db, real.epoch());
  if (now === null) throw unusable("holds no clock that can be read.");
  const counts = countRows(db, quoteName);
  if (counts.accounts === 0) throw unusable("holds no account.");
  return { now: readContents(db)?.now ?? now, counts };
}

/** An error that only the file can have caused, because errors of storage were handled before. */
function isOfSqlite(error: unknown): error is Error {
  return error instanceof Error && "code" in error && /^(?:SQLITE_|ERR_SQLITE)/.test(String(error.code));
}

/**
 * Creates a database at `draft` with the rows of `source`, brings it up to date, and returns its contents in figures. Throws
 * SnapshotError (`unusable`, `storage`). The caller removes the draft.
 */
export function copyCleanly(parts: CopyParts): SnapshotContents {
  try {
    const { source, draft, migrations, real } = parts;
    removeAll(draft);
    if (readBytes(source, 0, MAGIC.length).toString("latin1") !== MAGIC) {
      throw unusable("is no snapshot. Create one with `qa-pay sandbox snapshots export <name>`.");
    }
    copyRows(source, draft, migrations.slice(0, makeDraft(parts)));
    const contents = seal(draft, migrations, (db) => contentsOf(db, real));
    const wrong = lookIntoUntrusted(draft, (db) => faultOf(db));
    if (wrong !== null) throw damageError(wrong);
    return contents;
  } catch (error) {
    const explained = explain(error, (why) => damageError(why, error));
    throw isOfSqlite(explained) ? damageError(explained.message, explained) : explained;
  }
}
