import { receiptOf } from "../features/transactions/operations/payments.js";
import type { TransactionRow } from "../features/transactions/store.js";
import type { Reader } from "../features/tx.js";
import type { Page } from "../http/page.js";
import { pdfAnswer, transactionAt } from "./answers.js";

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
  async render(reader, { file = "" }, query) {
    const row = transactionAt(reader, /^(.+)\.pdf$/.exec(file)?.[1]);
    if (row === null || !reader.isSignature(pathOf(row.id), query.get("signature") ?? "")) return null;
    if (row.paid_at === null) return null;
    const body = await receiptOf(reader, row);
    return pdfAnswer(`receipt-${row.id}`, body);
  },
};
