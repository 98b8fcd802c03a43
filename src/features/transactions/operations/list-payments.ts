import { z } from "zod";
import { fieldError } from "../../../kernel/errors.js";
import { InstantInput, queryInteger } from "../../../kernel/schemas.js";
import { defineOperation, JsonText } from "../../operation.js";
import type { Reader } from "../../tx.js";
import { methodsOf } from "../catalogue.js";
import { TRANSACTION_STATUSES } from "../machine.js";
import { SORT_FIELDS, sortedIds } from "../sorting.js";
import { PaymentShape, toListedPayment } from "../wire-payment.js";

/**
 * Returns a payment as a list shows it, as JSON. Lists show the same payments again and again, so the text is kept until
 * the payment changes. A payment with several methods loses codes as time goes by, so its text is made every time.
 */
function listedJson(reader: Reader, bookId: number, id: string): string {
  const { printed, inBook } = reader.transactions;
  const known = printed.listed.get(id, bookId);
  if (known !== null) return known;
  const row = inBook(id, bookId);
  if (row === null) throw new Error(`payment ${id} vanished while it was listed`);
  const json = JSON.stringify(toListedPayment(reader, row));
  if (methodsOf(row).length === 1) printed.listed.keep(row.id, bookId, json);
  return json;
}

/** docs/service/payments.md#reading-and-listing-payments */
export const listPayments = defineOperation({
  id: "payments.list",
  method: "GET",
  path: "/v1/payments",
  auth: "key",
  surface: "api",
  summary: "List payments and charges",
  description:
    "Lists payments and charges alike in the transaction format, with `tx_…` ids, the newest first unless `sortBy` " +
    "says otherwise. `total` counts everything that the filters match. An unknown parameter, status, field or date " +
    "is refused.",
  query: z.strictObject({
    page: queryInteger(1, 1_000_000_000, 1),
    limit: queryInteger(1, 100, 20),
    status: z.enum(TRANSACTION_STATUSES).optional(),
    startDate: InstantInput.optional().meta({ description: "Inclusive bound on createdAt" }),
    endDate: InstantInput.optional().meta({ description: "Inclusive bound on createdAt" }),
    sortBy: z
      .enum(SORT_FIELDS)
      .default("createdAt")
      .meta({ description: "Field; by a code or an image, of 500 payments at most" }),
    sortOrder: z.enum(["asc", "desc"]).default("desc"),
  }),
  success: {
    status: 200,
    description: "One page, with how many there are in all",
    schema: z.object({ data: z.array(PaymentShape), total: z.int(), page: z.int(), limit: z.int() }),
  },
  errors: [],
  cli: {
    command: "payments list",
    examples: ["qa-pay payments list --status PAID --limit 50", "qa-pay payments list --sort-by amount --page 2"],
    rows: "data",
    columns: [
      { header: "Payment", path: "id" },
      { header: "Status", path: "status", format: "status" },
      { header: "Amount", path: "amount", format: "money" },
      { header: "Methods", path: "paymentMethods", format: "list" },
      { header: "Customer", path: "customerName" },
      { header: "Charge", path: "id", format: "charge", ifWide: true },
      { header: "Created", path: "createdAt", format: "time" },
      { header: "Paid", path: "paidAt", format: "time", ifWide: true },
    ],
  },
}).read(({ caller, query }, reader) => {
  const { page, limit, sortBy, sortOrder } = query;
  const offset = (page - 1) * limit;
  if (!Number.isSafeInteger(offset)) throw fieldError("page", "is too large");
  const filters = { book: caller.bookId, from: query.startDate, to: query.endDate, status: query.status };
  const total = reader.transactions.count(filters);
  const ids = sortedIds(reader, filters, total, { sortBy, sortOrder, limit, offset });
  const data = ids.map((id) => listedJson(reader, caller.bookId, id)).join();
  return new JsonText(`{"data":[${data}],"total":${total},"page":${page},"limit":${limit}}`);
});
