import Table from "cli-table3";
import truncatedWidth from "fast-string-truncated-width";

/** Columns of text, and how they come to fit a narrow terminal. */

export interface TableCell {
  /** May hold colour codes when it is not shortened. */
  readonly text: string;
  /** Whether a part of it is still of use. That of an id or of an amount is not. */
  readonly canBeShort: boolean;
}

const GAP = 2;
const BORDERS = [
  ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
  ...["left", "left-mid", "mid", "mid-mid", "right", "right-mid"],
];
/** A shorter part of a text says nothing. */
const LEAST_TEXT = 12;
const ELLIPSIS = "…";

/** One word is mostly a name that something is known by, which is of no use without its end. */
const WORD = /^[\w.+…-]*$/;
/** An id, or a number behind a space, that was cut somewhere. */
const CUT_ID_OR_NUMBER = /([a-z]{2,5}_[0-9a-f-]*|[0-9a-f]{8}-[0-9a-f-]*|(?<=\s)[\d.,]+)$/;

const widthOf = (text: string) => truncatedWidth(text).width;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** A cell of free text or of a list. */
export function textCell(text: string): TableCell {
  return { text, canBeShort: !WORD.test(text) };
}

function shortened({ text, canBeShort }: TableCell, width: number): string {
  if (!canBeShort || widthOf(text) <= width) return text;
  const { index } = truncatedWidth(text, { limit: width, ellipsis: ELLIPSIS });
  const part = text.slice(0, index);
  const isInWord = /[\w.,-]/.test(text.charAt(index));
  return (isInWord ? part.replace(CUT_ID_OR_NUMBER, "") : part).trimEnd() + ELLIPSIS;
}

/** How wide each column may be, or null when there is no room for all of them. */
function fittingWidths(headers: readonly string[], rows: readonly (readonly TableCell[])[], room: number) {
  const widest = (index: number, cellWidth: (cell: TableCell) => number) =>
    Math.max(widthOf(headers[index] ?? ""), ...rows.flatMap((row) => row.slice(index, index + 1).map(cellWidth)));
  const least = headers.map((_header, index) =>
    widest(index, ({ text, canBeShort }) => (canBeShort ? Math.min(LEAST_TEXT, widthOf(text)) : widthOf(text))),
  );
  const widths = headers.map((_header, index) => widest(index, ({ text }) => widthOf(text)));
  const free = room - GAP * (headers.length - 1);
  if (sum(least) > free) return null;
  while (sum(widths) > free) {
    const excess = widths.map((width, index) => (width > (least[index] ?? 0) ? width : 0));
    const broadest = excess.indexOf(Math.max(...excess));
    widths[broadest] = (widths[broadest] ?? 0) - 1;
  }
  return widths;
}

type Style = (text: string) => string;

/** Each row as lines of a header and its value, with an empty line between two rows. */
function blocks(headers: readonly string[], rows: readonly (readonly TableCell[])[], room: number, dim: Style): string {
  const width = Math.max(...headers.map(widthOf));
  const left = Math.max(LEAST_TEXT, room - width - GAP);
  const block = (row: readonly TableCell[]) =>
    headers.flatMap((header, index) => {
      const text = row.slice(index, index + 1).map((cell) => shortened(cell, left))[0] ?? "";
      return text === "" ? [] : [`${dim(padded(header, width))}${" ".repeat(GAP)}${text}\n`];
    });
  return rows.map((row) => block(row).join("")).join("\n");
}

/**
 * Rows under their headers, aligned. With a `room` no line is wider: the widest texts are shortened, or else each row is
 * a block of lines.
 */
export function table(
  headers: readonly string[],
  rows: readonly (readonly TableCell[])[],
  room: number,
  paint: { readonly strong: Style; readonly dim: Style },
): string {
  const widths = fittingWidths(headers, rows, room);
  if (widths === null) return blocks(headers, rows, room, paint.dim);
  const none = Object.fromEntries(BORDERS.map((name) => [name, ""]));
  const drawing = new Table({
    head: headers.map((header) => paint.strong(header)),
    chars: { ...none, middle: " ".repeat(GAP) },
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  drawing.push(...rows.map((row) => row.map((cell, index) => shortened(cell, widths[index] ?? 0))));
  const lines = drawing.toString().split("\n");
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}
