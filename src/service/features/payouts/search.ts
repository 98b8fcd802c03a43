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
    exact: (request) => [
      ...byId(request).map((row) => toResult(row)),
      ...byEndToEndId(request, request.endToEndId).map((row) =>
        toResult(row, { code: "sent_by_pix", params: { id: request.endToEndId } }),
      ),
    ],
    values(request) {
      const keys = [...new Set([request.text, request.text.toLowerCase(), ...request.documents])];
      return [
        ...keys.flatMap((key) => byKey(request, key)).map(toKeyResult),
        ...byAmount(request, request.amount).map((row) => toResult(row)),
      ];
    },
    texts: (request) =>
      newest(request)
        .filter(({ pix_key: key }) => hasWords(key, request.words))
        .map(toKeyResult),
  };
}
