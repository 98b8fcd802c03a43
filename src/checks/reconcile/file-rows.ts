import { t } from "../../base/kernel/wording.js";
import { csvHead } from "./csv-head.js";
import { csvRows } from "./csv-rows.js";
import { fileText, notReadable } from "./file-text.js";
import { InputError } from "./input-error.js";
import { jsonRows, LONGEST_ROW } from "./json-rows.js";
import type { RawRow } from "./orders.js";

/** Reads orders from a file as it comes in: CSV, a JSON array, or JSON objects one after the other. */

/** The purpose of the rows: it decides which names the header needs. */
export interface Header {
  isHeader(names: readonly string[]): boolean;
  /** Throws InputError for a header that lacks a column. */
  header(names: readonly string[], line: number): void;
}

/** The beginning of a file in which its header is searched: titles may stand above it. */
const BEGINNING = 65_536;

/** True if this is JSON, which may be one long line, or enough of a CSV to find its header. */
function hasHead(text: string): boolean {
  const first = text.search(/\S/);
  if (first === -1) return false;
  return "[{".includes(text.charAt(first)) || (text.length >= BEGINNING && text.includes("\n", first));
}

/** The beginning of a text, and all of it from a place on. */
async function readBeginning(text: AsyncGenerator<string>) {
  let start = "";
  while (!hasHead(start) && start.length < LONGEST_ROW) {
    const { value, done } = await text.next();
    if (done) break;
    start += value;
  }
  return {
    start,
    async *from(place: number): AsyncGenerator<string> {
      yield start.slice(place);
      yield* text;
    },
  };
}

/** Throws InputError for a file in none of the three forms, and for a file that breaks off. */
export async function* fileRows(bytes: AsyncIterable<Uint8Array | string>, reader: Header): AsyncGenerator<RawRow> {
  const { start, from } = await readBeginning(fileText(bytes));
  const [before = "", first = ""] = /^(\s*)(\S?)/.exec(start)?.slice(1) ?? [];
  if (first === "[" || first === "{") return yield* jsonRows(from(0));
  if (first === "<") {
    throw notReadable(before.split("\n").length, t`This is a page of HTML, not CSV or JSON.`);
  }
  const head = csvHead(start, reader.isHeader);
  if (head === null) throw new InputError(1, t`The file is empty.`);
  yield* csvRows(from(head.from), head, reader.header);
}
