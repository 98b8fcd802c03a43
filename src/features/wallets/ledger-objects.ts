import { type Db, getter, lister, type SqlValue } from "../../db/driver.js";
import type { Pause } from "../../db/long-read.js";

/** The objects that move money, with what the ledger must hold for each, and how the check reads large tables. */

/** A whole number as text, which JavaScript reads with BigInt. */
export type ExactSum = string;

export const exact = (sql: string) => `CAST(${sql} AS TEXT)`;

/** The sums that an object is checked by. `wallet` is `available` and `pending` together. */
export const SUMMED = ["wallet", "review", "clearing", "retained", "provider_fees", "platform_fees"] as const;
export type Summed = (typeof SUMMED)[number];

export function isIn(sum: Summed): string {
  return sum === "wallet" ? "e.bucket IN ('available', 'pending')" : `e.bucket = '${sum}'`;
}

/** A table of objects, with SQL for the amounts that the ledger must hold for each object. */
export interface Objects {
  readonly kind: string;
  readonly table: "transactions" | "refunds" | "payouts" | "med_cases";
  readonly from: string;
  readonly book: string;
  /** A condition that leaves out objects without an amount and without a journal, where it is faster than to look at all. */
  readonly some?: string;
  /** Whether the amount that a transaction says was refunded is another one than that of its refunds. */
  readonly isRefundedWrong?: string;
  /** SQL for each amount; an amount that is missing is zero. */
  readonly owed: Partial<Readonly<Record<Summed, string>>>;
}

export const OBJECTS: readonly Objects[] = [
  {
    kind: "settlement",
    table: "transactions",
    from: "transactions o",
    book: "o.book_id",
    some: `(o.paid_at IS NOT NULL OR o.held_at IS NOT NULL OR o.refunded_amount <> 0
            OR EXISTS (SELECT 1 FROM ledger_journals WHERE reference = o.id))`,
    isRefundedWrong: `o.refunded_amount <> 0 AND o.refunded_amount <> iif(o.paid_at IS NULL, 0, COALESCE(
      (SELECT SUM(amount) FROM refunds WHERE transaction_id = o.id AND status = 'REFUNDED'), 0))`,
    owed: {
      wallet: "(o.amount - o.provider_fee - o.platform_fee) * (o.paid_at IS NOT NULL)",
      review: "o.amount * (o.status = 'PROCESSING' AND o.held_at IS NOT NULL)",
      provider_fees: "o.provider_fee * (o.paid_at IS NOT NULL)",
      platform_fees: "o.platform_fee * (o.paid_at IS NOT NULL)",
    },
  },
  {
    kind: "refund_reserve",
    table: "refunds",
    // The return of a payment that was never credited moves nothing in the ledger.
    from: "refunds o JOIN transactions t ON t.id = o.transaction_id",
    book: "t.book_id",
    // All others are seen from their transaction.
    isRefundedWrong: "o.status = 'REFUNDED' AND t.paid_at IS NOT NULL AND t.refunded_amount = 0",
    owed: {
      wallet: "-(o.amount + o.fee) * (t.paid_at IS NOT NULL AND o.status <> 'FAILED')",
      clearing: "(o.amount + o.fee) * (t.paid_at IS NOT NULL AND o.status IN ('PENDING', 'IN_PROGRESS'))",
      provider_fees: "o.fee * (t.paid_at IS NOT NULL AND o.status = 'REFUNDED')",
    },
  },
  {
    kind: "payout_reserve",
    table: "payouts",
    from: "payouts o",
    book: "o.book_id",
    owed: { wallet: "-o.amount * (o.status <> 'failed')", clearing: "o.amount * (o.status = 'pending')" },
  },
  {
    kind: "med_hold",
    table: "med_cases",
    from: "med_cases o",
    book: "o.book_id",
    owed: {
      wallet: "-o.held * (COALESCE(o.money_outcome, '') <> 'refunded_to_merchant')",
      retained: "o.held * (o.money_outcome IS NULL)",
    },
  },
];

/** The amounts that the objects of a table have. The others must be zero in the ledger. */
export const comparedBy = ({ owed }: Objects) => SUMMED.filter((name) => owed[name] !== undefined);

/** How many rows of a table one query of the check reads: few enough that others hardly wait, many enough to be fast. */
const SLICE = 1_000;
const WIDE_SLICE = 10_000;

/**
 * A query that reads a table slice by slice, and gives the rows of each slice to `take`. Its SQL takes the book, the bounds of the
 * slice in the column `key` (without the first, with the last) and then the values that follow.
 */
export function sliced<Row>(db: Db, table: string, key: "id" | "seq" | "journal_id", sql: string) {
  const nextAfter = getter<{ first: number | null }>(db, `SELECT MIN(${key}) AS first FROM ${table} WHERE ${key} > ?`);
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
