import Table from "cli-table3";
import truncatedWidth from "fast-string-truncated-width";

/** Prints rows as aligned columns, and shortens texts so that the columns fit a narrow terminal. */

export interface TableCell {
  /** Must not contain colour codes when `canBeShort` is true. */
  readonly text: string;
  /** True for text that is still useful in part. False for an id or an amount. */
  readonly canBeShort: boolean;
  /** True for text that is shown whole: rows become blocks before it is cut, and in a block it goes on in further lines. */
  readonly isWhole?: boolean;
}

const GAP = 2;
const BORDERS = [
  ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
  ...["left", "left-mid", "mid", "mid-mid", "right", "right-mid"],
];
/** The smallest width of a shortened text, in columns. A shorter part would be useless. */
const LEAST_TEXT = 12;
const ELLIPSIS = "…";

/** A single word is not shortened: it is often a name, which is useless without its end. */
const WORD = /^[\w.+…-]*$/;
/**
 * An id or a number at the end of a text that may be cut in the middle. It is removed, because a part would mislead.
 */
const CUT_ID_OR_NUMBER = /([a-z]{2,5}_[0-9a-f-]*|[0-9a-f]{8}-[0-9a-f-]*|(?<=\s)[\d.,]+)$/;

const widthOf = (text: string) => truncatedWidth(text).width;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** A cell of free text or of a list. */
export function textCell(text: string): TableCell {
  return { text, canBeShort: !WORD.test(text) };
}

function shortenCell({ text, canBeShort }: TableCell, width: number): string {
  if (!canBeShort || widthOf(text) <= width) return text;
  const { index } = truncatedWidth(text, { limit: width, ellipsis: ELLIPSIS });
  const part = text.slice(0, index);
  const isInWord = /[\w.,-]/.test(text.charAt(index));
  return (isInWord ? part.replace(CUT_ID_OR_NUMBER, "") : part).trimEnd() + ELLIPSIS;
}

/** For each column, the width that the rows so far need: with whole texts, and with shortened texts. */
interface Needs {
  readonly whole: readonly number[];
  readonly least: readonly number[];
}

/** Returns the widths that these rows and the earlier rows need. */
function withRows({ whole, least }: Needs, rows: readonly (readonly TableCell[])[]): Needs {
  const widest = (before: readonly number[], cellWidth: (cell: TableCell) => number) =>
    before.map((width, index) => Math.max(width, ...rows.flatMap((row) => row.slice(index, index + 1).map(cellWidth))));
  return {
    whole: widest(whole, ({ text }) => widthOf(text)),
    least: widest(least, ({ text, canBeShort }) => (canBeShort ? Math.min(LEAST_TEXT, widthOf(text)) : widthOf(text))),
  };
}

/** The width of each column, or null when the columns do not fit into the room even after shortening. */
function fitWidths({ whole, least }: Needs, room: number): number[] | null {
  const widths = [...whole];
  const free = room - GAP * (widths.length - 1);
  if (sum(least) > free) return null;
  while (sum(widths) > free) {
    const excess = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const broadest = excess.indexOf(Math.max(...excess));
    widths[broadest] = (widths[broadest] ?? 0) - 1;
  }
  return widths;
}

/**
 * Leaves out columns with `ifWide` that have no room beside the others. Returns all columns when even the others do not
 * fit: then every row is a block, which has room for all of them.
 */
export function fitColumns<Column extends { readonly header: string; readonly ifWide?: true }>(
  columns: readonly Column[],
  rows: readonly (readonly TableCell[])[],
  room: number,
): readonly Column[] {
  const heads = columns.map(({ header }) => widthOf(header));
  const { least } = withRows({ whole: heads, least: heads }, rows);
  const widthWithGap = (index: number) => (least[index] ?? 0) + GAP;
  let left = room + GAP - sum(columns.map(({ ifWide }, index) => (ifWide ? 0 : widthWithGap(index))));
  if (left < 0) return columns;
  return columns.filter(({ ifWide }, index) => {
    if (!ifWide) return true;
    const fits = widthWithGap(index) <= left;
    if (fits) left -= widthWithGap(index);
    return fits;
  });
}

type Style = (text: string) => string;

/** The width of an id with its prefix, which is never cut. */
const ID_WIDTH = 39;

/** A value in a block: a single word that is longer than an id is cut, too. */
function blockText(cell: TableCell, room: number): string {
  const text = shortenCell(cell, room);
  return !cell.isWhole && room >= ID_WIDTH && widthOf(text) > room
    ? shortenCell({ text, canBeShort: true }, room)
    : text;
}

/** Prints each row as several lines, one for each header and value, with an empty line between two rows. */
function blocks(headers: readonly string[], rows: readonly (readonly TableCell[])[], room: number, dim: Style): string {
  const width = Math.max(...headers.map(widthOf));
  const left = Math.max(LEAST_TEXT, room - width - GAP);
  const block = (row: readonly TableCell[]) =>
    headers.flatMap((header, index) => {
      const text = row.slice(index, index + 1).map((cell) => blockText(cell, left))[0] ?? "";
      return text === "" ? [] : [[dim(header), text]];
    });
  return rows.map((row) => alignLines(block(row), [width])).join("\n");
}

function alignLines(lines: readonly string[][], colWidths: number[]): string {
  const none = Object.fromEntries(BORDERS.map((name) => [name, ""]));
  const drawing = new Table({
    chars: { ...none, middle: " ".repeat(GAP) },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
    colWidths,
  });
  drawing.push(...lines);
  const drawn = drawing.toString().split("\n");
  return `${drawn.map((line) => line.trimEnd()).join("\n")}\n`;
}

/**
 * Returns a function that draws rows as aligned columns. The first call also draws their headers. `room` is the greatest
 * width of a line: the widest texts are shortened to fit. When that is not enough, each row becomes a block of lines,
 * one for each column. Later rows stand under the earlier ones, and a column becomes wider when they need it.
 */
export function growingTable(
  headers: readonly string[],
  room: number,
  paint: { readonly strong: Style; readonly dim: Style },
): (rows: readonly (readonly TableCell[])[]) => string {
  const heads = headers.map(widthOf);
  let needs: Needs = { whole: heads, least: heads };
  let isFirst = true;
  return (rows) => {
    needs = withRows(needs, rows);
    const widths = fitWidths(needs, room);
    const wasFirst = isFirst;
    isFirst = false;
    if (widths === null) return (wasFirst ? "" : "\n") + blocks(headers, rows, room, paint.dim);
    const lines = rows.map((row) => row.map((cell, index) => shortenCell(cell, widths[index] ?? 0)));
    return alignLines(wasFirst ? [headers.map((header) => paint.strong(header)), ...lines] : lines, widths);
  };
}
