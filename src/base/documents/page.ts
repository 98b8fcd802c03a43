import { saoPauloFormat } from "../kernel/time.js";

/** The base of every document: one A4 page of PDF, drawn with the standard fonts, the same bytes for the same input. */

export type Pdf = PDFKit.PDFDocument;

export const PAGE_WIDTH = 595.28;
export const MARGIN = 48;
export const INK = "#14213d";
export const SOFT = "#5b6577";
export const LINE = "#c9d1dd";
export const ACCENT = "#0b7a75";
export const WARNING = "#a33333";

export const mm = (length: number) => (length * 72) / 25.4;

/** Latin letters that Unicode does not separate into a plain letter and a mark. */
const UNDIVIDED: Readonly<Record<string, string>> = {
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ı: "i",
  œ: "oe",
  Œ: "OE",
  ẞ: "SS",
};

/**
 * Returns text as the standard fonts can print it (WinAnsi): typographic signs stay, letters lose marks that these
 * fonts lack, other scripts become `?`, and control characters become a space.
 */
export function printable(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replace(/[^\u0020-\u007e\u00a0-\u00ff\u20ac\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2022]/gu, (character) => {
      const bare = character.normalize("NFKD").replace(/\p{M}/gu, "");
      return /^[\u0020-\u007e]*$/.test(bare) ? bare : (UNDIVIDED[character] ?? "?");
    })
    .trim();
}

/** Returns as much of a text as fits into `width`, with an ellipsis where it was cut. */
export function cutToWidth(pdf: Pdf, text: string, width: number): string {
  const whole = printable(text);
  if (pdf.widthOfString(whole) <= width) return whole;
  let kept = whole.slice(0, 200);
  while (kept !== "" && pdf.widthOfString(`${kept}…`) > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

/** Prints one line of text at a place. It never goes on in a second line. */
export function put(pdf: Pdf, text: string, x: number, y: number): void {
  pdf.text(text, x, y, { lineBreak: false });
}

/** Prints the notice that the document is a simulation, in a box as wide as the page. */
export function notice(pdf: Pdf, text: string, top: number): void {
  const width = PAGE_WIDTH - 2 * MARGIN;
  pdf.lineWidth(0.8).roundedRect(MARGIN, top, width, 28, 5).fillAndStroke("#fdf1f0", WARNING);
  pdf.fillColor(WARNING).font("Helvetica-Bold").fontSize(9.5);
  put(pdf, text, MARGIN + (width - pdf.widthOfString(text)) / 2, top + 9.5);
}

/**
 * Draws a document of one page. The library is loaded with the first document: a server may never print any.
 *
 * @param madeAt Milliseconds since the epoch. It becomes the document's own date, so that equal input gives equal
 * bytes.
 */
export async function onePage(title: string, madeAt: number, draw: (pdf: Pdf) => void): Promise<Uint8Array> {
  const { default: PDFDocument } = await import("pdfkit");
  const date = new Date(madeAt);
  const pdf = new PDFDocument({
    size: "A4",
    margin: MARGIN,
    info: { Title: title, Producer: "qa-pay", Creator: "qa-pay", CreationDate: date, ModDate: date },
    lang: "pt-BR",
    displayTitle: true,
  });
  const chunks: Buffer[] = [];
  const ended = new Promise<Uint8Array>((resolve, reject) => {
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.on("end", () => resolve(Buffer.concat(chunks)));
    pdf.on("error", reject);
  });
  draw(pdf);
  pdf.end();
  return ended;
}

/** `21/11/2026` in São Paulo. */
export const printedDay = saoPauloFormat("pt-BR", { dateStyle: "short" });

const printedTime = saoPauloFormat("pt-BR", { timeStyle: "medium" });

/** `21/11/2026 às 09:05:10 (horário de Brasília)`. */
export function formatInstant(at: number): string {
  return `${printedDay(at)} às ${printedTime(at)} (horário de Brasília)`;
}
