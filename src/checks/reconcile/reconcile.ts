import { byName } from "../../base/kernel/names.js";
import { iso } from "../../base/kernel/time.js";
import type { Wording } from "../../base/kernel/wording.js";
import { CODES, type CommandLine, type Difference, type DifferenceCode, judge, unknownPayment } from "./judge.js";
import type { Order } from "./orders.js";
import { listPayments, type PaymentReader, paymentOf, type Span } from "./payments.js";
import { openStore, type ReconcileStore } from "./store.js";

/**
 * Compares the orders of a shop with the payments of a host. It first stores all orders, then assigns each payment to its row,
 * and in the end judges each order with its payments.
 */

export interface ReconcileParts {
  readonly reader: PaymentReader;
  /** Returns a command as the caller would type it. */
  readonly command: CommandLine;
  /** The payments that must be in a row were created from here on, in milliseconds since the Unix epoch. */
  readonly from?: number | undefined;
  /** The same for the end, inclusive. */
  readonly to?: number | undefined;
  /** The field of a payment with the order's name, such as `metadata.cart`. */
  readonly orderField?: string | undefined;
  /** Called after each page of payments, with how many were read of how many. */
  readonly onProgress?: (read: number, total: number) => void;
}

export interface Totals {
  /** The rows that were compared. */
  checked: number;
  /** The rows without a difference. */
  matched: number;
  /** The payments that were read. */
  payments: number;
  /** How many differences of each kind there are. */
  readonly counts: Record<DifferenceCode, number>;
}

/** Assigns payments to their rows. Payments that must have a row are kept without one too. */
function createAssigner(store: ReconcileStore, { orderField }: ReconcileParts) {
  return (answer: unknown, mustBeInARow: boolean): void => {
    const payment = paymentOf(answer, orderField);
    const place = store.rowOf(payment.id, payment.orders);
    if (place !== null || (mustBeInARow && payment.status === "paid")) store.keep(payment, place);
  };
}

/** The spans before and after the requested one. */
function otherSpans({ from, to }: ReconcileParts): Span[] {
  return [
    ...(from === undefined ? [] : [{ endDate: iso(from - 1) }]),
    ...(to === undefined ? [] : [{ startDate: iso(to + 1) }]),
  ];
}

async function readPayments(store: ReconcileStore, parts: ReconcileParts, totals: Totals): Promise<void> {
  const { reader, from, to } = parts;
  const take = createAssigner(store, parts);
  const readSpan = async (span: Span, mustBeInARow: boolean) => {
    const onPage = (total: number) => parts.onProgress?.(totals.payments, total);
    for await (const answer of listPayments(reader, span, onPage)) {
      totals.payments++;
      take(answer, mustBeInARow);
    }
  };
  const requested: Span = {
    ...(from === undefined ? {} : { startDate: iso(from) }),
    ...(to === undefined ? {} : { endDate: iso(to) }),
  };
  await readSpan(requested, true);
  const others = otherSpans(parts);
  const { ids, orders } = store.countLost();
  if (others.length === 0 || ids + orders === 0) return;
  // Up to so many ids are requested one by one. Orders without an id can only be found in the list.
  if (orders > 0 || ids > MOST_SINGLE) for (const span of others) await readSpan(span, false);
  else {
    for (const id of store.listLostIds(MOST_SINGLE)) {
      const answer = await reader.get(id);
      if (answer === null) continue;
      totals.payments++;
      take(answer, false);
    }
  }
}

const MOST_SINGLE = 1_000;

/**
 * Yields the differences of a shop's orders in the order of the rows, then the payments without a row. `totals` are right after
 * the last one. Throws InputError for orders that cannot be read, before any request.
 */
export async function* differencesOf(
  orders: Iterable<Order> | AsyncIterable<Order>,
  parts: ReconcileParts,
  totals: Totals,
): AsyncGenerator<Difference<Wording>, void, undefined> {
  const store = openStore();
  try {
    for await (const order of orders) store.add(order);
    store.checkIds();
    await readPayments(store, parts, totals);
    for (const { order, found, twice } of store.orders()) {
      const differences = judge(order, found, twice, parts.command);
      totals.checked++;
      if (differences.length === 0) totals.matched++;
      for (const difference of differences) {
        totals.counts[difference.code]++;
        yield difference;
      }
    }
    for (const payment of store.unknown()) {
      totals.counts.unknown_payment++;
      yield unknownPayment(payment, parts.command);
    }
  } finally {
    store.close();
  }
}

export function newTotals(): Totals {
  return { checked: 0, matched: 0, payments: 0, counts: byName(CODES, () => 0) };
}
