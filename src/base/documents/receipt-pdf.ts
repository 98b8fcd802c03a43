import { formatMoney } from "../kernel/money.js";
import {
  ACCENT,
  cutToWidth,
  formatInstant,
  INK,
  LINE,
  MARGIN,
  notice,
  onePage,
  PAGE_WIDTH,
  type Pdf,
  printable,
  put,
  SOFT,
  WARNING,
} from "./page.js";

/** The receipt of a settled payment, in Portuguese (docs/service/payments.md#receipt). */

export interface Receipt {
  readonly merchant: string;
  /** Smallest unit of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly method: string;
  /** Milliseconds since the epoch. */
  readonly paidAt: number;
  readonly payerName: string | null;
  readonly payerDocumentMasked: string | null;
  readonly endToEndId: string | null;
  readonly transactionId: string;
  readonly description: string | null;
  readonly status: string;
}

const METHODS: Readonly<Record<string, string>> = {
  PIX: "Pix",
  CREDIT_CARD: "Cartão de crédito",
  MBWAY: "MB WAY",
  MULTIBANCO: "Multibanco",
  BOLETO: "Boleto",
  CRYPTO: "Criptomoeda",
};

/** A note about events after the payment. */
const LATER: Readonly<Record<string, string>> = {
  REFUNDED: "Este pagamento foi devolvido integralmente ao pagador.",
  DISPUTE: "Este pagamento está sendo contestado pelo pagador.",
  CHARGEBACK: "Este pagamento está sendo contestado pelo emissor do cartão.",
};

const NOTE = "Documento de simulação (qa-pay): não comprova pagamento real e não tem valor fiscal.";

const WIDTH = PAGE_WIDTH - 2 * MARGIN;

function head(pdf: Pdf, receipt: Receipt): void {
  pdf.rect(0, 0, PAGE_WIDTH, 8).fill(ACCENT);
  pdf.fillColor(SOFT).font("Helvetica").fontSize(11);
  pdf.text(cutToWidth(pdf, receipt.merchant, WIDTH), MARGIN, 56);
  pdf.fillColor(INK).font("Helvetica-Bold").fontSize(22).text("Comprovante de pagamento", MARGIN, 76);
  pdf.roundedRect(MARGIN, 122, WIDTH, 92, 10).fill("#f1f6f6");
  pdf.fillColor(SOFT).font("Helvetica").fontSize(11);
  pdf.text("Valor pago", MARGIN + 20, 143);
  pdf.fillColor(INK).font("Helvetica-Bold").fontSize(34);
  put(pdf, cutToWidth(pdf, formatMoney(receipt.amount, receipt.currency), WIDTH - 40), MARGIN + 20, 164);
  pdf.fillColor(ACCENT).font("Helvetica-Bold").fontSize(11);
  pdf.text(METHODS[receipt.method] ?? receipt.method, MARGIN + 20, 143, { width: WIDTH - 40, align: "right" });
}

/** Labels with their values. Null values are left out. */
type Rows = readonly (readonly [string, string | null])[];

function section(pdf: Pdf, title: string, rows: Rows, top: number): number {
  const known = rows
    .map(([label, value]) => [label, printable(value ?? "")] as const)
    .filter(([, value]) => value !== "");
  if (known.length === 0) return top;
  pdf.fillColor(INK).font("Helvetica-Bold").fontSize(12).text(title, MARGIN, top);
  let y = top + 22;
  for (const [label, value] of known) {
    pdf.fillColor(SOFT).font("Helvetica").fontSize(10).text(label, MARGIN, y);
    pdf.fillColor(INK).fontSize(11);
    put(pdf, cutToWidth(pdf, value, WIDTH - 150), MARGIN + 150, y - 1);
    y += 20;
  }
  pdf.strokeColor(LINE).lineWidth(0.5);
  pdf
    .moveTo(MARGIN, y + 4)
    .lineTo(MARGIN + WIDTH, y + 4)
    .stroke();
  return y + 22;
}

function foot(pdf: Pdf, receipt: Receipt, top: number): void {
  const later = LATER[receipt.status];
  let y = top;
  if (later !== undefined) {
    pdf.fillColor(WARNING).font("Helvetica-Bold").fontSize(11).text(later, MARGIN, y, { width: WIDTH });
    y += 26;
  }
  notice(pdf, NOTE, y);
}

/** The receipt as a PDF of one page; equal input gives equal bytes. */
export function receiptPdf(receipt: Receipt): Promise<Uint8Array> {
  const payment: Rows = [
    ["Data e hora", formatInstant(receipt.paidAt)],
    ["Forma de pagamento", METHODS[receipt.method] ?? receipt.method],
    ["Descrição", receipt.description],
  ];
  const payer: Rows = [
    ["Nome", receipt.payerName],
    ["Documento", receipt.payerDocumentMasked],
  ];
  const ids: Rows = [
    ["ID da transação", receipt.transactionId],
    ["ID Pix (end-to-end)", receipt.endToEndId],
  ];
  return onePage("Comprovante de pagamento", receipt.paidAt, (pdf) => {
    head(pdf, receipt);
    let y = section(pdf, "Pagamento", payment, 244);
    y = section(pdf, "Quem pagou", payer, y);
    y = section(pdf, "Quem recebeu", [["Nome", receipt.merchant]], y);
    foot(pdf, receipt, section(pdf, "Identificação", ids, y));
  });
}
