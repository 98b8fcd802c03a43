import { z } from "zod";
import { fieldError } from "../../../kernel/errors.js";
import { InstantInput, queryInteger } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { TRANSACTION_STATUSES } from "../machine.js";
import { PaymentShape, toListedPayment } from "../wire-payment.js";

type Field = keyof typeof PaymentShape.shape;

/** What each field is sorted by, as SQL. Codes and addresses are made from the id, so that is their order. */
const SORT: Readonly<Record<Field, string>> = {
  id: "id",
  status: "status",
  amount: "amount",
  currency: "currency",
  paymentMethods: "payment_methods",
  customerName: "customer_name",
  customerDocument: "customer_document",
  customerEmail: "customer_email",
  metadata: "metadata",
  createdAt: "created_at",
  paidWith: "paid_with",
  pixQrCode: "id",
  pixCopyPaste: "id",
  pixExpiresAt: "expires_at",
  cardRedirectUrl: "id",
  mbEntity: "id",
  mbReference: "id",
  mbExpiresAt: "expires_at",
  boletoBarcode: "id",
  boletoLine: "id",
  boletoPdfUrl: "id",
  boletoExpiresAt: "expires_at",
  cryptoAddress: "id",
  cryptoAmount: "amount",
  cryptoNetwork: "currency",
  cryptoCurrency: "currency",
  providerFee: "provider_fee",
  platformFee: "platform_fee",
  netAmount: "amount - provider_fee - platform_fee",
  paidAt: "paid_at",
};

const FIELDS = Object.keys(SORT) as [Field, ...Field[]];

/** Contract, section 4.7. */
export const listPayments = defineOperation({
  id: "payments.list",
  method: "GET",
  path: "/v1/payments",
  auth: "key",
  surface: "api",
  summary: "List payments and charges",
  query: z.strictObject({
    page: queryInteger(1, 1_000_000_000, 1),
    limit: queryInteger(1, 100, 20),
    status: z.enum(TRANSACTION_STATUSES).optional(),
    startDate: InstantInput.optional().meta({ description: "Inclusive bound on createdAt" }),
    endDate: InstantInput.optional().meta({ description: "Inclusive bound on createdAt" }),
    sortBy: z.enum(FIELDS).default("createdAt"),
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
      { header: "Created", path: "createdAt", format: "time" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const { page, limit, sortBy, sortOrder } = query;
  const offset = (page - 1) * limit;
  if (!Number.isSafeInteger(offset)) throw fieldError("page", "is too large");
  const filters = { book: caller.bookId, from: query.startDate, to: query.endDate, status: query.status };
  const sort = { column: SORT[sortBy], order: sortOrder === "asc" ? "ASC" : "DESC" } as const;
  const total = reader.transactions.count(filters);
  const rows = offset >= total ? [] : reader.transactions.page(filters, sort, limit, offset);
  return { data: rows.map((row) => toListedPayment(reader, row)), total, page, limit };
});
