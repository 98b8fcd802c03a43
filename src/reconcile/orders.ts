import { bareId, TRANSACTION } from "../client/given-id.js";
import { MAX_SUM } from "../kernel/money.js";
import { pick } from "../kernel/pick.js";
import { InputError } from "./input-error.js";
import type { AmountForm, Column, ShopStatus } from "./names.js";
import { type StatusWords, statusReader } from "./statuses.js";

/** Reads the rows of a shop: which column is which, and what its words and numbers mean. */

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

/** The id behind a charge's or payment's id in any form. */
export function plainId(text: string): string {
  return bareId(text).toLowerCase().replace(TRANSACTION, "");
}

const GROUPED_BY_DOT = /^\d{1,3}(?:\.\d{3})+,\d{1,2}$/;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+\.\d{1,2}$/;

/** A decimal number with a dot; null for other text, and where one mark before three digits could mean either. */
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
    throw new InputError(line, `The amount ${text} is no number such as 19.90 or 19,90.`);
  }
  const units = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (units <= MAX_SUM) return units;
  throw new InputError(line, `The amount ${text} is no whole number of centavos.`, "amounts");
}

/** Returns what makes orders of rows. Throws InputError with the line for a value that it cannot understand. */
export function orderReader({ map = {}, status = {}, amounts }: ReadingOptions) {
  const statusOf = statusReader(status);
  const nameOf = (column: Column) => map[column] ?? column;
  const seen = new Set<Column>();
  const text = ({ line, values }: RawRow, column: Column): string | null => {
    const name = nameOf(column);
    const value = Object.hasOwn(values, name) ? values[name] : pick(values, name);
    if (value !== undefined) seen.add(column);
    if (value === undefined || value === null) return null;
    if (typeof value === "object") throw new InputError(line, `${name} is no text and no number.`, "map");
    return String(value).trim() || null;
  };
  const requireColumns = (line: number, has: (column: Column) => boolean, names: readonly string[]) => {
    const missing = has("id") || has("order") ? (["status", "amount"] as const).find((one) => !has(one)) : "id";
    if (missing === undefined) return;
    const wanted = missing === "id" ? `${nameOf("id")} nor a column ${nameOf("order")}` : nameOf(missing);
    const all = names.length === 0 ? "" : `, only ${names.join(", ")}`;
    throw new InputError(
      line,
      missing === "id" ? `There is neither a column ${wanted}${all}.` : `There is no column ${wanted}${all}.`,
      "map",
    );
  };
  return {
    /** Throws InputError when the header of a file lacks a column. */
    header: (names: readonly string[], line: number) =>
      requireColumns(line, (column) => names.includes(nameOf(column)), names),
    order(row: RawRow): Order {
      const { line } = row;
      const word = text(row, "status");
      if (word === null) throw new InputError(line, `The row has no ${nameOf("status")}.`, "map");
      const known = statusOf(word);
      if (known === undefined) throw new InputError(line, `The status ${word} is not known.`, "status");
      const amount = text(row, "amount");
      return {
        line,
        id: text(row, "id"),
        order: text(row, "order"),
        status: known,
        amount: amount === null ? null : amountIn(amount, line, amounts),
      };
    },
    /** Throws InputError when no row of a file had a column. */
    end(line: number): void {
      requireColumns(line, (column) => seen.has(column), []);
    },
  };
}
