import type { Db } from "../../base/db/driver.js";
import { findLedgerFault } from "../../base/db/inspect.js";
import { bytesOf, damageOf } from "../../base/db/look.js";
import { findWrongFigures } from "./figures.js";
import { findWrongRow } from "./rows/check.js";

/** SQLite checks a file of this many bytes in about a second, in which nothing else happens. */
const MOST_FOR_SQLITE = 268_435_456;

/**
 * Returns the fault in the contents of a database that somebody else may have written, in words; null for a sound one. It is
 * called for imports and restores, and not at a start, where a wrong value fails alone when it is read. The schema must have
 * been compared before.
 */
export function faultOf(db: Db): string | null {
  // Every row of a larger file is read below, so only its indexes go unchecked.
  const damage = bytesOf(db) <= MOST_FOR_SQLITE ? damageOf(db) : null;
  return damage?.slice(0, 200) ?? findWrongRow(db) ?? findLedgerFault(db) ?? findWrongFigures(db);
}
