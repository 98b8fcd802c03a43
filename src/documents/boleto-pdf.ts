import { formatMoney } from "../kernel/money.js";
import { digitableLine } from "../methods/boleto.js";
import { fitted, INK, MARGIN, mm, onePage, PAGE_WIDTH, type Pdf, printedDay, SOFT } from "./page.js";

/** A bank boleto to print: the compensation slip with its line and barcode (FEBRABAN layout), in Portuguese. */

export interface BoletoSlip {
  readonly beneficiary: string;
  readonly payerName: string | null;
  readonly payerDocument: string | null;
  /** Centavos. */
  readonly amount: number;
  /** Milliseconds since the epoch. */
  readonly dueAt: number;
  readonly issuedAt: number;
  readonly barcode: string;
  /** Raw id of the payment. */
  readonly transactionId: string;
  readonly description: string | null;
}

const WIDTH = PAGE_WIDTH - 2 * MARGIN;
const ROW = 28;
/** FEBRABAN: 103 mm by 13 mm. */
const BARCODE = { width: mm(103), height: mm(13) };

/** The line as it is printed: `99999.12345 12345.123456 12345.123456 1 12345678901234`. */
export function printedLine(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, "$1.$2 $3.$4 $5.$6 $7 $8");
}

interface Cell {
  readonly label: string;
  readonly value: string;
  /** Share of the row's width. */
  readonly share: number;
  readonly strong?: boolean;
}

function row(pdf: Pdf, top: number, cells: readonly Cell[], height = ROW): number {
  let x = MARGIN;
  for (const { label, value, share, strong } of cells) {
    const width = WIDTH * share;
    pdf.strokeColor(INK).lineWidth(0.5).rect(x, top, width, height).stroke();
    pdf
      .fillColor(SOFT)
      .font("Helvetica")
      .fontSize(6.5)
      .text(label, x + 4, top + 4, { lineBreak: false });
    pdf
      .fillColor(INK)
      .font(strong ? "Helvetica-Bold" : "Helvetica")
      .fontSize(10);
    pdf.text(fitted(pdf, value, width - 8), x + 4, top + 14, { lineBreak: false });
    x += width;
  }
  return top + height;
}

function bankHead(pdf: Pdf, top: number, line: string): number {
  pdf
    .fillColor(INK)
    .font("Helvetica-Bold")
    .fontSize(13)
    .text("Banco de Teste", MARGIN, top + 6, { lineBreak: false });
  pdf.rect(MARGIN + 108, top, 1.5, 22).fill(INK);
  pdf
    .fillColor(INK)
    .fontSize(15)
    .text("999-0", MARGIN + 117, top + 5, { lineBreak: false });
  pdf.rect(MARGIN + 166, top, 1.5, 22).fill(INK);
  pdf.fillColor(INK).fontSize(10.5);
  pdf.text(printedLine(line), MARGIN + 172, top + 8, { width: WIDTH - 172, align: "right" });
  return top + 26;
}

function slip(pdf: Pdf, boleto: BoletoSlip, top: number): number {
  const amount = formatMoney(boleto.amount, "BRL");
  const number = boleto.transactionId.slice(-12).toUpperCase();
  let y = bankHead(pdf, top, digitableLine(boleto.barcode));
  y = row(pdf, y, [
    { label: "Local de pagamento", value: "Pagável em qualquer banco até o vencimento", share: 0.7 },
    { label: "Vencimento", value: printedDay(boleto.dueAt), share: 0.3, strong: true },
  ]);
  y = row(pdf, y, [
    { label: "Beneficiário", value: boleto.beneficiary, share: 0.7 },
    { label: "Agência / código do beneficiário", value: "0001 / 0000001-9", share: 0.3 },
  ]);
  y = row(pdf, y, [
    { label: "Data do documento", value: printedDay(boleto.issuedAt), share: 0.18 },
    { label: "Número do documento", value: number, share: 0.26 },
    { label: "Espécie", value: "DM", share: 0.1 },
    { label: "Aceite", value: "N", share: 0.16 },
    { label: "Nosso número", value: number, share: 0.3 },
  ]);
  y = row(pdf, y, [
    { label: "Carteira", value: "01", share: 0.18 },
    { label: "Moeda", value: "R$", share: 0.26 },
    { label: "Quantidade", value: "", share: 0.26 },
    { label: "(=) Valor do documento", value: amount, share: 0.3, strong: true },
  ]);
  y = row(
    pdf,
    y,
    [{ label: "Instruções", value: boleto.description ?? "Não receber após o vencimento.", share: 1 }],
    48,
  );
  const payer = [boleto.payerName ?? "Pagador não informado", boleto.payerDocument].filter((text) => text !== null);
  return row(pdf, y, [{ label: "Pagador", value: payer.join("  ·  "), share: 1 }], 36);
}

/** Draws an Interleaved 2 of 5 symbol as vectors: every printer's resolution is enough. */
function drawBarcode(pdf: Pdf, modules: readonly number[], left: number, top: number): void {
  const unit = BARCODE.width / modules.reduce((total, width) => total + width, 0);
  let x = left;
  modules.forEach((width, index) => {
    // Bars and spaces take turns.
    if (index % 2 === 0) pdf.rect(x, top, width * unit, BARCODE.height);
    x += width * unit;
  });
  pdf.fill("#000");
}

/** Widths of bars and spaces, in turn, of an Interleaved 2 of 5 symbol. */
async function barcodeModules(digits: string): Promise<readonly number[]> {
  const { default: bwip } = await import("bwip-js/node");
  const symbol: object | undefined = bwip.raw({ bcid: "interleaved2of5", text: digits })[0];
  if (symbol === undefined || !("sbs" in symbol)) throw new Error("no barcode was drawn");
  return symbol.sbs as number[];
}

/** The boleto as a PDF of one page; equal input gives equal bytes. */
export async function boletoPdf(boleto: BoletoSlip): Promise<Uint8Array> {
  const modules = await barcodeModules(boleto.barcode);
  return onePage("Boleto", boleto.issuedAt, (pdf) => {
    pdf.fillColor(INK).font("Helvetica-Bold").fontSize(18).text("Boleto", MARGIN, 48);
    pdf.fillColor(SOFT).font("Helvetica").fontSize(9.5);
    const note = "Emitido por um ambiente de simulação (qa-pay): não pode ser pago em nenhum banco.";
    pdf.text(note, MARGIN, 72, { width: WIDTH });
    const bottom = slip(pdf, boleto, 110);
    drawBarcode(pdf, modules, MARGIN + mm(5), bottom + 14);
    pdf.fillColor(SOFT).font("Helvetica").fontSize(8);
    pdf.text("Ficha de compensação", MARGIN, bottom + 14, { width: WIDTH, align: "right", lineBreak: false });
  });
}
