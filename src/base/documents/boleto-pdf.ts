import { formatMoney } from "../kernel/money.js";
import { formatTaxId } from "../kernel/tax-id.js";
import { digitableLine } from "../methods/boleto.js";
import { interleaved2of5 } from "./interleaved2of5.js";
import {
  cutToWidth,
  INK,
  MARGIN,
  mm,
  notice,
  onePage,
  PAGE_WIDTH,
  type Pdf,
  printable,
  printedDay,
  put,
  SOFT,
} from "./page.js";

/**
 * A bank boleto to print, in Portuguese: the payer's receipt above, the compensation slip with line and barcode below.
 *
 * Source: BCB, Carta-Circular 2.926/2000, on fields and measures of the slip.
 */

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
  readonly transactionId: string;
  readonly description: string | null;
}

const WIDTH = PAGE_WIDTH - 2 * MARGIN;
const ROW = 25;
/** The column of figures on the right, as a share of the width. */
const FIGURES = 0.27;
const REST = 1 - FIGURES;
const BARCODE = { width: mm(103), height: mm(13), quietZone: mm(5) };

/** A bank code that no institution has. Its check digit follows the rule of 001-9 and 237-2. */
const BANK = { name: "Banco de Teste", code: "999-7" };
const AGENCY = "0001 / 0000001-9";
const NOTE = "Boleto de simulação (qa-pay): não pode ser pago em nenhum banco.";

/** The line as it is printed: `99999.12345 12345.123456 12345.123456 1 12345678901234`. */
export function formatLine(line: string): string {
  return line.replace(/^(\d{5})(\d{5})(\d{5})(\d{6})(\d{5})(\d{6})(\d)(\d{14})$/, "$1.$2 $3.$4 $5.$6 $7 $8");
}

/** The values that both parts of the sheet show. */
function printedValues(boleto: BoletoSlip) {
  const document = printable(boleto.payerDocument ?? "");
  const instructions = [printable(boleto.description ?? ""), "Não receber após o vencimento.", NOTE];
  return {
    line: formatLine(digitableLine(boleto.barcode)),
    beneficiary: boleto.beneficiary,
    payer: {
      value: printable(boleto.payerName ?? "") || "Pagador não informado",
      tail: document && `·  ${formatTaxId(document)}`,
    },
    due: printedDay(boleto.dueAt),
    issued: printedDay(boleto.issuedAt),
    amount: formatMoney(boleto.amount, "BRL"),
    documentNumber: boleto.transactionId.slice(-12).toUpperCase(),
    // A bank's own number of a boleto is in the free field.
    bankNumber: `01/${boleto.barcode.slice(19, 30)}`,
    instructions: instructions.filter((text) => text !== ""),
  };
}

type BoletoFields = ReturnType<typeof printedValues>;

interface Cell {
  readonly label: string;
  readonly value?: string;
  /**
   * Text that follows the value. A long value is cut to make room for it: a long name must not push the document out.
   */
  readonly tail?: string;
  /** Share of the sheet's width. */
  readonly share: number;
  readonly strong?: boolean;
  /** Figures stand on the right of their cell. */
  readonly figure?: boolean;
}

function figure(label: string, value = "", strong = false): Cell {
  return { label, value, share: FIGURES, strong, figure: true };
}

interface CellBox {
  readonly x: number;
  readonly top: number;
  readonly width: number;
}

function cell(pdf: Pdf, { label, value = "", tail = "", strong, figure }: Cell, { x, top, width }: CellBox): void {
  pdf.fillColor(SOFT).font("Helvetica").fontSize(6);
  put(pdf, label, x + 4, top + 3.5);
  pdf.fillColor(INK).font(strong ? "Helvetica-Bold" : "Helvetica");
  pdf.fontSize(9.5);
  // The text takes half the cell at most: nothing limits the length of a document.
  const end = tail && `  ${cutToWidth(pdf, tail, width / 2)}`;
  const text = cutToWidth(pdf, value, width - 8 - pdf.widthOfString(end)) + end;
  put(pdf, text, figure ? x + width - 4 - pdf.widthOfString(text) : x + 4, top + 12.5);
}

/** Draws cells side by side, the last one up to the right edge of the sheet. Returns where the next row starts. */
function row(pdf: Pdf, top: number, cells: readonly Cell[], height = ROW): number {
  const total = cells.reduce((sum, { share }) => sum + share, 0);
  let x = MARGIN + WIDTH * (1 - total);
  for (const each of cells) {
    const width = WIDTH * each.share;
    pdf.strokeColor(INK).lineWidth(0.5).rect(x, top, width, height).stroke();
    cell(pdf, each, { x, top, width });
    x += width;
  }
  return top + height;
}

/** Draws the bank, its code and the line of digits, between two thick strokes. */
function head(pdf: Pdf, top: number, line: string): number {
  pdf
    .rect(MARGIN + 110, top, 1.5, 22)
    .rect(MARGIN + 168, top, 1.5, 22)
    .rect(MARGIN, top + 22, WIDTH, 1.5)
    .fill(INK);
  pdf.font("Helvetica-Bold").fontSize(13);
  put(pdf, BANK.name, MARGIN, top + 6);
  pdf.fontSize(16);
  put(pdf, BANK.code, MARGIN + 118, top + 4);
  pdf.fontSize(11);
  put(pdf, line, MARGIN + WIDTH - pdf.widthOfString(line), top + 8);
  return top + 23.5;
}

function caption(pdf: Pdf, text: string, top: number): void {
  pdf.fillColor(SOFT).font("Helvetica").fontSize(7);
  put(pdf, text, MARGIN + WIDTH - pdf.widthOfString(text), top);
}

/** Draws the part that the payer keeps. */
function payerReceipt(pdf: Pdf, texts: BoletoFields, top: number): number {
  let y = head(pdf, top, texts.line);
  y = row(pdf, y, [
    { label: "Beneficiário", value: texts.beneficiary, share: REST },
    figure("Vencimento", texts.due, true),
  ]);
  y = row(pdf, y, [
    { label: "Pagador", ...texts.payer, share: REST },
    figure("Agência / código do beneficiário", AGENCY),
  ]);
  y = row(pdf, y, [
    { label: "Data do documento", value: texts.issued, share: 0.2 },
    { label: "Número do documento", value: texts.documentNumber, share: 0.28 },
    { label: "Nosso número", value: texts.bankNumber, share: REST - 0.48 },
    figure("(=) Valor do documento", texts.amount, true),
  ]);
  caption(pdf, "Autenticação mecânica  ·  Recibo do pagador", y + 5);
  return y;
}

function cutLine(pdf: Pdf, y: number): void {
  pdf.strokeColor(SOFT).lineWidth(0.7).dash(3, { space: 3 });
  pdf
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .stroke()
    .undash();
  caption(pdf, "Corte aqui", y - 9);
}

/** Draws the instructions on the left and, on the right, the empty figures that a cashier may fill in. */
function instructionRows(pdf: Pdf, texts: BoletoFields, top: number): number {
  const figures = [
    "(-) Desconto / abatimento",
    "(-) Outras deduções",
    "(+) Mora / multa",
    "(+) Outros acréscimos",
    "(=) Valor cobrado",
  ];
  const bottom = figures.reduce((y, label) => row(pdf, y, [figure(label)]), top);
  const width = WIDTH * REST;
  pdf.rect(MARGIN, top, width, bottom - top).stroke();
  cell(
    pdf,
    { label: "Instruções (texto de responsabilidade do beneficiário)", share: REST },
    { x: MARGIN, top, width },
  );
  let y = top + 15;
  for (const text of texts.instructions) {
    // Two lines at most: a description may be long, and all three have to fit.
    const room = { width: width - 8, height: 24, lineGap: 1, ellipsis: true };
    pdf.text(text, MARGIN + 4, y, room);
    y = pdf.y + 5;
  }
  return bottom;
}

/** Draws the part that the bank keeps. */
function compensationSlip(pdf: Pdf, texts: BoletoFields, top: number): number {
  let y = head(pdf, top, texts.line);
  const place = "Pagável em qualquer banco até o vencimento";
  y = row(pdf, y, [{ label: "Local de pagamento", value: place, share: REST }, figure("Vencimento", texts.due, true)]);
  y = row(pdf, y, [
    { label: "Beneficiário", value: texts.beneficiary, share: REST },
    figure("Agência / código do beneficiário", AGENCY),
  ]);
  y = row(pdf, y, [
    { label: "Data do documento", value: texts.issued, share: 0.16 },
    { label: "Número do documento", value: texts.documentNumber, share: 0.21 },
    { label: "Espécie doc.", value: "DM", share: 0.1 },
    { label: "Aceite", value: "N", share: 0.08 },
    { label: "Data do processamento", value: texts.issued, share: REST - 0.55 },
    figure("Nosso número", texts.bankNumber),
  ]);
  y = row(pdf, y, [
    { label: "Uso do banco", share: 0.16 },
    { label: "Carteira", value: "01", share: 0.1 },
    { label: "Espécie", value: "R$", share: 0.11 },
    { label: "Quantidade", share: 0.18 },
    { label: "(x) Valor", share: REST - 0.55 },
    figure("(=) Valor do documento", texts.amount, true),
  ]);
  y = instructionRows(pdf, texts, y);
  y = row(pdf, y, [{ label: "Pagador", ...texts.payer, share: 1 }], 30);
  caption(pdf, "Autenticação mecânica  ·  Ficha de compensação", y + 5);
  return y;
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

/** The boleto as a PDF of one page; equal input gives equal bytes. */
export async function boletoPdf(boleto: BoletoSlip): Promise<Uint8Array> {
  const modules = interleaved2of5(boleto.barcode);
  const texts = printedValues(boleto);
  return onePage("Boleto", boleto.issuedAt, (pdf) => {
    notice(pdf, NOTE, 40);
    const cut = payerReceipt(pdf, texts, 100) + 60;
    cutLine(pdf, cut);
    const bottom = compensationSlip(pdf, texts, cut + 26);
    drawBarcode(pdf, modules, MARGIN + BARCODE.quietZone, bottom + 18);
  });
}
