import type { Columns } from "../../base/db/columns/rule.js";
import type { Db } from "../../base/db/driver.js";
import type { Jobs } from "./job.js";
import type { MoneyObjects } from "./money-objects.js";
import type { Searchable } from "./searchable.js";
import type { Stores } from "./tx.js";

/**
 * What a noun of the service brings. `index.ts` of its folder says it once, and features/index.ts lists the nouns. Whatever needs all
 * stores, tables or operations reads that list.
 */

/** What a store may need of all nouns. */
export interface BroughtByAll {
  /** The objects that the ledger checks. */
  readonly money: readonly MoneyObjects[];
}

type StoreFactories = { readonly [Name in keyof Stores]?: (db: Db, all: BroughtByAll) => Stores[Name] };

/** Parts whose exact types nobody needs. */
interface Parts {
  /** The columns of its tables, each with the rule of its values. */
  readonly tables: Readonly<Record<string, Columns>>;
  /** How the search finds its objects. */
  readonly search: readonly ((db: Db) => Searchable)[];
  /** What the ledger must hold for its objects. */
  readonly money: readonly MoneyObjects[];
}

/** Parts with their exact types, such as the ids of operations. */
interface ExactParts<Made, Later> {
  /** Its statements, by their name in a unit of work. Each noun declares the types in `Stores` of tx.ts. */
  readonly stores: Made;
  /** What it does at a later instant. */
  readonly jobs: Later;
}

const NOTHING: Parts & ExactParts<object, object> = { tables: {}, stores: {}, jobs: {}, search: [], money: [] };

/** Returns what a noun brings. A part that is left out is empty. */
export function noun<const Made extends StoreFactories = object, const Later extends Partial<Jobs> = object>(
  parts: Partial<Parts & ExactParts<Made, Later>>,
): Parts & ExactParts<Made, Later> {
  return { ...NOTHING, ...parts } as Parts & ExactParts<Made, Later>;
}
