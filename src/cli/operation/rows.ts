import { pick } from "../../kernel/pick.js";
import { csvHeader, csvLine } from "../terminal/csv.js";
import type { Io } from "../terminal/io.js";
import { palette, tablePrinter } from "../terminal/output.js";
import { jsonText, say, visibleLines } from "../terminal/terminal-text.js";
import type { OperationSpec } from "../tree/describe-operations.js";
import type { OperationFlags } from "../tree/syntax.js";
import { nextPage, rowsOf } from "./next-page.js";

/** Prints the rows of a list: as a table, as JSON, as one JSON object a line, or as CSV. */

export interface RowPrinter {
  /** Prints further rows. The first call also prints what stands before the rows, such as the head of a table. */
  rows(rows: readonly unknown[]): void;
  /** Prints what stands behind the rows. `hasMore` tells that the list goes on. */
  end(hasMore: boolean): void;
}

/** One JSON document, with a line for each row: `{"data":[…],"has_more":false}`, or an array for a bare array. */
function jsonPrinter(io: Io, { rows: member }: OperationSpec): RowPrinter {
  const isBare = member === "";
  let separator: string | null = null;
  return {
    rows(rows) {
      if (separator === null) io.out(isBare ? say`[` : say`{${JSON.stringify(member)}:[`);
      separator ??= "\n";
      for (const row of rows) {
        io.out(visibleLines(separator + JSON.stringify(row)));
        separator = ",\n";
      }
    },
    end(hasMore) {
      if (separator !== null) io.out(isBare ? say`\n]\n` : say`\n],"has_more":${String(hasMore)}}\n`);
    },
  };
}

function csvPrinter(io: Io, { rowFields }: OperationSpec): RowPrinter {
  let isBegun = false;
  return {
    rows(rows) {
      if (!isBegun) io.out(csvHeader(rowFields));
      isBegun = true;
      for (const row of rows) io.out(csvLine(rowFields, row));
    },
    end: () => undefined,
  };
}

function linePrinter(io: Io): RowPrinter {
  return {
    rows(rows) {
      for (const row of rows) io.out(jsonText(row));
    },
    end: () => undefined,
  };
}

export async function rowPrinter(io: Io, spec: OperationSpec, flags: OperationFlags): Promise<RowPrinter> {
  const form = flags.output ?? (flags.json ? "json" : "table");
  if (form === "json") return jsonPrinter(io, spec);
  if (form === "csv") return csvPrinter(io, spec);
  if (form === "jsonl") return linePrinter(io);
  const tell = (leftOut: readonly string[]) => {
    if (!flags.quiet) io.err(say`Not shown at this width: ${leftOut.join(", ")} (--output csv has every field).\n`);
  };
  const rows = await tablePrinter(io, spec.columns, await palette(io, flags.color !== false), flags.utc, tell);
  return { rows, end: () => undefined };
}

/** Prints one page of a list, and how to get the next one: nobody should take a page for the whole list. */
export async function printPage(io: Io, spec: OperationSpec, answer: unknown, flags: OperationFlags): Promise<void> {
  const rows = rowsOf(spec, answer);
  const printer = await rowPrinter(io, spec, flags);
  printer.rows(rows);
  printer.end(false);
  if (flags.quiet) return;
  if (rows.length === 0) io.err(say`Nothing to show.\n`);
  const next = nextPage(spec, answer, rows.length);
  if (next !== null) {
    io.err(say`${rows.length} shown; for the next ones add --${next.flag} ${next.value} (--all shows every one)\n`);
  }
  const note = spec.note === undefined ? null : pick(answer, spec.note);
  if (typeof note === "string") io.err(say`${note}\n`);
}
