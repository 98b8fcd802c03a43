import type { Db } from "../../base/db/driver.js";
import { headerOf, isOfDevelopment, lookIntoUntrusted } from "../../base/db/look.js";
import { oddSchema } from "../../base/db/schema.js";
import { faultOf } from "./check.js";
import { SnapshotError } from "./snapshot.js";

/** Checks a file before it is restored: its program, its version, and whether it is sound. */

export type Refusals = ReturnType<typeof refusalsOf>;

export function refusalsOf(name: string, file: string) {
  const unusable = (why: string, cause?: unknown) =>
    new SnapshotError("unusable", `The snapshot ${name} ${why} Nothing was changed.`, cause);
  const damageError = (why: string, cause?: unknown) =>
    unusable(`is damaged: ${why}. Save it anew, or remove ${file}.`, cause);
  return { unusable, damaged: damageError };
}

/** The schema version of a snapshot. Throws SnapshotError when it is damaged, of another program, or too old or too new. */
export function checkVersion(
  db: Db,
  file: string,
  migrations: readonly string[],
  { unusable, damaged }: Refusals,
): number {
  const { owner, version } = readUntrusted(file, headerOf, damaged);
  if (isOfDevelopment(owner)) {
    throw unusable(`was saved by a development version of qa-pay, older than the first release. Remove ${file}.`);
  }
  if (owner !== headerOf(db).owner) throw unusable(`was not saved by qa-pay. Remove ${file}.`);
  if (version > migrations.length) {
    const versions = `schema ${version}, this one knows ${migrations.length}`;
    throw unusable(`was saved by a newer version of qa-pay (${versions}). Update qa-pay to restore it.`);
  }
  const odd = readUntrusted(file, (found) => oddSchema(found, migrations.slice(0, version)), damaged);
  if (odd !== null) throw unusable(`${odd}. Save it anew, or remove ${file}.`);
  return version;
}

function readUntrusted<Found>(file: string, how: (db: Db) => Found, damaged: Refusals["damaged"]): Found {
  try {
    return lookIntoUntrusted(file, how);
  } catch (error) {
    throw damaged("it cannot be read", error);
  }
}

/** Throws SnapshotError for a file of the newest schema whose rows are not as the product writes them. */
export function checkRows(file: string, { damaged }: Refusals): void {
  const wrong = readUntrusted(file, (db) => faultOf(db), damaged);
  if (wrong !== null) throw damaged(wrong);
}
