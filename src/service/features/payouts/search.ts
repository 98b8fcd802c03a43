import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { hasWords } from "../../../base/kernel/text-search.js";
import { type Part, type Searchable, searchRows, sumOf, toSearchResult } from "../searchable.js";
import type { PayoutRow } from "./store.js";

/** Returns how the search finds payouts: by id and end-to-end id exactly, by key and amount, and the newest. */
export function payoutSearch(db: Db): Searchable {
  const rows = searchRows<PayoutRow>(db, "payouts");
  const [byId, byEndToEndId] = [rows.byId(ID_PREFIX.payout), rows.by("end_to_end_id", { isUnique: true })];
  const [byKey, byAmount, newest] = [rows.by("pix_key"), rows.by("amount"), rows.newest()];
  const toResult = (row: PayoutRow, why?: Part) =>
    toSearchResult(["payout", ID_PREFIX.payout], row, sumOf(row), row.status, why);
  const toKeyResult = (row: PayoutRow) => toResult(row, { code: "to_key", params: { key: row.pix_key } });
  return {
    exact: (asked) => [
      ...byId(asked).map((row) => toResult(row)),
      ...byEndToEndId(asked, asked.endToEndId).map((row) =>
        toResult(row, { code: "sent_by_pix", params: { id: asked.endToEndId } }),
      ),
    ],
    values(asked) {
      const keys = [...new Set([asked.text, asked.text.toLowerCase(), ...asked.documents])];
      return [
        ...keys.flatMap((key) => byKey(asked, key)).map(toKeyResult),
        ...byAmount(asked, asked.amount).map((row) => toResult(row)),
      ];
    },
    texts: (asked) =>
      newest(asked)
        .filter(({ pix_key: key }) => hasWords(key, asked.words))
        .map(toKeyResult),
  };
}
