import { jsonObject, listOf, made, oneOf, optional, type Row, words } from "../../db/columns/rule.js";
import {
  amount,
  currency,
  day,
  dueAt,
  endToEnd,
  instant,
  isWhole,
  key,
  part,
  uuid,
  webhookUrl,
} from "../../db/columns/values.js";
import { type Db, getter, inserter, runner, searcher, stateWriter } from "../../db/driver.js";
import { createCache } from "../../kernel/cache.js";
import { ID_PREFIX } from "../../kernel/ids.js";
import { byName } from "../../kernel/names.js";
import { saoPauloDay, saoPauloMidnight } from "../../kernel/time.js";
import { METHOD_NAMES, type PaymentMethod } from "./catalogue.js";
import { DETAIL_COLUMNS } from "./details.js";
import { TRANSACTION_STATUSES, type TransactionStatus } from "./machine.js";
import { indexedPages, PAGE_FILTERS, type PageFilters, pages } from "./page-queries.js";
import { searchSteps } from "./search-steps.js";

const STATE = {
  status: oneOf(TRANSACTION_STATUSES),
  /** The provider's id of the transaction; null before the provider has issued it. */
  provider_reference: optional(words),
  /** JSON of `metadata.failure` (docs/service/charges.md#metadata). */
  failure: optional(jsonObject()),
  /** Since when the payment is held for review; null when it is not. */
  held_at: optional(instant),
  paid_with: optional(oneOf(METHOD_NAMES)),
  paid_at: optional(instant),
  end_to_end_id: optional(endToEnd),
  /** The id of the Pix return, when the money was sent back without a refund request. */
  return_id: optional(endToEnd),
  payer_name: optional(words),
  /** In full, for the simulators. No answer shows it in full. */
  payer_document: optional(words),
  provider_fee: part,
  platform_fee: part,
  /** The sum of the refunds that are done. */
  refunded_amount: part,
  /** JSON of `metadata.med`. */
  med: optional(jsonObject()),
  updated_at: instant,
};
export type TransactionState = Row<typeof STATE>;

const DETAIL_RULES = byName(DETAIL_COLUMNS, () => optional(words));

/** The columns that a new transaction is stored with. Those besides its state are known from the start and never change. */
export const TRANSACTION = {
  id: uuid,
  book_id: key,
  amount,
  currency,
  /** `,PIX,CREDIT_CARD,` */
  payment_methods: listOf(METHOD_NAMES),
  ...DETAIL_RULES,
  /** The customer's document without punctuation. */
  customer_tax_id: optional(words),
  /** JSON object without the reserved keys. */
  metadata: jsonObject(),
  /** Seconds. */
  expires_in: dueAt,
  expires_at: dueAt,
  txid: made("0-9A-Za-z", 26, 35),
  checkout_token: made("A-Za-z0-9_-", 1, 64),
  /** Receives the events of this transaction instead of the registered endpoints. */
  webhook_url: optional(webhookUrl),
  /** JSON of what `metadata._sandbox` asks of later: a case after the settlement, no txid in answers. */
  script: optional(
    jsonObject(({ medAfter, txid }) =>
      medAfter === undefined ? txid === false : isWhole(medAfter) && (txid === undefined || txid === false),
    ),
  ),
  created_at: instant,
  /** Calendar day in São Paulo of `created_at`, days since 1970-01-01. */
  day,
  ...STATE,
};
export type NewTransaction = Row<typeof TRANSACTION>;
export type TransactionRow = NewTransaction & { readonly seq: number };

/** What the ledger must hold for a transaction, as SQL (src/features/money-objects.ts). With Pix it is a charge, otherwise a payment. */
export const TRANSACTION_MONEY = {
  table: "transactions",
  prefix: `CASE WHEN EXISTS (SELECT 1 FROM transactions WHERE id = reference AND instr(payment_methods, ',PIX,') = 0)
                THEN '${ID_PREFIX.transaction}' ELSE '${ID_PREFIX.charge}' END`,
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
};

const PRINTED_BYTES = 16 * 1_048_576;

/**
 * Keeps the JSON of transactions that were read lately, in one form. Only committed state may be kept: reads keep it, and
 * they run between units of work, never inside one.
 */
function createPrinted() {
  const texts = createCache<{ readonly bookId: number; readonly json: string }>(PRINTED_BYTES, ({ json }) => json);
  return {
    get(id: string, bookId: number): string | null {
      const found = texts.get(id);
      return found?.bookId === bookId ? found.json : null;
    },
    keep: (id: string, bookId: number, json: string) => texts.keep(id, { bookId, json }),
    forget: texts.forget,
    clear: texts.clear,
  };
}

/** A part of a list: what was created between two instants, and how many that are. */
type Part = Pick<PageFilters, "from" | "to"> & { readonly count: number };
const ANY_TIME = { from: undefined, to: undefined };

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

/**
 * The parts of a list, the oldest first, each with how many match. Rows are counted only for the first and the last day, which
 * a filter may cut; `rows` counts them, and `whole` tells of the days between.
 */
function partsOf(
  filters: PageFilters,
  rows: (filters: PageFilters) => number,
  whole: (between: { after?: number; before?: number }) => Part[],
): Part[] {
  const { from, to } = filters;
  if (from !== undefined && to !== undefined && from > to) return [];
  const first = from === undefined ? undefined : saoPauloDay(from);
  const last = to === undefined ? undefined : saoPauloDay(to);
  const cut = (part: Omit<Part, "count">) => ({ ...part, count: rows({ ...filters, ...part }) });
  if (first !== undefined && first === last) return [cut({ from, to })];
  const head = first === undefined ? [] : [cut({ from, to: saoPauloMidnight(first + 1) - 1 })];
  const tail = last === undefined ? [] : [cut({ from: saoPauloMidnight(last), to })];
  const after = first === undefined ? {} : { after: first };
  return [...head, ...whole(last === undefined ? after : { ...after, before: last }), ...tail];
}

/** How many transactions a list has, and where in it a row is. */
function lengthStatements(db: Db) {
  const countRows = searcher<{ total: number }, keyof PageFilters>(
    db,
    "SELECT COUNT(*) AS total FROM transactions",
    PAGE_FILTERS,
    "",
  );
  const byDay = { book: "book_id = ?", status: "status = ?", after: "day > ?", before: "day < ?" };
  const countDays = searcher<{ total: number | null }, keyof typeof byDay>(
    db,
    "SELECT SUM(count) AS total FROM daily_figures",
    byDay,
    "",
  );
  const eachDay = searcher<{ day: number; count: number }, keyof typeof byDay>(
    db,
    "SELECT day, SUM(count) AS count FROM daily_figures",
    byDay,
    "GROUP BY day ORDER BY day",
  );
  const rows = (filters: PageFilters) => countRows({ ...filters })[0]?.total ?? 0;
  return {
    count({ book, status, ...rest }: PageFilters): number {
      const whole = (between: object) => [
        { ...ANY_TIME, count: countDays({ book, status, ...between })[0]?.total ?? 0 },
      ];
      return partsOf({ book, status, ...rest }, rows, whole).reduce((sum, { count }) => sum + count, 0);
    },
    /**
     * The same list from the day of the row at `offset` on, and the place of the row in it. So a page costs the same at any depth:
     * the days before it are skipped by their sums.
     */
    startingAt(filters: PageFilters, order: "ASC" | "DESC", offset: number): { filters: PageFilters; offset: number } {
      const { book, status } = filters;
      const whole = (between: object) =>
        eachDay({ book, status, ...between }).map(({ day, count }) => ({
          from: saoPauloMidnight(day),
          to: saoPauloMidnight(day + 1) - 1,
          count,
        }));
      const parts = partsOf(filters, rows, whole);
      let left = offset;
      for (const { count, from, to } of order === "ASC" ? parts : parts.reverse()) {
        if (count > left) return { filters: { ...filters, ...(order === "ASC" ? { from } : { to }) }, offset: left };
        left -= count;
      }
      return { filters, offset };
    },
  };
}

/**
 * Counts and sums by day. Triggers keep them with every change of a transaction, so none of these queries counts rows.
 */
function figureStatements(db: Db) {
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

function paymentTimeStatements(db: Db) {
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
    /** How many payments took how many seconds from day `first` on, the quickest first, in one currency or in all. */
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

/** The fraud guard counts every other status (docs/service/errors.md#fraud-guard). */
const UNCOUNTED: readonly TransactionStatus[] = ["EXPIRED", "CANCELLED", "REFUSED"];
const COUNTED = TRANSACTION_STATUSES.filter((status) => !UNCOUNTED.includes(status))
  .map((status) => `'${status}'`)
  .join();

/** The questions of the fraud guard. Each returns a row when more charges match than the last value says. */
function velocityStatements(db: Db) {
  const counted = `FROM transactions WHERE book_id = ? AND created_at > ? AND status IN (${COUNTED})`;
  return {
    /** SQLite answers it from the index alone, and stops once it has seen enough rows. */
    moreInBook: getter<object>(db, `SELECT 1 ${counted} LIMIT 1 OFFSET ?`),
    /** Values: book, since, document without punctuation, e-mail, phone. Null matches nothing. */
    moreOfCustomer: getter<object>(
      db,
      `SELECT 1 ${counted}
          AND (customer_tax_id = ? OR customer_email = ? COLLATE NOCASE OR customer_phone = ?) LIMIT 1 OFFSET ?`,
    ),
  };
}

/** Returns the statements about payments. Every change of one forgets its printed answers. */
export function transactionStore(db: Db) {
  const update = stateWriter(db, "transactions", "transaction", STATE);
  const idPages = pages<{ readonly id: string }>(db, "id");
  const printed = { charges: createPrinted(), listed: createPrinted() };
  return {
    /** Charges and rows of lists as they were last answered. This store forgets a text with every change of its row. */
    printed,
    insert: inserter(db, "transactions", TRANSACTION),
    /** As `stateWriter` says. */
    update(next: NewTransaction, expected: TransactionStatus): void {
      printed.charges.forget(next.id);
      printed.listed.forget(next.id);
      update(next, expected);
    },
    inBook: getter<TransactionRow>(db, "SELECT * FROM transactions WHERE id = ? AND book_id = ?"),
    /** Finds a transaction in any book: for jobs, and for pages that a random token or an image address opens. */
    anywhere: getter<TransactionRow>(db, "SELECT * FROM transactions WHERE id = ?"),
    searchSteps: searchSteps<TransactionRow>(db),
    page: pages<TransactionRow>(db, "*"),
    pageIds: (...values: Parameters<typeof idPages>) => idPages(...values).map(({ id }) => id),
    pageByIndex: indexedPages(db),
    ...lengthStatements(db),
    ...figureStatements(db),
    ...paymentTimeStatements(db),
    ...velocityStatements(db),
  };
}
