import { DatabaseError } from "../db/database-error.js";
import type { Db } from "../db/driver.js";
import { wrongLedger } from "../db/inspect.js";
import { bytesOf, damageOf } from "../db/look.js";
import type { OpenDatabase } from "../db/open.js";
import type { RealTime, Runtime } from "../kernel/runtime.js";
import { wrongFigures } from "./figures.js";
import { wrongRow } from "./rows/check.js";

/**
 * What is checked of the contents of a database that somebody else may have written: a file that a start finds, and a snapshot
 * that is imported or restored (docs/decisions/073-files-nobody-vouches-for.md). The schema must have been compared before.
 */

/** SQLite checks a file of this many bytes in about a second, in which nothing else happens. */
const MOST_FOR_SQLITE = 268_435_456;

/** A start that takes longer says why. */
const SILENT_MS = 2_000;

/** Its result is what is wrong with the contents, or null. Between two steps others may have their turn. */
function* wrongContents(db: Db): Generator<void, string | null> {
  // Every row of a larger file is read below, so only its indexes go unchecked.
  const damage = bytesOf(db) <= MOST_FOR_SQLITE ? damageOf(db) : null;
  if (damage !== null) return damage.slice(0, 200);
  yield;
  return (yield* wrongRow(db)) ?? wrongLedger(db) ?? wrongFigures(db);
}

/** What is wrong with the contents, in words; null when nothing is. */
export function faultOf(db: Db): string | null {
  const steps = wrongContents(db);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Checks the contents of a database that a start has opened, unless it is known, and vouches for them. Throws DatabaseError for
 * contents that the product has not written, and when `stopped` is aborted. Requests of others have their turn meanwhile.
 */
export async function checkContents(
  { db, file, isKnown, vouch }: Pick<OpenDatabase, "db" | "file" | "isKnown" | "vouch">,
  { real, log }: Pick<Runtime, "real" | "log">,
  stopped?: AbortSignal,
): Promise<void> {
  if (isKnown) return vouch();
  const takesLong = real.after(SILENT_MS, () =>
    log.warn(`${file} was not closed by a server of this user, so all of it is checked first. That takes a while.`),
  );
  try {
    await checkThrough(db, file, real, stopped);
  } finally {
    takesLong.cancel();
  }
  vouch();
}

async function checkThrough(
  db: Db,
  file: string,
  real: Pick<RealTime, "soon">,
  stopped: AbortSignal | undefined,
): Promise<void> {
  const steps = wrongContents(db);
  for (;;) {
    const { done, value } = steps.next();
    if (done && value !== null) {
      const what = `it is damaged, or somebody else has changed it: ${value}`;
      const way = "Move it away, restore a copy, or choose another with --db.";
      throw new DatabaseError(`Cannot use the database ${file}: ${what}. ${way}`);
    }
    if (done) return;
    await new Promise<void>((resolve) => real.soon(resolve));
    if (stopped?.aborted) throw new DatabaseError("Stopped while the database was being checked. Nothing was changed.");
  }
}
