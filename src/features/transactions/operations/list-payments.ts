import { z } from "zod";
import { fieldError } from "../../../kernel/errors.js";
import { decimalsOf } from "../../../kernel/money.js";
import { InstantInput, queryInteger } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { PAYMENT_METHODS, type PaymentMethod } from "../catalogue.js";
import { TRANSACTION_STATUSES } from "../machine.js";
import { PaymentShape, toListedPayment } from "../wire-payment.js";

type Field = keyof typeof PaymentShape.shape;

/** `value` for a payment that shows it: one with this method whose codes are issued. The others are null, and together. */
function shown(method: PaymentMethod, value: string): string {
  return `CASE WHEN provider_reference IS NOT NULL AND instr(payment_methods, ',${method},') > 0 THEN ${value} END`;
}

/** Until when its code can be paid: see `methodExpiry`. A boleto's or Multibanco's end is always the payment's own. */
const PIX_END = `CASE payment_methods WHEN ',PIX,' THEN expires_at ELSE created_at + ${PAYMENT_METHODS.PIX.expires(0)} END`;

const CRYPTO_UNITS = PAYMENT_METHODS.CRYPTO.currencies
  .map((name) => `WHEN '${name}' THEN 1e${decimalsOf(name)}`)
  .join(" ");

/** What each field is sorted by, as SQL. Codes and addresses are made from the id, and are put in its order. */
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
  // A payment held for review knows its method already, but does not show it.
  paidWith: "CASE WHEN paid_at IS NOT NULL THEN paid_with END",
  pixQrCode: shown("PIX", "id"),
  pixCopyPaste: shown("PIX", "id"),
  pixExpiresAt: shown("PIX", PIX_END),
  cardRedirectUrl: shown("CREDIT_CARD", "id"),
  mbEntity: shown("MULTIBANCO", "id"),
  mbReference: shown("MULTIBANCO", "id"),
  mbExpiresAt: shown("MULTIBANCO", "expires_at"),
  boletoBarcode: shown("BOLETO", "id"),
  boletoLine: shown("BOLETO", "id"),
  boletoPdfUrl: shown("BOLETO", "id"),
  boletoExpiresAt: shown("BOLETO", "expires_at"),
  cryptoAddress: shown("CRYPTO", "id"),
  cryptoAmount: shown("CRYPTO", `amount / CASE currency ${CRYPTO_UNITS} END`),
  cryptoNetwork: shown("CRYPTO", "currency"),
  cryptoCurrency: shown("CRYPTO", "currency"),
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
