import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { hasWords } from "../../../base/kernel/text-search.js";
import { foundAs, type Part, type Searchable, searchedRows, sumOf } from "../searchable.js";
import type { PayoutRow } from "./store.js";

/** Returns how the search finds payouts: by id and end-to-end id exactly, by key and amount, and the newest. */
export function payoutSearch(db: Db): Searchable {
  const rows = searchedRows<PayoutRow>(db, "payouts");
  const [byId, byEndToEndId] = [rows.byId(ID_PREFIX.payout), rows.by("end_to_end_id", { isUnique: true })];
  const [byKey, byAmount, newest] = [rows.by("pix_key"), rows.by("amount"), rows.newest()];
  const found = (row: PayoutRow, why?: Part) => foundAs(["payout", ID_PREFIX.payout], row, sumOf(row), row.status, why);
  const foundByKey = (row: PayoutRow) => found(row, { code: "to_key", params: { key: row.pix_key } });
  return {
    exact: (asked) => [
      ...byId(asked).map((row) => found(row)),
      ...byEndToEndId(asked, asked.endToEndId).map((row) =>
        found(row, { code: "sent_by_pix", params: { id: asked.endToEndId } }),
      ),
    ],
    values(asked) {
      const keys = [...new Set([asked.text, asked.text.toLowerCase(), ...asked.documents])];
      return [
        ...keys.flatMap((key) => byKey(asked, key)).map(foundByKey),
        ...byAmount(asked, asked.amount).map((row) => found(row)),
      ];
    },
    texts: (asked) =>
      newest(asked)
        .filter(({ pix_key: key }) => hasWords(key, asked.words))
        .map(foundByKey),
  };
}
