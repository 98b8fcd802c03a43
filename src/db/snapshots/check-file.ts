import { type Db, getter } from "../driver.js";
import { inspectDatabase } from "../inspect.js";
import { DEVELOPMENT_ID, lookInto } from "../open.js";
import { SnapshotError } from "./snapshot.js";

/** Checks of a file that is to be restored: whose it is, of which version, and whether it is sound. */

export interface Refusals {
  unusable(why: string, cause?: unknown): SnapshotError;
  damaged(why: string, cause?: unknown): SnapshotError;
}

export function refusalsOf(name: string, file: string): Refusals {
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

export function headerOf(db: Db): Header {
  return {
    owner: getter<{ application_id: number }>(db, "PRAGMA application_id")()?.application_id ?? 0,
    version: getter<{ user_version: number }>(db, "PRAGMA user_version")()?.user_version ?? 0,
  };
}

/** The schema version of a snapshot. Throws SnapshotError when it is damaged, of another program, or too old or too new. */
export function checkedVersion(
  db: Db,
  file: string,
  migrations: readonly string[],
  { unusable, damaged }: Refusals,
): number {
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
