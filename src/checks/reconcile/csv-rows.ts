import { pipeline, Readable } from "node:stream";
import { parse } from "csv-parse";
import { joinWords, t, type Wording } from "../../base/kernel/wording.js";
import { cellText } from "./cell-text.js";
import { CSV } from "./csv-head.js";
import { InputError } from "./input-error.js";
import { LONGEST_ROW } from "./json-rows.js";
import type { RawRow } from "./orders.js";

/** The rows of a CSV behind its header, as spreadsheets write them. */

interface CsvFault {
  readonly code?: unknown;
  readonly lines?: unknown;
}

/** The faults of a line, by the code of the parser. */
const FAULTS: Readonly<Record<string, Wording>> = {
  CSV_QUOTE_NOT_CLOSED: t`A quote is opened and never closed.`,
  CSV_INVALID_CLOSING_QUOTE: t`There is text after a closing quote. A quote within quotes is written twice: "".`,
  INVALID_OPENING_QUOTE: t`There is a quote within a cell without quotes. Put the cell in quotes, and write "" for each.`,
  CSV_MAX_RECORD_SIZE: t`A row is longer than a megabyte. Is a quote never closed?`,
};

/**
 * Counts lines and follows quotes, so that a fault names the line where its quote was opened. It also removes the sign that
 * Excel writes in front of a quote to keep digits as a text: `="4711"` and `={"4711"}`.
 */
class Quotes {
  #line: number;
  #isOpen = false;
  #opened = 0;
  #isBraced = false;
  /** Cells of several lines, by the line where they end. */
  readonly #openedBy = new Map<number, number>();
  readonly #marks: RegExp;

  constructor(separator: string, line: number) {
    this.#line = line;
    const before = separator.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
    this.#marks = new RegExp(`(?<=^|\\n|${before})=\\{?(?=")|"\\}?|\\n`, "g");
  }

  /** Takes a text of whole lines. */
  take(text: string): string {
    return text.replace(this.#marks, (mark) => {
      if (mark === "\n") this.#line++;
      else if (!mark.startsWith('"')) return this.#begin(mark);
      else return this.#quote(mark);
      return mark;
    });
  }

  #begin(mark: string): string {
    if (this.#isOpen) return mark;
    this.#isBraced = mark === "={";
    return "";
  }

  #quote(mark: string): string {
    this.#isOpen = !this.#isOpen;
    if (this.#isOpen) this.#opened = this.#line;
    else if (this.#opened < this.#line) this.#openedBy.set(this.#line, this.#opened);
    if (this.#isOpen || mark === '"' || !this.#isBraced) return mark;
    this.#isBraced = false;
    return '"';
  }

  /** The line where a quote was opened that ends in this line, or never. */
  openedBefore(line: number): number {
    const isLast = this.#isOpen && this.#opened <= line;
    return this.#openedBy.get(line) ?? (isLast ? this.#opened : line);
  }

  /** Forgets the lines before this one, because they are done. */
  forget(line: number): void {
    for (const end of this.#openedBy.keys()) {
      if (end >= line) return;
      this.#openedBy.delete(end);
    }
  }

  /** The text of a file, in whole lines. A line that is too long is passed on in pieces: the parser refuses it. */
  async *lines(text: AsyncIterable<string>): AsyncGenerator<string> {
    let begun = "";
    for await (const piece of text) {
      const end = piece.lastIndexOf("\n") + 1;
      if (end === 0 && begun.length + piece.length <= LONGEST_ROW) begun += piece;
      else {
        yield this.take(begun + piece.slice(0, end || undefined));
        begun = end === 0 ? "" : piece.slice(end);
      }
    }
    yield this.take(begun);
  }
}

function faultOf(error: unknown, quotes: Quotes, before: number): unknown {
  const { code, lines } = error as CsvFault;
  const fault = FAULTS[String(code)];
  if (fault === undefined) return error;
  if (typeof lines !== "number") return new InputError(null, fault);
  const line = lines + before;
  const opened = code === "INVALID_OPENING_QUOTE" ? line : quotes.openedBefore(line);
  const isFarther = opened < line && code === "CSV_INVALID_CLOSING_QUOTE";
  return new InputError(
    opened,
    isFarther ? t`A quote is opened here and never closed: the next one, in line ${line}, has text after it.` : fault,
  );
}

/** Another number of columns is right where only blank cells are too many, or columns without a name are missing. */
function checkWidth(names: readonly string[], cells: readonly string[], line: number, separator: string): void {
  const isBlank = (cell: string) => cell.trim() === "";
  if (cells.slice(names.length).every(isBlank) && names.slice(cells.length).every(isBlank)) return;
  const fault = t`The row has another number of columns than the header: ${cells.length}, not ${names.length}.`;
  const amount = separator === "," ? [t`Is an amount such as 19,90 not in quotes?`] : [];
  throw new InputError(line, joinWords([fault, ...amount], " "));
}

function checkNames(names: readonly string[], line: number): void {
  const known = new Set<string>();
  const doubled = names.find((name) => name !== "" && known.size === known.add(name).size);
  if (doubled !== undefined) throw new InputError(line, t`Two columns have the name ${doubled}.`);
}

interface CsvForm {
  readonly separator: string;
  /** The line of the header. */
  readonly line: number;
}

/** `text` begins with the header. Throws InputError. */
export async function* csvRows(
  text: AsyncIterable<string>,
  { separator, line: first }: CsvForm,
  onHeader: (names: readonly string[], line: number) => void,
): AsyncGenerator<RawRow> {
  const parser = parse({ ...CSV, delimiter: separator, info: true, max_record_size: LONGEST_ROW });
  const quotes = new Quotes(separator, first);
  // An error of the source ends the parser with the same error.
  pipeline(Readable.from(quotes.lines(text)), parser, () => undefined);
  const before = first - 1;
  let names: readonly string[] | null = null;
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const line = info.lines + before;
      quotes.forget(line);
      if (names === null) {
        names = record.map(cellText);
        checkNames(names, line);
        onHeader(names, line);
      } else {
        checkWidth(names, record, line, separator);
        yield { line, values: Object.fromEntries(names.map((name, index) => [name, record[index]])) };
      }
    }
  } catch (error) {
    throw faultOf(error, quotes, before);
  }
}
