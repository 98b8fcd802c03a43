import { key } from "../../../base/db/columns/values.js";
import { noun } from "../noun.js";
import { HISTORY, type HistoryStore, historyStore } from "./store.js";

declare module "../tx.js" {
  interface Stores {
    readonly history: HistoryStore;
  }
}

/** Everything that happened, in its order and with its cause. */
export const history = noun({
  tables: { history: { seq: key, ...HISTORY } },
  stores: { history: historyStore },
});
