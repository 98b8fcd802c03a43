import { type Db, getter, lister, type SqlValue } from "../../db/driver.js";
import type { Pause } from "../../db/long-read.js";
import { type MoneyObjects, SUMMED, type Summed } from "../money-objects.js";

/** How the check compares objects with the ledger, and how it reads large tables. */

/** A whole number as text, which JavaScript reads with BigInt. */
export type ExactSum = string;

export const exact = (sql: string) => `CAST(${sql} AS TEXT)`;

export function isIn(sum: Summed): string {
  return sum === "wallet" ? "e.bucket IN ('available', 'pending')" : `e.bucket = '${sum}'`;
}

/** The amounts that the objects of a table have. The others must be zero in the ledger. */
export const comparedBy = ({ owed }: MoneyObjects) => SUMMED.filter((name) => owed[name] !== undefined);

/** How many rows of a table one query of the check reads: few enough that others hardly wait, many enough to be fast. */
const SLICE = 1_000;
const WIDE_SLICE = 10_000;

/** A number that only another program writes may be larger than JavaScript holds exactly. Some drivers refuse to return it. */
export const rounded = (number: string) => `CAST(${number} AS REAL)`;

/**
 * A query that reads a table slice by slice, and gives the rows of each slice to `take`. Its SQL takes the book, the bounds of the
 * slice in the column `key` (without the first, with the last) and then the values that follow.
 */
export function sliced<Row>(db: Db, table: string, key: "id" | "seq" | "journal_id", sql: string) {
  const nextAfter = getter<{ first: number | null }>(
    db,
    `SELECT ${rounded(`MIN(${key})`)} AS first FROM ${table} WHERE ${key} > ?`,
  );
  const rows = lister<Row>(db, sql);
  return async (
    pause: Pause,
    book: number,
    take: (rows: readonly Row[]) => void,
    ...rest: SqlValue[]
  ): Promise<void> => {
    // Another program may have written numbers below zero.
    for (let to = Number.MIN_SAFE_INTEGER; ; ) {
      // A gap between two numbers may be wide: another program may have written them.
      const first = nextAfter(to)?.first ?? null;
      if (first === null) return;
      // A number that only another program writes may be so large that a slice would not get beyond it.
      to = first - 1 + (Number.isSafeInteger(first + SLICE) ? SLICE : WIDE_SLICE);
      take(rows(book, first - 1, to, ...rest));
      await pause();
    }
  };
}

/** Exact amounts by currency and bucket, or by another name. An amount that is missing is zero. */
export function createSums() {
  const sums = new Map<string, Map<string, bigint>>();
  return {
    add(currency: string, bucket: string, amount: ExactSum | number | bigint): void {
      const ofCurrency = sums.get(currency) ?? new Map<string, bigint>();
      sums.set(currency, ofCurrency.set(bucket, (ofCurrency.get(bucket) ?? 0n) + BigInt(amount)));
    },
    of: (currency: string, bucket: string) => sums.get(currency)?.get(bucket) ?? 0n,
    currencies: () => [...sums.keys()],
  };
}
export type Sums = ReturnType<typeof createSums>;
