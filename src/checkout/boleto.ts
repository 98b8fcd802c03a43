import { boletoPdf } from "../documents/boleto-pdf.js";
import { methodExpiry } from "../features/transactions/catalogue.js";
import { barcodeOf } from "../features/transactions/payment-resource.js";
import { descriptionOf, showsCodes } from "../features/transactions/rules.js";
import type { Page } from "../http/page.js";
import { openedBy, pdfAnswer } from "./answers.js";

/** The boleto as a PDF, at `boletoPdfUrl` (docs/service/payments.md#hosted-pages). */
export const boleto: Page = {
  path: "/boleto/{file}",
  async render(reader, { file = "" }, query) {
    const row = openedBy(reader, /^(.+)\.pdf$/.exec(file)?.[1], query.get("k"));
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
