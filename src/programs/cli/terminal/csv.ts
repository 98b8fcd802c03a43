import { cellOf, quoteCell } from "../../../base/kernel/csv.js";
import { spreadsheetMoney } from "../../../base/kernel/money.js";
import { pick } from "../../../base/kernel/pick.js";
import type { RowField } from "../../../service/openapi/fields.js";
import type { Io } from "./io.js";
import { bodyText, joinTexts, say, type TerminalText } from "./terminal-text.js";

/** Rows as CSV for a screen, a pipe or a file. */

type Separator = "," | ";";

/** A line, such as the names of the fields. On a screen control characters are shown as escapes; else every value is unchanged. */
export function csvHeader(
  io: Pick<Io, "isScreen">,
  cells: readonly string[],
  separator: Separator = ",",
): TerminalText {
  const texts = cells.map((cell) => bodyText(io, quoteCell(cell, separator)));
  return say`${joinTexts(texts, separator)}\r\n`;
}

/** One row. A field that the row does not have is empty. */
export function csvLine(io: Pick<Io, "isScreen">, fields: readonly string[], row: unknown): TerminalText {
  return csvHeader(
    io,
    fields.map((field) => cellOf(pick(row, field))),
  );
}

/** A text of digits of which Excel shows others: it leaves out zeros in front, and rounds a long number. */
const LOST_DIGITS = /^\+?(?:0\d+|\d{12,})$/;

/** An instant as `28/11/2026 14:05:09`; null for a text that is none. */
function excelTime(text: string, utc: boolean): string | null {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return null;
  const [year, month, day] = utc
    ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
    : [at.getFullYear(), at.getMonth(), at.getDate()];
  const [hour, minute, second] = utc
    ? [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds()]
    : [at.getHours(), at.getMinutes(), at.getSeconds()];
  const two = (part: number) => String(part).padStart(2, "0");
  const date = `${two(day)}/${two(month + 1)}/${String(year).padStart(4, "0")}`;
  return `${date} ${two(hour)}:${two(minute)}:${two(second)}`;
}

/** A value of a row as a Brazilian Excel reads it. */
function excelCell(row: unknown, { path, kind }: RowField, utc: boolean): string {
  const value = pick(row, path);
  if (typeof value === "number") {
    if (kind !== "money") return String(value).replace(".", ",");
    return spreadsheetMoney(value, String(pick(row, "currency") ?? pick(row, "charge.currency") ?? "BRL"));
  }
  if (typeof value !== "string") return cellOf(value);
  if (kind === "time") return excelTime(value, utc) ?? cellOf(value);
  return LOST_DIGITS.test(value) ? `="${value}"` : cellOf(value);
}

/** One row for a Brazilian Excel. Instants are in local time, or in UTC. */
export function excelLine(
  io: Pick<Io, "isScreen">,
  fields: readonly RowField[],
  row: unknown,
  utc = false,
): TerminalText {
  return csvHeader(
    io,
    fields.map((field) => excelCell(row, field, utc)),
    ";",
  );
}
