import type { Db } from "../../../base/db/driver.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { foundAs, type Part, type Searchable, searchedRows, sumOf } from "../searchable.js";
import type { RefundRow } from "./store.js";

export function refundSearch(db: Db): Searchable {
  const rows = searchedRows<RefundRow>(db, "refunds", {
    select: "SELECT refunds.* FROM refunds CROSS JOIN transactions t ON t.id = refunds.transaction_id",
    book: "t.book_id",
  });
  const [byId, byEndToEndId, byAmount] = [rows.byId(ID_PREFIX.refund), rows.by("end_to_end_id"), rows.by("amount")];
  const found = (row: RefundRow, why?: Part) => foundAs(["refund", ID_PREFIX.refund], row, sumOf(row), row.status, why);
  return {
    exact: (asked) => [
      ...byId(asked).map((row) => found(row)),
      ...byEndToEndId(asked, asked.endToEndId).map((row) =>
        found(row, { code: "sent_by_pix", params: { id: asked.endToEndId } }),
      ),
    ],
    values: (asked) => byAmount(asked, asked.amount).map((row) => found(row)),
  };
}
