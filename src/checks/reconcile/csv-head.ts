import { parse } from "csv-parse/sync";
import { cellText } from "./cell-text.js";

/** Finds the header of a CSV and the separator of its columns. Titles and blank lines may stand above it. */

export interface CsvHead {
  readonly separator: string;
  /** The place of the header in the text. */
  readonly from: number;
  /** Its line, from 1 on. */
  readonly line: number;
}

interface Candidate extends CsvHead {
  readonly names: readonly string[];
}

const SEPARATORS = [",", ";", "\t"] as const;
/** The line in which a file for Excel names its separator. */
const SAID = /^\s*"?sep=(\t|[^\s"])"?[\s;,]*?(?:\n|$)/i;
/** The number of lines in which the header is searched. */
const MOST_LINES = 50;
/** The fewest columns of a header: the order, its state and its amount. */
const LEAST_COLUMNS = 3;

/** How every CSV is read. A row may have other columns than the header, where these are blank. */
export const CSV = {
  record_delimiter: "\n",
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  relax_column_count: true,
} as const;

/** The names of the first row, as far as it is CSV with this separator. */
function namesIn(text: string, separator: string): string[] {
  try {
    const [first = []]: string[][] = parse(text, { ...CSV, delimiter: separator, relax_quotes: true, to: 1 });
    return first.map(cellText);
  } catch {
    return [];
  }
}

const countNames = ({ names }: Candidate) => names.filter((name) => name !== "").length;
const widest = (all: readonly Candidate[]) =>
  all.reduce((best, one) => (countNames(one) > countNames(best) ? one : best));

/** The first rows, each with every separator that it may have. */
function* candidates(text: string): Generator<readonly Candidate[]> {
  const [said = "", separator] = SAID.exec(text) ?? [];
  const separators = separator === undefined ? SEPARATORS : [separator];
  let line = 1 + said.split("\n").length - 1;
  let from = said.length;
  for (let looked = 0; looked < MOST_LINES && from < text.length; ) {
    const end = text.indexOf("\n", from);
    const next = end === -1 ? text.length : end + 1;
    if (text.slice(from, next).trim() !== "") {
      const rest = text.slice(from);
      yield separators.map((one) => ({ separator: one, from, line, names: namesIn(rest, one) }));
      looked++;
    }
    from = next;
    line++;
  }
}

/** `text` is the beginning of the file. Where no row is a header, the first one with enough columns is taken for it. */
export function csvHead(text: string, isHeader: (names: readonly string[]) => boolean): CsvHead | null {
  let likely: Candidate | null = null;
  for (const row of candidates(text)) {
    const header = row.find(({ names }) => isHeader(names));
    if (header !== undefined) return header;
    const best = widest(row);
    if (likely === null || (countNames(likely) < LEAST_COLUMNS && countNames(best) >= LEAST_COLUMNS)) likely = best;
  }
  return likely;
}
