import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { type Part, type Searchable, searchRows, sumOf, toSearchResult } from "../searchable.js";
import type { RefundRow } from "./store.js";

export function refundSearch(db: Db): Searchable {
  const rows = searchRows<RefundRow>(db, "refunds", {
    select: "SELECT refunds.* FROM refunds CROSS JOIN transactions t ON t.id = refunds.transaction_id",
    book: "t.book_id",
  });
  const [byId, byEndToEndId, byAmount] = [rows.byId(ID_PREFIX.refund), rows.by("end_to_end_id"), rows.by("amount")];
  const toResult = (row: RefundRow, why?: Part) =>
    toSearchResult(["refund", ID_PREFIX.refund], row, sumOf(row), row.status, why);
  return {
    exact: (request) => [
      ...byId(request).map((row) => toResult(row)),
      ...byEndToEndId(request, request.endToEndId).map((row) =>
        toResult(row, { code: "sent_by_pix", params: { id: request.endToEndId } }),
      ),
    ],
    values: (request) => byAmount(request, request.amount).map((row) => toResult(row)),
  };
}
