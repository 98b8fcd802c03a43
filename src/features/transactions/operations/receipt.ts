import { z } from "zod";
import { receiptPdf } from "../../../documents/receipt-pdf.js";
import { ApiError } from "../../../kernel/errors.js";
import { ID_PREFIX } from "../../../kernel/ids.js";
import { IdParam } from "../../../kernel/schemas.js";
import { maskTaxId } from "../../../kernel/tax-id.js";
import { defineOperation } from "../../operation.js";
import type { Reader } from "../../tx.js";
import { findPayment } from "../actions.js";
import { descriptionOf } from "../rules.js";
import type { TransactionRow } from "../store.js";

/** docs/service/payments.md#receipt */
export const paymentReceipt = defineOperation({
  id: "payments.receipt",
  method: "GET",
  path: "/v1/payments/{id}/receipt",
  auth: "key",
  surface: "api",
  summary: "Get the receipt of a settled payment as a PDF",
  description:
    "Answers the receipt of a settled payment as a PDF in base64. Before settlement it is refused with 422. It " +
    "changes nothing.",
  params: IdParam,
  success: {
    status: 200,
    description: "The PDF in base64",
    schema: z.object({ contentType: z.literal("application/pdf"), base64: z.string() }),
  },
  errors: ["unprocessable_entity"],
  cli: {
    command: "payments receipt",
    examples: ["qa-pay payments receipt tx_0198…", "qa-pay payments receipt tx_0198… --output receipt.pdf --open"],
    file: { base64: "base64", name: "receipt-{id}.pdf" },
    columns: [],
  },
}).read(async ({ caller, params }, reader) => {
  const pdf = await receiptOf(reader, findPayment(reader, caller.bookId, params.id));
  return { contentType: "application/pdf" as const, base64: Buffer.from(pdf).toString("base64") };
});

/** The receipt of a payment as a PDF. Throws `unprocessable_entity` before it is settled. */
export function receiptOf(reader: Reader, row: TransactionRow): Promise<Uint8Array> {
  if (row.paid_at === null || row.paid_with === null) {
    const message = `There is a receipt once a payment is settled; this one is ${row.status}.`;
    throw new ApiError("unprocessable_entity", { message });
  }
  return receiptPdf({
    merchant: reader.accounts.byBook(row.book_id)?.name ?? "",
    amount: row.amount,
    currency: row.currency,
    method: row.paid_with,
    paidAt: row.paid_at,
    payerName: row.payer_name,
    payerDocumentMasked: row.payer_document === null ? null : maskTaxId(row.payer_document),
    endToEndId: row.end_to_end_id,
    transactionId: ID_PREFIX.transaction + row.id,
    description: descriptionOf(row),
    status: row.status,
  });
}
