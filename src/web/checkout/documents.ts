import type { Page } from "../../api/http/page.js";
import { boletoPdf } from "../../base/documents/boleto-pdf.js";
import { methodExpiry } from "../../service/features/transactions/catalogue.js";
import { receiptOf } from "../../service/features/transactions/operations/payments.js";
import { barcodeOf } from "../../service/features/transactions/payment-resource.js";
import { descriptionOf, showsCodes } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Reader } from "../../service/features/tx.js";
import { findOpened, pdfAnswer, transactionAt } from "./answers.js";

/** The PDFs for payers. */

/** The id in the name of a file. */
const idIn = (file = "") => /^(.+)\.pdf$/.exec(file)?.[1];

/** The boleto as a PDF, at `boletoPdfUrl` (docs/service/payments.md#hosted-pages). */
export const boleto: Page = {
  path: "/boleto/{file}",
  async render(reader, { file }, query) {
    const row = findOpened(reader, idIn(file), query.get("k"));
    if (row === null || !showsCodes(row, "BOLETO", reader.now)) return null;
    const body = await boletoPdf({
      beneficiary: reader.accounts.byBook(row.book_id)?.name ?? "",
      payerName: row.customer_name,
      payerDocument: row.customer_document,
      amount: row.amount,
      dueAt: methodExpiry(row, "BOLETO"),
      issuedAt: row.created_at,
      barcode: barcodeOf(row),
      transactionId: row.id,
      description: descriptionOf(row),
    });
    return pdfAnswer(`boleto-${row.id}`, body);
  },
};

/**
 * The receipt of a payment as a PDF. The signature in its address is the only credential: a payer can pass the receipt on
 * without the address of the checkout.
 */

const pathOf = (id: string) => `/receipt/${id}.pdf`;

/** The address of the receipt; null before the settlement. */
export function receiptHref(reader: Reader, { id, paid_at }: TransactionRow): string | null {
  return paid_at === null ? null : `${pathOf(id)}?signature=${reader.sign(pathOf(id))}`;
}

export const receipt: Page = {
  path: "/receipt/{file}",
  async render(reader, { file }, query) {
    const row = transactionAt(reader, idIn(file));
    if (row === null || !reader.isSignature(pathOf(row.id), query.get("signature") ?? "")) return null;
    if (row.paid_at === null) return null;
    return pdfAnswer(`receipt-${row.id}`, await receiptOf(reader, row));
  },
};
