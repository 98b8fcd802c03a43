import { bareId, TRANSACTION } from "../../api/client/accepted-id.js";
import { MAX_SUM } from "../../base/kernel/money.js";
import { unwrapId } from "../../base/kernel/pasted-text.js";
import { pick } from "../../base/kernel/pick.js";
import { joinWords, t, type Words } from "../../base/kernel/wording.js";
import { cellText, ROUNDED } from "./cell-text.js";
import { InputError } from "./input-error.js";
import type { AmountForm, Column, ShopStatus } from "./names.js";
import { type StatusWords, statusReader } from "./statuses.js";

/** Reads the rows of a shop: identifies its columns, its words for states, and its numbers. */

/** An order as the shop sees it. */
export interface Order {
  /** The line of the file, or the number of the row. */
  readonly line: number;
  /** The id of the charge or payment as it was written; null when the order has none. */
  readonly id: string | null;
  readonly order: string | null;
  readonly status: ShopStatus;
  /** Smallest units, or a decimal number such as `19.90`; null when the row has none. */
  readonly amount: number | string | null;
}

/** A row before it is read, with all of its columns. */
export interface RawRow {
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>>;
}

export interface ReadingOptions {
  /** The shop's names of columns. */
  readonly map?: Readonly<Partial<Record<Column, string>>> | undefined;
  readonly status?: StatusWords | undefined;
  readonly amounts?: AmountForm | undefined;
}

/** Says for messages if a row is a line of a file or a member of a list. */
export type RowPlace = "line" | "row";

/** The id behind a charge's or payment's id in any form. */
export function toPlainId(text: string): string {
  return bareId(text).toLowerCase().replace(TRANSACTION, "");
}

const GROUPED_BY_DOT = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+\.\d{1,2}$/;

/** Returns a decimal number with a dot; null for other text, and where a single mark before three digits is ambiguous. */
function decimalText(text: string): string | null {
  const bare = text.replace(/^R\$\s*/i, "");
  if (GROUPED_BY_DOT.test(bare)) return bare.replaceAll(".", "").replace(",", ".");
  if (GROUPED_BY_COMMA.test(bare)) return bare.replaceAll(",", "");
  return /^\d{1,13}(?:[.,](?!\d{3}$)\d{1,8})?$/.test(bare) ? bare.replace(",", ".") : null;
}

/** An amount in the smallest unit of a currency with so many decimals; null when it has more decimals than that. */
export function smallestUnits(amount: number | string, decimals: number): number | null {
  if (typeof amount === "number") return amount;
  const [whole = "", fraction = ""] = amount.split(".");
  const rest = fraction.slice(decimals);
  return /^0*$/.test(rest) ? Number(whole + fraction.slice(0, decimals).padEnd(decimals, "0")) : null;
}

function amountIn(text: string, line: number, kind: ReadingOptions["amounts"]): number | string {
  if (kind === "decimal") {
    const decimal = decimalText(text);
    if (decimal !== null) return decimal;
    throw new InputError(line, t`The amount ${text} is no number such as 19.90 or 19,90.`);
  }
  const units = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (units <= MAX_SUM) return units;
  throw new InputError(line, t`The amount ${text} is no whole number of centavos.`, "amounts");
}

/** The most unknown words in a message. A file with more of them has another column in the place of the states. */
const MOST_NAMED = 20;
const MOST_UNKNOWN = 1_000;

const andOthers = (named: Words, others: number) => (others > 0 ? t`${named} and ${others} others` : named);

/** The words for states that are not known, each with the first row that has it. */
function unknownWords(place: RowPlace) {
  const found = new Map<string, { readonly word: string; readonly line: number }>();
  const check = () => {
    const [first, ...others] = found.values();
    if (first === undefined) return;
    const named = others
      .slice(0, MOST_NAMED - 1)
      .map(({ word, line }) => (place === "line" ? t`${word} (line ${line})` : t`${word} (row ${line})`));
    const all = andOthers(joinWords(named, ", "), others.length - named.length);
    const also = named.length === 0 ? [] : [t`Nor are these: ${all}.`];
    throw new InputError(first.line, joinWords([t`The status ${first.word} is not known.`, ...also], " "), "status");
  };
  return {
    add(word: string, line: number): void {
      const key = word.toLowerCase();
      if (!found.has(key)) found.set(key, { word, line });
      if (found.size >= MOST_UNKNOWN) check();
    },
    /** Throws InputError when some word is unknown. */
    check,
  };
}

/** Returns the required column that is missing. */
function findMissing(has: (column: Column) => boolean): Column | undefined {
  return has("id") || has("order") ? (["status", "amount"] as const).find((one) => !has(one)) : "id";
}

/** Returns a function that throws InputError when a column is missing. `names` are the names of the header; none for JSON. */
function columnsOf(nameOf: (column: Column) => string) {
  return (line: number, has: (column: Column) => boolean, names: readonly string[]): void => {
    const missing = findMissing(has);
    if (missing === undefined) return;
    const filled = names.filter((name) => name !== "");
    const shown = filled.slice(0, MOST_NAMED);
    const text =
      missing === "id"
        ? t`There is neither a column ${nameOf("id")} nor a column ${nameOf("order")}`
        : t`There is no column ${nameOf(missing)}`;
    const all = andOthers(shown.join(", "), filled.length - shown.length);
    throw new InputError(line, shown.length === 0 ? t`${text}.` : t`${text}, only ${all}.`, "map");
  };
}

/**
 * Returns a reader that turns rows into orders. It throws InputError with the line of an unreadable value. An order with an
 * unknown state is null, and `end` throws for all of them.
 */
export function orderReader({ map = {}, status = {}, amounts }: ReadingOptions, place: RowPlace = "line") {
  const statusOf = statusReader(status);
  const nameOf = (column: Column) => map[column] ?? column;
  const seen = new Set<Column>();
  const unknown = unknownWords(place);
  const text = ({ line, values }: RawRow, column: Column): string | null => {
    const name = nameOf(column);
    const value = Object.hasOwn(values, name) ? values[name] : pick(values, name);
    if (value !== undefined) seen.add(column);
    if (value === undefined || value === null) return null;
    if (typeof value === "object") throw new InputError(line, t`${name} is no text and no number.`, "map");
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw new InputError(line, t`${name} is a number that cannot be kept exactly: write it as a text.`);
    }
    return cellText(String(value)) || null;
  };
  const orderOf = (row: RawRow): string | null => {
    const order = text(row, "order");
    if (order === null || !ROUNDED.test(order)) return order;
    throw new InputError(
      row.line,
      t`The order ${order} was rounded by a spreadsheet: its digits are lost. Format its column as text in the spreadsheet before the numbers come in.`,
    );
  };
  const requireColumns = columnsOf(nameOf);
  const isAmong = (names: readonly string[]) => (column: Column) => names.includes(nameOf(column));
  return {
    /** True if these are the names of a header. */
    isHeader: (names: readonly string[]) => findMissing(isAmong(names)) === undefined,
    /** Throws InputError when the header of a file lacks a column. */
    header: (names: readonly string[], line: number) => requireColumns(line, isAmong(names), names),
    order(row: RawRow): Order | null {
      const { line } = row;
      const word = text(row, "status");
      if (word === null) throw new InputError(line, t`The row has no ${nameOf("status")}.`, "map");
      const [id, order, amount] = [unwrapId(text(row, "id") ?? ""), orderOf(row), text(row, "amount")];
      const known = statusOf(word);
      if (known === undefined) unknown.add(word, line);
      const units = amount === null ? null : amountIn(amount, line, amounts);
      return known === undefined ? null : { line, id: id || null, order, status: known, amount: units };
    },
    /** Throws InputError for the states that are not known. */
    checkWords: unknown.check,
    /** The same, and when no row of a file had a column. */
    end(line: number): void {
      unknown.check();
      requireColumns(line, (column) => seen.has(column), []);
    },
  };
}
