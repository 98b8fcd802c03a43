import type Database from "better-sqlite3";
import { EVENT_INVARIANTS } from "./invariants/events.js";
import { HISTORY_INVARIANTS } from "./invariants/history.js";
import type { Invariant } from "./invariants/invariant.js";
import { MONEY_INVARIANTS } from "./invariants/money.js";
import { FILE_IS_WHOLE, RECORD_INVARIANTS } from "./invariants/records.js";
import { TIMELINE_INVARIANTS } from "./invariants/timelines.js";

/** What holds of a database whatever was done to it and however its server came to an end. */
export const INVARIANTS: readonly Invariant[] = [
  ...RECORD_INVARIANTS,
  ...MONEY_INVARIANTS,
  ...EVENT_INVARIANTS,
  ...HISTORY_INVARIANTS,
  ...TIMELINE_INVARIANTS,
];

/** The first few of each are enough to see what is wrong. */
const SHOWN = 5;

/** Every breach, with the name of what it breaks; none when all is well. A file that is damaged is not read further. */
export function breachesOf(db: Database.Database): string[] {
  const look = ({ name, breaches }: Invariant) =>
    breaches(db)
      .slice(0, SHOWN)
      .map((text) => `${name}: ${text}`);
  const damage = look(FILE_IS_WHOLE);
  return damage.length > 0 ? damage : INVARIANTS.filter((one) => one !== FILE_IS_WHOLE).flatMap(look);
}
