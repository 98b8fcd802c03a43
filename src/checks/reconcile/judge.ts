import { ID_PREFIX } from "../../base/kernel/ids.js";
import { decimalsOf, formatMoney } from "../../base/kernel/money.js";
import { t, type Wording } from "../../base/kernel/wording.js";
import type { ChargeStatus } from "../../service/features/transactions/machine.js";
import type { ShopStatus } from "./names.js";
import { type Order, smallestUnits } from "./orders.js";
import { type Standing, standingOf } from "./statuses.js";

/** Compares orders with their payments, and describes each difference in one sentence. Pure functions. */

export const CODES = [
  "missed_payment",
  "unearned_order",
  "wrong_amount",
  "missed_refund",
  "phantom_refund",
  "missed_dispute",
  "paid_twice",
  "unknown_payment",
  "unknown_order",
] as const;
/** The kinds of differences (docs/guides/reconcile.md). */
export type DifferenceCode = (typeof CODES)[number];

/** A state and an amount in the smallest unit of the currency (centavos); the amount is null where it is not known. */
export interface StatusAndAmount<Status extends string = string> {
  readonly status: Status;
  readonly amount: number | null;
}

export interface Difference<Text = string> {
  readonly code: DifferenceCode;
  /** The shop's name of the order, or the order that a payment without a row names; null when there is none. */
  readonly order: string | null;
  /** The id of the charge or payment; null when there is none. */
  readonly id: string | null;
  /** The state in the shop; null for a payment without an order. */
  readonly shop: StatusAndAmount<ShopStatus> | null;
  /** The state at the service, in the words of a charge; null when it has no payment. */
  readonly service: StatusAndAmount<ChargeStatus> | null;
  /** The difference in one sentence. */
  readonly text: Text;
  /** The command that shows more, or corrects it. */
  readonly command: string;
}

/** A payment of the service, as its list shows it. */
export interface Payment {
  /** With the prefix of a charge when Pix can pay it, else with that of a payment. */
  readonly id: string;
  readonly status: ChargeStatus;
  /** Smallest units of the currency. */
  readonly amount: number;
  readonly currency: string;
  /** The order that the payment names; null when it names none. */
  readonly order: string | null;
}

/** The next command: the words behind the name of the program. */
type CommandWords = readonly string[];
export type CommandLine = (words: CommandWords) => string;

/** A payment of an order. `isOwn` when the row names it by its id. */
export interface OrderPayment extends Payment {
  readonly isOwn: boolean;
}

/** The sentence about a state of the shop that does not fit the money; null where both agree. */
const VERDICTS: Readonly<Record<ShopStatus, Readonly<Record<Standing, DifferenceCode | null>>>> = {
  paid: { paid: null, returned: "missed_refund", disputed: "missed_dispute", unpaid: "unearned_order" },
  open: { paid: "missed_payment", returned: null, disputed: null, unpaid: null },
  cancelled: { paid: "missed_payment", returned: null, disputed: null, unpaid: null },
  refunded: { paid: "phantom_refund", returned: null, disputed: null, unpaid: "phantom_refund" },
  disputed: { paid: "phantom_refund", returned: null, disputed: null, unpaid: "phantom_refund" },
};

const RANK: Readonly<Record<Standing, number>> = { unpaid: 0, returned: 2, disputed: 4, paid: 6 };

/**
 * Returns the payment that decides: a paid one, else one whose money moved. Of two equal ones it is the one that the row names.
 */
function decisivePayment(found: readonly OrderPayment[]): OrderPayment | null {
  const rank = ({ status, isOwn }: OrderPayment) => RANK[standingOf(status)] + Number(isOwn);
  return found.reduce<OrderPayment | null>((best, one) => (best === null || rank(one) > rank(best) ? one : best), null);
}

const money = ({ amount, currency }: Payment) => formatMoney(amount, currency);
const charge = (id: string) => id.replace(ID_PREFIX.transaction, ID_PREFIX.charge);

/** The words for states within a sentence. */
const STATES: Readonly<Record<ShopStatus | ChargeStatus, Wording>> = {
  paid: t`paid`,
  open: t`open`,
  pending: t`pending`,
  processing: t`processing`,
  failed: t`failed`,
  expired: t`expired`,
  cancelled: t`cancelled`,
  refunded: t`refunded`,
  disputed: t`disputed`,
};

/** The order of a row in the middle of a sentence. */
function nameOf({ order, id, line }: Order): Wording {
  if (order !== null) return t`order ${order}`;
  return id === null ? t`the order of line ${line}` : t`the order of ${id}`;
}

/** The order of a row at the beginning of a sentence. */
function subjectOf({ order, id, line }: Order): Wording {
  if (order !== null) return t`Order ${order}`;
  return id === null ? t`The order of line ${line}` : t`The order of ${id}`;
}

type Diagnosis = readonly [text: Wording, command: CommandWords];

/** The sentence and the command of a difference between the states of an order and of its payment. */
function diagnosisOf(code: DifferenceCode, row: Order, payment: Payment | null): Diagnosis {
  const said = STATES[row.status];
  const find: CommandWords = ["payments", ...(row.order === null ? ["list"] : ["find", row.order])];
  if (payment === null) return [t`The shop says ${said}, but the service has no payment of ${nameOf(row)}.`, find];
  const { id, status } = payment;
  const here = t`${subjectOf(row)} is ${said} in the shop`;
  const get: CommandWords = ["payments", "get", id];
  const why: CommandWords = ["why", id];
  const there: Wording = t`${here}, but ${STATES[status]} at the service.`;
  const findings: Readonly<Partial<Record<DifferenceCode, Diagnosis>>> = {
    missed_payment: [t`${here}, but ${money(payment)} was paid at the service.`, why],
    unearned_order: [there, why],
    missed_refund: [t`${here}, but its ${money(payment)} went back to the payer.`, get],
    phantom_refund: [there, ["payments", "refunds", id]],
    missed_dispute: [there, ["med", "list", "--charge-id", charge(id)]],
  };
  return findings[code] ?? [here, get];
}

function shopSide(row: Order, currency: string): StatusAndAmount<ShopStatus> {
  return { status: row.status, amount: row.amount === null ? null : smallestUnits(row.amount, decimalsOf(currency)) };
}

const serviceSide = ({ status, amount }: Payment) => ({ status, amount });

/** The payments of one order that were paid, when there are several. */
export interface PaidTwice {
  readonly count: number;
  /** The first ones and the last one. */
  readonly ids: readonly string[];
}

/** The differences of an order. `twice` only for the first row of an order that was paid several times. */
export function judge(
  row: Order,
  found: readonly OrderPayment[],
  twice: PaidTwice | null,
  line: CommandLine,
): Difference<Wording>[] {
  const payment = decisivePayment(found);
  const differences: Difference<Wording>[] = [];
  const add = (code: DifferenceCode, id: string | null, [text, words]: Diagnosis) => {
    const shop = shopSide(row, payment?.currency ?? "BRL");
    const service = payment === null ? null : serviceSide(payment);
    differences.push({ code, order: row.order, id, shop, service, text, command: line(words) });
  };
  const own = found.find(({ isOwn }) => isOwn);
  const id = payment?.isOwn || payment === null ? row.id : payment.id;
  if (row.id !== null && own === undefined) {
    const text =
      row.order === null
        ? t`The service has no payment ${row.id}.`
        : t`The service has no payment ${row.id} of order ${row.order}.`;
    add("unknown_order", row.id, [text, ["payments", "find", row.order ?? row.id]]);
  }
  const isAbsent = payment === null && row.id !== null;
  const code = isAbsent ? null : VERDICTS[row.status][payment === null ? "unpaid" : standingOf(payment.status)];
  if (code !== null) add(code, id, diagnosisOf(code, row, payment));
  if (payment !== null && row.amount !== null && (row.status === "paid" || payment.status === "paid")) {
    const { amount } = shopSide(row, payment.currency);
    const amountText = amount === null ? row.amount : formatMoney(amount, payment.currency);
    const text = t`${subjectOf(row)} is ${amountText} in the shop, but ${money(payment)} at the service.`;
    if (amount !== payment.amount) add("wrong_amount", id, [text, ["payments", "get", payment.id]]);
  }
  if (twice !== null) {
    const last = twice.ids.at(-1) ?? payment?.id ?? "";
    const text = t`${subjectOf(row)} was paid ${twice.count} times, with ${twice.ids.join(", ")}.`;
    add("paid_twice", last, [text, ["payments", "get", last]]);
  }
  return differences;
}

/** The difference of a payment that is in no row. */
export function unknownPayment(payment: Payment, line: CommandLine): Difference<Wording> {
  const { id, order } = payment;
  const what = order === null ? id : t`${id} for order ${order}`;
  const text = t`${money(payment)} was paid with ${what}, but no row has this payment.`;
  const command = line(["payments", "get", id]);
  return { code: "unknown_payment", order, id, shop: null, service: serviceSide(payment), text, command };
}
