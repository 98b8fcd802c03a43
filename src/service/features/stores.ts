import type { Db } from "../../base/db/driver.js";
import { mergeParts } from "../../base/kernel/merge-parts.js";
import { NOUNS } from "./index.js";
import { jobStore } from "./jobs/store.js";
import type { BroughtByAll } from "./noun.js";
import { searchStore } from "./search/store.js";
import type { Stores } from "./tx.js";

type Factories = Readonly<Record<string, (db: Db, all: BroughtByAll) => object>>;
type Created<Of extends Factories> = { readonly [Name in keyof Of]: ReturnType<Of[Name]> };

const FACTORIES = { ...mergeParts(NOUNS.map(({ stores }) => stores)), jobs: jobStore, search: searchStore };

/** The stores read their cached rows again: a transaction was undone, or the contents were replaced. */
export function forgetRows(stores: Stores): void {
  for (const store of Object.values(stores)) if ("forget" in store) store.forget();
}

function createAll<Of extends Factories>(factories: Of, db: Db, all: BroughtByAll): Created<Of> {
  return Object.fromEntries(Object.entries(factories).map(([name, create]) => [name, create(db, all)])) as Created<Of>;
}

/** Returns the stores of all nouns. A store that `Stores` declares and no noun has is a type error here. */
export function createStores(db: Db): Stores {
  return createAll(FACTORIES, db, { money: NOUNS.flatMap(({ money }) => money) });
}
