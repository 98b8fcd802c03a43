import type { Db } from "../../../base/db/driver.js";
import { NOUNS } from "../index.js";
import type { Searchable } from "../searchable.js";

declare module "../tx.js" {
  interface Stores {
    readonly search: SearchStore;
  }
}

/** The sources of the search. */
export type SearchStore = readonly Searchable[];

export function searchStore(db: Db): SearchStore {
  return NOUNS.flatMap(({ search }) => search.map((of) => of(db)));
}
