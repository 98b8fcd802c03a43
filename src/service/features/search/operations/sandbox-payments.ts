import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { ID_PREFIX, rawId } from "../../../../base/kernel/ids.js";
import { InstantInput, Words } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { hasMethod } from "../../transactions/catalogue.js";
import type { StatusTotal } from "../../transactions/lists.js";
import { isSettled, TRANSACTION_STATUSES } from "../../transactions/machine.js";
import { MethodName, PaymentShape, toListedPayment } from "../../transactions/payment-resource.js";
import type { TransactionRow } from "../../transactions/store.js";
import type { Reader } from "../../tx.js";
import { MAX_LENGTH, type SearchQuery, search } from "../search.js";

/** The list of payments for people: by method and by text as well, which `/v1/payments` cannot. */

/** The maximum of search pages that are read for one page of the list, when the other filters exclude all results. */
const SEARCHES = 5;

/** The payments that a search finds and that fit, from `after` on, and the place where the search continues. */
function findPayments(reader: Reader, query: SearchQuery, fits: (row: TransactionRow) => boolean) {
  const rows = new Map<string, TransactionRow>();
  let after = query.after ?? null;
  for (let searches = 0; searches < SEARCHES && rows.size === 0; searches += 1) {
    const { data, next_cursor } = search(reader, { ...query, after: after ?? undefined });
    for (const { kind, id } of data) {
      if (kind !== "charge" && kind !== "payment") continue;
      const raw = rawId(id, ID_PREFIX.charge, ID_PREFIX.transaction, "");
      const row = raw === null ? null : reader.transactions.inBook(raw, query.bookId);
      if (row !== null && fits(row)) rows.set(row.id, row);
    }
    after = next_cursor;
    if (after === null) break;
  }
  return { rows: [...rows.values()], next_cursor: after };
}

/** The number of payments of each status. */
function countsOf(totals: readonly StatusTotal[]): Record<string, number> {
  const counts = new Map<string, number>(TRANSACTION_STATUSES.map((status) => [status, 0]));
  for (const { status, count } of totals) counts.set(status, (counts.get(status) ?? 0) + count);
  return Object.fromEntries(counts);
}

/** The number and the sum of settled payments, by currency. */
function paidOf(totals: readonly StatusTotal[]) {
  const settled = totals.filter(({ status, count }) => isSettled(status) && count > 0);
  const currencies = [...new Set(settled.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => {
    const own = settled.filter((one) => one.currency === currency);
    const sum = (field: "count" | "gross") => own.reduce((total, one) => total + one[field], 0);
    return { currency, count: sum("count"), amount: sum("gross") };
  });
}

export const sandboxPayments = defineOperation({
  id: "sandbox.payments.list",
  route: "GET /_sandbox/payments",
  summary: "List payments and charges by status, method, time and text",
  description:
    "Lists payments and charges as `GET /v1/payments` does, newest first, with two filters more: a method that the payer " +
    "may choose, and `q`, a text that the search understands. All filters hold together. With `q`, what it finds best comes " +
    "first, and a page has as many payments as one page of the search finds. `counts` has how many there are of each " +
    "status between the two instants, and `paid` what those of PAID and APPROVED add up to, whatever the other filters " +
    "say. An unknown parameter and a bad value are refused.",
  query: z.strictObject({
    ...PAGE_QUERY,
    status: z.enum(TRANSACTION_STATUSES).optional(),
    settled: z.enum(["true", "false"]).default("false").describe("true: only PAID and APPROVED ones"),
    method: MethodName.optional().describe("One of the methods that the payer may choose from"),
    startDate: InstantInput.optional().describe("Inclusive bound on createdAt"),
    endDate: InstantInput.optional().describe("Inclusive bound on createdAt"),
    q: Words.max(MAX_LENGTH, `must have at most ${MAX_LENGTH} characters`)
      .optional()
      .describe("What to look for: an id, a code, a document, an amount or a text"),
  }),
  success: {
    status: 200,
    description: "One page, how many there are of each status, and the sums of the paid ones",
    schema: page(PaymentShape).extend({
      counts: z.record(z.string(), z.int()).describe("By status"),
      paid: z
        .array(z.object({ currency: z.string(), count: z.int(), amount: z.int() }))
        .describe("Those that are PAID or APPROVED, by currency"),
    }),
  },
  cli: {
    command: "sandbox payments",
    examples: ["qa-pay sandbox payments --method BOLETO", "qa-pay sandbox payments --status PAID --q maria"],
    columns: "id as Payment, status, amount, paymentMethods as Methods, customerName as Customer, createdAt",
  },
}).read(({ caller: { bookId, accountId }, query }, reader) => {
  const { limit, after, status, settled, method, startDate: from, endDate: to, q } = query;
  const totals = reader.transactions.totals({ book: bookId, from, to });
  const figures = { counts: countsOf(totals), paid: paidOf(totals) };
  const wanted = TRANSACTION_STATUSES.filter(
    (one) => (status === undefined || one === status) && (settled === "false" || isSettled(one)),
  );
  if (q !== undefined) {
    const fits = (row: TransactionRow) =>
      wanted.includes(row.status) &&
      (method === undefined || hasMethod(row, method)) &&
      (from === undefined || row.created_at >= from) &&
      (to === undefined || row.created_at <= to);
    const { rows, next_cursor } = findPayments(reader, { bookId, accountId, q, after }, fits);
    const data = rows.map((row) => toListedPayment(reader, row));
    return { data, has_more: next_cursor !== null, next_cursor, ...figures };
  }
  const last = rowAt(after, [ID_PREFIX.transaction, ID_PREFIX.charge, ""], (id) =>
    reader.transactions.inBook(id, bookId),
  );
  const filters = { book: bookId, from, to, method, after: last?.seq };
  const isAny = wanted.length === TRANSACTION_STATUSES.length;
  const rows = reader.transactions.newest(filters, isAny ? undefined : wanted, limit + 1);
  return { ...cursorPage(rows, limit, (row) => toListedPayment(reader, row)), ...figures };
});
