import type { OperationSpec } from "../../../api/client/describe-operations.js";
import { kebab } from "../../../api/client/flag-name.js";
import { type NextPage, nextPageOf } from "../../../api/client/list-progress.js";
import { BYTE_ORDER_MARK } from "../../../base/kernel/csv.js";
import { isJsonObject } from "../../../base/kernel/json.js";
import { t } from "../../../base/kernel/wording.js";
import { csvHeader, csvLine, excelLine } from "../terminal/csv.js";
import { EXIT, Failure } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { palette, tablePrinter } from "../terminal/output.js";
import { dataLines, jsonText, localized, say } from "../terminal/terminal-text.js";
import { formOf, type ListFlags } from "../tree/syntax.js";
import { csvFields, type RowSpec } from "./columns.js";

/** The rows of a list, and how they are printed: as a table, as JSON, as one JSON object a line, or as CSV. */

/** The rows of an answer. An answer without its rows does not get here: `sendOperation` refuses it. */
export function rowsOf(spec: OperationSpec, answer: unknown): readonly unknown[] {
  const rows = spec.rows === "" || !isJsonObject(answer) ? answer : answer[spec.rows ?? ""];
  if (Array.isArray(rows)) return rows;
  throw new Failure(EXIT.unreachable, "unexpected_answer", t`The host answered with something other than a list.`);
}

/** Returns the next page; null when this page is the last one, or when the answer does not say where the next one is. */
export function nextPage({ flags }: OperationSpec, answer: unknown, count: number): NextPage | null {
  return nextPageOf(answer, count, (field) => flags.some((flag) => flag.place === "query" && flag.field === field));
}

/** Returns the flag that requests a page: `--starting-after ch_…`. */
export function flagFor({ field, value }: NextPage): string {
  return `--${kebab(field)} ${value}`;
}

export interface RowPrinter {
  /** Prints further rows. The first call also prints what stands before the rows, such as the head of a table. */
  rows(rows: readonly unknown[]): void;
  /** Prints the text after the rows, if there is any. `hasMore` is true when the list continues. */
  end?(hasMore: boolean): void;
}

/** The parts of a list, and the member of the answer with its rows; empty when the answer is the array itself. */
export type PrintedList = RowSpec & Pick<OperationSpec, "rows">;

/** One JSON document, with a line for each row: `{"data":[…],"has_more":false}`, or an array for a bare array. */
function jsonPrinter(io: Io, { rows: member }: PrintedList): RowPrinter {
  const isBare = member === "";
  let separator: string | null = null;
  return {
    rows(rows) {
      if (separator === null) io.out(isBare ? say`[` : say`{${JSON.stringify(member)}:[`);
      separator ??= "\n";
      for (const row of rows) {
        io.out(dataLines(separator + JSON.stringify(row)));
        separator = ",\n";
      }
    },
    end(hasMore) {
      if (separator !== null) io.out(isBare ? say`\n]\n` : say`\n],"has_more":${String(hasMore)}}\n`);
    },
  };
}

function csvPrinter(io: Io, list: PrintedList): RowPrinter {
  const fields = csvFields(list).map(({ path }) => path);
  let isBegun = false;
  return {
    rows(rows) {
      if (!isBegun) io.out(csvHeader(io, fields));
      isBegun = true;
      for (const row of rows) io.out(csvLine(io, fields, row));
    },
  };
}

/** CSV as a Brazilian Excel opens it. Its headings are those of any other CSV. */
function excelPrinter(io: Io, list: PrintedList, utc: boolean | undefined): RowPrinter {
  const fields = csvFields(list);
  const names = fields.map(({ path }) => path);
  let isBegun = false;
  return {
    rows(rows) {
      if (!isBegun) io.out(say`${BYTE_ORDER_MARK}${csvHeader(io, names, ";")}`);
      isBegun = true;
      for (const row of rows) io.out(excelLine(io, fields, row, utc));
    },
  };
}

function linePrinter(io: Io): RowPrinter {
  return {
    rows(rows) {
      for (const row of rows) io.out(jsonText(row));
    },
  };
}

export async function rowPrinter(io: Io, list: PrintedList, flags: ListFlags): Promise<RowPrinter> {
  const form = formOf(flags);
  if (form === "json") return jsonPrinter(io, list);
  if (form === "csv") return flags.excel ? excelPrinter(io, list, flags.utc) : csvPrinter(io, list);
  if (form === "jsonl") return linePrinter(io);
  const onLeftOut = (leftOut: readonly string[]) => {
    if (!flags.quiet)
      io.err(localized`Not shown at this width: ${leftOut.join(", ")} (--output csv has every field).\n`);
  };
  const rows = await tablePrinter(io, list.columns, {
    paint: await palette(io, flags.color !== false),
    utc: flags.utc,
    onLeftOut,
  });
  return { rows };
}

/** Prints one page of a list and how to get the next one, so that nobody mistakes a page for the whole list. */
export async function printPage(io: Io, spec: OperationSpec, answer: unknown, flags: ListFlags): Promise<void> {
  const rows = rowsOf(spec, answer);
  const printer = await rowPrinter(io, spec, flags);
  printer.rows(rows);
  printer.end?.(false);
  if (flags.quiet) return;
  if (rows.length === 0) io.err(localized`Nothing to show.\n`);
  const next = nextPage(spec, answer, rows.length);
  if (next !== null) {
    io.err(localized`${rows.length} shown; for the next ones add ${flagFor(next)} (--all shows every one)\n`);
  }
}
