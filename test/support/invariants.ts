import type { Db } from "../../src/base/db/driver.js";
import { HISTORY_INVARIANTS } from "./invariants/history.js";
import type { Invariant } from "./invariants/invariant.js";
import { MONEY_INVARIANTS } from "./invariants/money.js";
import { FILE_IS_WHOLE, RECORD_INVARIANTS } from "./invariants/records.js";

/** The invariants of a database: they hold after every request and after every end of the server. */
const INVARIANTS: readonly Invariant[] = [...RECORD_INVARIANTS, ...MONEY_INVARIANTS, ...HISTORY_INVARIANTS];

/** The most breaches that are reported of each invariant. */
const SHOWN = 5;

/** Every breach with the name of its invariant; empty for a correct database. A damaged file is not read further. */
export function breachesOf(db: Db): string[] {
  const look = ({ name, breaches }: Invariant) =>
    breaches(db)
      .slice(0, SHOWN)
      .map((text) => `${name}: ${text}`);
  const damage = look(FILE_IS_WHOLE);
  return damage.length > 0 ? damage : INVARIANTS.filter((one) => one !== FILE_IS_WHOLE).flatMap(look);
}
