import { cellOf, quoted } from "../../kernel/csv.js";
import { pick } from "../../kernel/pick.js";
import type { Io } from "./io.js";
import { bodyText, joined, say, type TerminalText } from "./terminal-text.js";

/** Rows as CSV for a screen, a pipe or a file. */

/** A line, such as the names of the fields. On a screen control characters are shown as escapes; else every value is unchanged. */
export function csvHeader(io: Pick<Io, "isScreen">, cells: readonly string[]): TerminalText {
  const texts = cells.map((cell) => bodyText(io, quoted(cell)));
  return say`${joined(texts, ",")}\r\n`;
}

/** One row. A field that the row does not have is empty. */
export function csvLine(io: Pick<Io, "isScreen">, fields: readonly string[], row: unknown): TerminalText {
  return csvHeader(
    io,
    fields.map((field) => cellOf(pick(row, field))),
  );
}
