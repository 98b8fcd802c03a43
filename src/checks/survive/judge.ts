import { formatMoney } from "../../base/kernel/money.js";
import { type DifferenceCode, judge, type OrderPayment, type Payment } from "../reconcile/judge.js";
import { toPlainId } from "../reconcile/orders.js";
import { standingOf } from "../reconcile/statuses.js";
import type { ShopOrder } from "../shop/shop.js";
import type { OracleName } from "./faults.js";

/** Judges what a shop believes of an order, when nothing is under way any more. Pure functions. */

export interface OracleFinding {
  readonly oracle: OracleName;
  readonly text: string;
  /** The charge of the finding; null when there is none. */
  readonly charge: string | null;
}

/** An order as the service and the schedule know it. */
export interface KnownOrder {
  readonly order: string;
  /** The shop answered the purchase with a charge. */
  readonly isBought: boolean;
  /** All charges of the order, the oldest first. */
  readonly payments: readonly Payment[];
  /** The plain ids of the charges whose money came, also when it went back later. */
  readonly settled: ReadonlySet<string>;
}

/** The oracle that a difference of `reconcile` breaks. A payment of another amount breaks one of the first two. */
const ORACLE_OF: Readonly<Partial<Record<DifferenceCode, OracleName>>> = {
  missed_payment: "paid_not_fulfilled",
  unearned_order: "fulfilled_unpaid",
  missed_refund: "refund_unknown",
  phantom_refund: "refund_unknown",
  missed_dispute: "dispute_unknown",
};

/** The charges of an order that are paid or can still be paid. */
function payable(payments: readonly Payment[]): readonly Payment[] {
  return payments.filter(({ status }) => status === "pending" || status === "processing" || status === "paid");
}

export function findChargedTwice({ order, payments }: KnownOrder): OracleFinding[] {
  const [first, ...others] = payable(payments);
  const last = others.at(-1);
  if (first === undefined || last === undefined) return [];
  const text = `Order ${order} has ${others.length + 1} charges that are paid or can be paid: ${[first, ...others].map(({ id, status }) => `${id} (${status})`).join(", ")}.`;
  return [{ oracle: "charged_twice", text, charge: last.id }];
}

/** The rows of an order, each with its payments. A payment that no row names belongs to the last row. */
function rowsOf({ order, payments }: KnownOrder, rows: readonly ShopOrder[]): (readonly [ShopOrder, OrderPayment[]])[] {
  const ids = new Set(payments.map(({ id }) => toPlainId(id)));
  const isNamed = (row: ShopOrder) => row.id !== null && ids.has(toPlainId(row.id));
  const own = rows.filter((row) => row.order === order || isNamed(row));
  const names = (row: ShopOrder, { id }: Payment) => row.id !== null && toPlainId(row.id) === toPlainId(id);
  const orphans = payments.filter((payment) => !own.some((row) => names(row, payment)));
  return own.map((row, index) => {
    const findingsOf = payments
      .filter((payment) => names(row, payment))
      .map((payment) => ({ ...payment, isOwn: true }));
    const others = index === own.length - 1 ? orphans.map((payment) => ({ ...payment, isOwn: false })) : [];
    return [row, [...findingsOf, ...others]] as const;
  });
}

/** The finding for a refund or a dispute that the shop reports and the service does not have. */
function phantomFinding(
  row: ShopOrder,
  { text, charge, status }: Pick<OracleFinding, "text" | "charge"> & { readonly status: string | null },
): OracleFinding {
  const isDispute = row.status === "disputed";
  const oracle = isDispute ? "dispute_unknown" : "refund_unknown";
  const name = row.order === null ? `The order of ${row.id}` : `Order ${row.order}`;
  const moved = status === "paid" ? "not all of its money was refunded" : "no money arrived that could be refunded";
  const really = isDispute ? "nobody contests it" : moved;
  if (status === null) return { oracle, text, charge };
  return {
    oracle,
    text: `${name} is ${row.status} in the shop, but ${really}: it is ${status} at the service.`,
    charge,
  };
}

function differencesOf(row: ShopOrder, found: readonly OrderPayment[]): OracleFinding[] {
  return judge(row, found, null, () => "").flatMap(({ code, text: said, id, shop, service }): OracleFinding[] => {
    const text = String(said);
    if (code === "unknown_order")
      return row.status === "paid" && found.length === 0 ? [{ oracle: "fulfilled_unpaid", text, charge: null }] : [];
    if (code === "phantom_refund") return [phantomFinding(row, { text, charge: id, status: service?.status ?? null })];
    const isMore = (shop?.amount ?? 0) > (service?.amount ?? 0);
    const ofAmount = isMore ? "fulfilled_unpaid" : "paid_not_fulfilled";
    const oracle = code === "wrong_amount" ? ofAmount : ORACLE_OF[code];
    return oracle === undefined ? [] : [{ oracle, text, charge: id }];
  });
}

/** Judges how often the goods went out, where the shop says it. */
function fulfilment(known: KnownOrder, rows: readonly ShopOrder[]): OracleFinding[] {
  const { order, payments, settled } = known;
  const fulfilledCounts = rows.flatMap(({ fulfilled }) => (fulfilled === null ? [] : [fulfilled]));
  if (fulfilledCounts.length === 0) return [];
  const times = fulfilledCounts.reduce((sum, one) => sum + one, 0);
  const found = (oracle: OracleName, text: string): OracleFinding[] => [
    { oracle, text, charge: payments.at(-1)?.id ?? null },
  ];
  const isPaid = payments.some(({ status }) => standingOf(status) === "paid");
  if (times > 1) return found("fulfilled_twice", `The goods of order ${order} went out ${times} times.`);
  if (times === 0 && isPaid)
    return found("paid_not_fulfilled", `Order ${order} is paid, but its goods did not go out.`);
  if (times === 0 || settled.size > 0) return [];
  return found("fulfilled_unpaid", `The goods of order ${order} went out, but nothing was paid.`);
}

/** The finding for webhooks that failed until the end, each with what was answered. */
export function neverSettled(failing: readonly string[]): OracleFinding[] {
  const [first, ...others] = failing;
  if (first === undefined) return [];
  const more = others.length === 0 ? "" : ` (${others.length} more)`;
  const text = `The shop does not accept a webhook that has no fault: ${first}${more}.`;
  return [{ oracle: "never_settles", text, charge: null }];
}

/** The finding for an order that became wrong by a forged webhook; null when none did. */
export function findBelievedForgery(
  before: readonly OracleFinding[],
  after: readonly OracleFinding[],
): OracleFinding | null {
  const believed = after.find(({ oracle }) => before.every((known) => known.oracle !== oracle));
  if (believed === undefined) return null;
  return { ...believed, oracle: "forgery_believed", text: `The shop believed a forged webhook. ${believed.text}` };
}

/** Returns all findings about an order, each oracle once. */
export function judgeOrder(known: KnownOrder, all: readonly ShopOrder[]): OracleFinding[] {
  const { order, payments, isBought } = known;
  const rows = rowsOf(known, all);
  const paid = payments.find(({ status }) => status === "paid");
  const findings: OracleFinding[] = [...findChargedTwice(known)];
  if (rows.length === 0 && isBought && paid !== undefined) {
    const text = `Order ${order} is paid with ${formatMoney(paid.amount, paid.currency)}, but the shop does not have it.`;
    findings.push({ oracle: "paid_not_fulfilled", text, charge: paid.id });
  }
  findings.push(...rows.flatMap(([row, found]) => differencesOf(row, found)));
  const own = rows.map(([row]) => row);
  findings.push(...fulfilment(known, own));
  return findings.filter(({ oracle }, at) => findings.findIndex((other) => other.oracle === oracle) === at);
}
