import { pick } from "../../kernel/pick.js";
import { joined, say, type TerminalText, visible } from "./terminal-text.js";

/** Rows as CSV (RFC 4180): a line for each row, fields in quotes where they need them. */

/** A spreadsheet runs a cell that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/u;

/**
 * A value of an answer as a cell. Numbers stay as they are, also negative ones. A text that a spreadsheet would run as a
 * formula gets a `'` in front. Lists and free objects are JSON.
 */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return (FORMULA.test(text) ? "'" : "") + String(visible(text));
}

function quoted(cell: string): string {
  return /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function line(cells: readonly string[]): TerminalText {
  return say`${joined(cells.map(quoted), ",")}\r\n`;
}

/** The first line: the names of the fields, such as `customer.name`. */
export function csvHeader(fields: readonly string[]): TerminalText {
  return line(fields);
}

/** One row. A field that the row does not have is empty. */
export function csvLine(fields: readonly string[], row: unknown): TerminalText {
  return line(fields.map((field) => cellOf(pick(row, field))));
}
