/** Rows as CSV (RFC 4180): a line for each row, cells in quotes where they need them. */

/** A spreadsheet runs a cell that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;
/** A number with a sign, such as `-132,68`. A spreadsheet reads it as a number. */
const NUMBER = /^[+-]\d+(?:[.,]\d+)*(?:e[+-]?\d+)?$/i;

/** The mark in front of CSV that makes a spreadsheet read it as UTF-8. */
export const BYTE_ORDER_MARK = "\ufeff";

/** A value of an answer as a cell. A text that a spreadsheet would run gets a `'` in front. Lists and objects are JSON. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  return FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
}

/** Writes a cell for a line. */
export function quoteCell(cell: string, separator: "," | ";" = ","): string {
  return cell.includes(separator) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

type Row = Readonly<Record<string, unknown>>;

/** All rows with a line for the names of their fields, for a spreadsheet. A field that a row does not have is empty. */
export function csvOf(rows: readonly Row[]): string {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [fields, ...rows.map((row) => fields.map((field) => cellOf(row[field])))];
  return BYTE_ORDER_MARK + lines.map((cells) => `${cells.map((cell) => quoteCell(cell)).join(",")}\r\n`).join("");
}
