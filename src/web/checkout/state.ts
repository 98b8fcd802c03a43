import { ID_PREFIX } from "../../base/kernel/ids.js";
import { parseObject } from "../../base/kernel/json.js";
import { fill } from "../../base/kernel/message.js";
import { iso } from "../../base/kernel/time.js";
import { hasMethod, methodExpiry, type PaymentMethod } from "../../service/features/transactions/catalogue.js";
import { type ChargeStatus, PUBLIC_STATUS } from "../../service/features/transactions/machine.js";
import { descriptionOf, isInFlight } from "../../service/features/transactions/rules.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import type { Reader } from "../../service/features/tx.js";
import type { EmulatedClock } from "../../service/jobs/clock.js";
import { receiptHref } from "./documents.js";
import { amountText, instantText } from "./format.js";
import { type OutcomePanel, outcomeOf, payableMethods, returnHref, statusNow } from "./outcome.js";
import { type Offer, offersOf } from "./simulation-offers.js";
import type { Visit } from "./visit.js";

/** A link of the outcome. */
export interface Action {
  readonly kind: "authenticate" | "receipt" | "shop";
  readonly href: string;
  readonly label: string;
}

/**
 * Everything about a payment that can change while its page is open. The page is rendered from it, the status route and
 * the stream answer it, and the script of the page shows it.
 */
export interface PaymentState extends Partial<OutcomePanel> {
  readonly status: ChargeStatus;
  /** True if the page can stop looking for changes. */
  readonly final: boolean;
  /** The emulated instant. */
  readonly now: string;
  readonly frozen: boolean;
  /** The speed of the clock: 2 is twice as fast as real time. */
  readonly speed: number;
  readonly expires_at: string;
  /** Seconds until the payment expires; null when it cannot expire any more. */
  readonly remaining: number | null;
  /** The methods that are still possible, with the seconds until each expires. */
  readonly methods: readonly PaymentMethod[];
  readonly method_remaining: Readonly<Partial<Record<PaymentMethod, number>>>;
  /** About a payment that was received and returned; null when there was none since the last change of status. */
  readonly notice: string | null;
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly actions: readonly Action[];
  /** The offers of the simulation now; empty when the page has none. */
  readonly simulation: readonly Offer[];
}

type ShownClock = Pick<EmulatedClock, "show">;

/** The latest payment that was returned without changing the present status. */
function noticeOf(reader: Reader, row: TransactionRow, status: ChargeStatus, visit: Visit): string | null {
  const rows = reader.history.of(row.id);
  const last = rows.findLast(({ move, from_status }) => move === "send_back" && from_status === row.status);
  if (last === undefined) return null;
  const amount = Number(parseObject(last.data ?? "{}").amount);
  const { notice } = visit.texts;
  const paid = amountText({ ...row, amount });
  if (status === "pending") return amount === row.amount ? null : fill(notice.amount, { paid, asked: amountText(row) });
  return fill(row.paid_at === null ? notice.late : notice.twice, { paid });
}

/** What the payer names to the merchant, after a charge that nobody paid. */
function referenceOf(row: TransactionRow, { texts: { facts } }: Visit): PaymentState["facts"] {
  const order = descriptionOf(row);
  const charge = [facts.charge, ID_PREFIX.charge + row.id] as const;
  return order === null || order === "" ? [charge] : [[facts.order, order], charge];
}

/** The facts that are not at the head of the page, which has merchant and amount. */
function factsOf(row: TransactionRow, visit: Visit): PaymentState["facts"] {
  const { facts, card, crypto } = visit.texts;
  if (row.paid_at === null || row.paid_with === null) return referenceOf(row, visit);
  const names = { PIX: "Pix", CREDIT_CARD: card.method, MBWAY: "MB WAY", MULTIBANCO: "Multibanco", BOLETO: "Boleto" };
  const method = row.paid_with === "CRYPTO" ? crypto.method : names[row.paid_with];
  const all: (readonly [string, string | null])[] = [
    [facts.at, instantText(row.paid_at, row, visit)],
    [facts.method, method],
    [facts.payer, row.payer_name],
    [facts.endToEnd, row.end_to_end_id],
  ];
  return all.flatMap(([name, value]) => (value === null || value === "" ? [] : [[name, value] as const]));
}

function actionsOf(reader: Reader, row: TransactionRow, status: ChargeStatus, visit: Visit): Action[] {
  const { actions } = visit.texts;
  const authenticates = status === "processing" && isInFlight(row) && hasMethod(row, "CREDIT_CARD");
  const shop = status === "pending" || status === "processing" ? null : returnHref(row, reader.now);
  const receipt = receiptHref(reader, row);
  const card = `/card/${row.id}?k=${row.checkout_token}${visit.choices}`;
  return [
    ...(authenticates ? [{ kind: "authenticate", href: card, label: actions.authenticate } as const] : []),
    ...(receipt === null ? [] : [{ kind: "receipt", href: receipt, label: actions.receipt } as const]),
    ...(shop === null ? [] : [{ kind: "shop", href: shop, label: actions.shop } as const]),
  ];
}

/** Returns the state of a payment as its page shows it, at the present instant of the clock. Spans of time are in seconds. */
export function stateOf(reader: Reader, row: TransactionRow, clock: ShownClock, visit: Visit): PaymentState {
  const { now } = reader;
  const { frozen, speed } = clock.show();
  const status = PUBLIC_STATUS[statusNow(row, now)];
  const methods = payableMethods(row, now);
  const outcome = outcomeOf(row, now, visit.texts, reader);
  const seconds = (at: number) => Math.max(0, at - now) / 1_000;
  const canExpire = status === "pending" || (status === "processing" && isInFlight(row));
  return {
    status,
    final: status !== "pending" && status !== "processing",
    now: iso(now),
    frozen,
    speed,
    expires_at: iso(row.expires_at),
    remaining: canExpire ? seconds(row.expires_at) : null,
    methods,
    method_remaining: Object.fromEntries(methods.map((method) => [method, seconds(methodExpiry(row, method))])),
    notice: noticeOf(reader, row, status, visit),
    ...outcome,
    facts: outcome === null ? [] : factsOf(row, visit),
    actions: actionsOf(reader, row, status, visit),
    simulation: visit.panel ? offersOf(row, now, visit.texts) : [],
  };
}
