import { pipeline, Readable } from "node:stream";
import { parse } from "csv-parse";
import { InputError } from "./input-error.js";
import { jsonRows, LONGEST_ROW } from "./json-rows.js";
import type { RawRow } from "./orders.js";

/** Reads orders from a file as it comes in: CSV, a JSON array, or JSON objects one after the other. */

async function* textOf(bytes: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  const decoded = (chunk?: Uint8Array) => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch {
      throw new InputError(line, "The file is not in UTF-8 from about here on. Save it as UTF-8.");
    }
  };
  for await (const chunk of bytes) {
    const text = decoded(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) line++;
    yield text;
  }
  yield decoded();
}

/** Whether this has the first line that is not blank, or begins with JSON, which may be one long line. */
function hasHead(text: string): boolean {
  const first = text.search(/\S/);
  return first !== -1 && ("[{".includes(text.charAt(first)) || text.includes("\n", first));
}

/** The text up to the end of its first line that is not blank, or its beginning where it is JSON, and all of it. */
async function begun(text: AsyncGenerator<string>): Promise<{ head: string; all: () => AsyncGenerator<string> }> {
  let start = "";
  while (!hasHead(start) && start.length < LONGEST_ROW) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  const [head = ""] = /\S[^\r\n]*/.exec(start) ?? [];
  return {
    head,
    async *all() {
      yield start;
      yield* text;
    },
  };
}

interface CsvFault {
  readonly code?: unknown;
  readonly lines?: unknown;
}

/** What is wrong with a line, by the code of the parser. */
const FAULTS: Readonly<Record<string, string>> = {
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH: "The row has another number of columns than the header.",
  CSV_QUOTE_NOT_CLOSED: "A quote is opened and never closed.",
  CSV_INVALID_CLOSING_QUOTE: 'There is text behind a closing quote. A quote within quotes is written twice: "".',
  INVALID_OPENING_QUOTE:
    'There is a quote within a cell without quotes. Put the cell in quotes, and write "" for each.',
  CSV_MAX_RECORD_SIZE: "A row is longer than a megabyte. Is a quote never closed?",
};

async function* csvRows(
  text: AsyncGenerator<string>,
  delimiter: string,
  onHeader: (names: readonly string[], line: number) => void,
): AsyncGenerator<RawRow> {
  const options = { delimiter, info: true, skip_empty_lines: true, max_record_size: LONGEST_ROW } as const;
  const parser = parse({ ...options, skip_records_with_empty_values: true });
  // An error of the source ends the parser with the same error.
  pipeline(Readable.from(text), parser, () => undefined);
  let names: readonly string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      if (names === null) {
        names = record.map((name) => name.trim());
        const doubled = names.find((name, index) => name !== "" && names?.indexOf(name) !== index);
        if (doubled !== undefined) throw new InputError(info.lines, `Two columns have the name ${doubled}.`);
        onHeader(names, info.lines);
      } else {
        yield { line: info.lines, values: Object.fromEntries(names.map((name, index) => [name, record[index]])) };
      }
    }
  } catch (error) {
    const { code, lines } = error as CsvFault;
    const fault = FAULTS[String(code)];
    if (fault === undefined) throw error;
    throw new InputError(typeof lines === "number" ? lines : null, fault);
  }
}

/** Throws InputError for a file that is none of the three forms, or that breaks off. */
export async function* fileRows(
  bytes: AsyncIterable<Uint8Array | string>,
  onHeader: (names: readonly string[], line: number) => void,
): AsyncGenerator<RawRow> {
  const { head, all } = await begun(textOf(bytes));
  if (head === "") throw new InputError(1, "The file is empty.");
  if (head.startsWith("[") || head.startsWith("{")) return yield* jsonRows(all());
  if (head.startsWith("<")) throw new InputError(1, "This is a page of HTML, and neither CSV nor JSON.");
  const count = (mark: string) => head.split(mark).length;
  yield* csvRows(all(), count(";") > count(",") ? ";" : ",", onHeader);
}
