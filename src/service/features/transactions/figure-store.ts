import { oneOf, whole } from "../../../base/db/columns/rule.js";
import { book, count, currency, day, hiddenSum, sum } from "../../../base/db/columns/values.js";
import { type Db, runner, searcher } from "../../../base/db/driver.js";
import { MAX_INSTANT } from "../../../base/kernel/time.js";
import { METHOD_NAMES, type PaymentMethod } from "./catalogue.js";
import type { TransactionStatus } from "./machine.js";

/** Counts and sums of payments by day, kept by triggers and `countPaymentTime`: no figure reads single payments. */

/** A row for each day, status, currency and method. */
export const DAILY_FIGURES = {
  book_id: book,
  day,
  currency,
  method: oneOf(["", ...METHOD_NAMES]),
  count,
  // Charges that nobody has paid may add up to more than is ever shown.
  gross: hiddenSum,
  fees: sum,
  refunded: sum,
};

/** The times that payers took, in classes of seconds. */
export const PAYMENT_TIMES = {
  book_id: book,
  span: whole(1, 32),
  start: whole(-32, MAX_INSTANT),
  currency,
  seconds: count,
  count,
};

/** The sums of one day and currency. They are of paid transactions, in the smallest unit. */
export interface DayFigures {
  readonly day: number;
  readonly currency: string;
  readonly created: number;
  readonly paid: number;
  readonly gross: number;
  readonly fees: number;
  readonly refunded: number;
}

/** The sums of one status and method, all days and currencies together. */
export interface StatusFigures {
  readonly status: TransactionStatus;
  /** The method of payment; empty for transactions that are not paid. */
  readonly method: PaymentMethod | "";
  readonly count: number;
  readonly gross: number;
}

export interface Figures {
  /** By day and currency. A day without transactions has no row. */
  readonly days: readonly DayFigures[];
  readonly statuses: readonly StatusFigures[];
}

/** Triggers keep these sums with every change of a transaction. */
export function figureStatements(db: Db) {
  const window = { book: "book_id = ?", first: "day >= ?", currency: "currency = ?" };
  // Only paid transactions have fees and refunds.
  const days = searcher<DayFigures, keyof typeof window>(
    db,
    `SELECT day, currency, SUM(count) AS created, SUM(count * (method <> '')) AS paid,
            SUM(gross * (method <> '')) AS gross, SUM(fees) AS fees, SUM(refunded) AS refunded FROM daily_figures`,
    window,
    "GROUP BY day, currency ORDER BY day, currency",
  );
  const statuses = searcher<StatusFigures, keyof typeof window>(
    db,
    "SELECT status, method, SUM(count) AS count, SUM(gross * (method <> '')) AS gross FROM daily_figures",
    window,
    "AND count > 0 GROUP BY status, method",
  );
  return {
    /** Figures from day `first` on, in one currency or in all (null). The database adds them up: its rows are far more. */
    figures: (book: number, first: number, currency: string | null): Figures => ({
      days: days({ book, first, currency }),
      statuses: statuses({ book, first, currency }),
    }),
  };
}

/** The number of days in a larger sum: see `payment_times` in the schema. */
const TIMES_SPAN = 32;

/** The times that payers took. */
export function paymentTimeStatements(db: Db) {
  const count = runner(
    db,
    `INSERT INTO payment_times (book_id, span, start, currency, seconds, count)
     VALUES (?, 1, ?, ?, ?, 1), (?, ${TIMES_SPAN}, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1`,
  );
  const sums = searcher<{ seconds: number; count: number }, "book" | "span" | "first" | "before" | "currency">(
    db,
    "SELECT seconds, SUM(count) AS count FROM payment_times",
    { book: "book_id = ?", span: "span = ?", first: "start >= ?", before: "start < ?", currency: "currency = ?" },
    "GROUP BY seconds",
  );
  return {
    countPaymentTime(book: number, day: number, currency: string, seconds: number): void {
      count(book, day, currency, seconds, book, Math.floor(day / TIMES_SPAN) * TIMES_SPAN, currency, seconds);
    },
    /** The number of payments by the seconds that they took from day `first` on, in one currency or in all. */
    paymentTimes(book: number, first: number, currency: string | null) {
      const whole = Math.ceil(first / TIMES_SPAN) * TIMES_SPAN;
      const counts = new Map<number, number>();
      for (const { seconds, count } of [
        ...sums({ book, span: 1, first, before: whole, currency }),
        ...sums({ book, span: TIMES_SPAN, first: whole, currency }),
      ]) {
        counts.set(seconds, (counts.get(seconds) ?? 0) + count);
      }
      return [...counts].map(([seconds, count]) => ({ seconds, count })).sort((a, b) => a.seconds - b.seconds);
    },
  };
}
