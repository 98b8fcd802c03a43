import { pick } from "../../kernel/pick.js";
import type { Io } from "./io.js";
import { bodyText, joined, say, type TerminalText } from "./terminal-text.js";

/** Rows as CSV (RFC 4180): a line for each row, fields in quotes where they need them. */

/** A spreadsheet runs a cell that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;
/** A number with a sign, such as `-132,68`. A spreadsheet reads it as a number. */
const NUMBER = /^[+-]\d+(?:[.,]\d+)*(?:e[+-]?\d+)?$/i;

/** What a spreadsheet needs in front of CSV to read it as UTF-8. */
export const BYTE_ORDER_MARK = say`\ufeff`;

/** A value of an answer as a cell. A text that a spreadsheet would run gets a `'` in front. Lists and objects are JSON. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return typeof value === "object" ? JSON.stringify(value) : String(value);
  return FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A line, such as the names of the fields. On a screen control characters are shown as escapes; else every value is unchanged. */
export function csvHeader(io: Pick<Io, "isScreen">, cells: readonly string[]): TerminalText {
  const shown = cells.map((cell) => bodyText(io, quoted(cell)));
  return say`${joined(shown, ",")}\r\n`;
}

/** One row. A field that the row does not have is empty. */
export function csvLine(io: Pick<Io, "isScreen">, fields: readonly string[], row: unknown): TerminalText {
  return csvHeader(
    io,
    fields.map((field) => cellOf(pick(row, field))),
  );
}
