import { ServiceError } from "../../api/client/service-error.js";
import type { Client } from "../../api/client/types.js";
import { isRefusal } from "../../base/kernel/http-status.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { formatMoney } from "../../base/kernel/money.js";
import { isNameOf } from "../../base/kernel/names.js";
import { SAMPLE_PAYER_CPF } from "../../base/kernel/tax-id.js";
import { iso } from "../../base/kernel/time.js";
import type { EventName } from "../../service/features/webhooks/catalogue.js";
import { envelope } from "../../service/features/webhooks/envelope.js";
import type { PurchaseResult } from "../shop/shop.js";
import type { PreparedFaults } from "./api-faults.js";
import { findBelievedForgery, findChargedTwice, judgeOrder, type OracleFinding } from "./judge.js";
import type { OrderTracker } from "./order-tracker.js";
import { type Action, type ForgedEvent, faultOf, type Step } from "./schedule.js";
import { type ScheduleRecord, ShopGone } from "./schedule-record.js";
import type { Restart, RunParts, ShopSession } from "./shop-session.js";
import { disturbanceOf, type WebhookQueue } from "./webhook-queue.js";
import { answerText, type Signing, type WebhookContent } from "./webhook-relay.js";
import { actText } from "./words.js";

/** Does what a step says, in the place of the customer, the payer, the merchant, the bank or a stranger. */

/** A schedule that runs. */
export interface ScheduleRun {
  readonly parts: RunParts;
  readonly orders: OrderTracker;
  readonly queue: WebhookQueue;
  readonly session: ShopSession;
  readonly record: ScheduleRecord;
  /** The orders about which the shop believed a forged webhook. That explains all else that is wrong with them. */
  readonly forged: Set<string>;
}

type StepOf<Name extends Action["do"]> = Step & Extract<Action, { do: Name }>;

/** Centavos that a payer sends beside the requested amount. */
const OFF = { less: -1, more: 1 } as const;

export async function performStep(run: ScheduleRun, step: Step, faults: PreparedFaults): Promise<void> {
  const { orders, parts } = run;
  if (step.do === "buy") {
    const { amount, document } = step;
    orders.add(step.order, { order: `order-${parts.random.hex(6)}`, amount, document });
  }
  if (step.do === "buy" || step.do === "again") return buy(run, step, faults);
  await act(run, step);
  // The faults begin only now, because the step itself sends requests to the service.
  await faults.disturb();
}

/** Buys, and once more when the purchase was disturbed and did not succeed. */
async function buy(run: ScheduleRun, step: Step, { disturb, endFaults, hasRules }: PreparedFaults): Promise<void> {
  const { orders, session, record } = run;
  const order = orders.order(step.order);
  if (order === undefined) return;
  const restart = disturbanceOf(step, "restart") ?? null;
  const { deaths } = session;
  await disturb();
  let bought = await buyOnce(run, step, restart);
  // Only the shop's own requests are disturbed. Faults that are left over must not disturb the requests of the run.
  for (const fault of await endFaults()) record.show(fault);
  if (bought.kind === "refused" && (restart !== null || hasRules || session.deaths > deaths)) {
    record.note(`${actText(step)}, for the second time`);
    bought = await buyOnce(run, step, null);
  }
  record.bought = bought;
  if (bought.kind === "bought") order.isBought = true;
  const isLate = bought.kind === "refused" && bought.isLate === true;
  if (bought.kind === "refused" && (step.do === "buy" || isLate))
    record.find({ oracle: "buy_refused", text: `Nobody can buy: ${bought.text}.`, charge: null });
  if (isLate) throw new ShopGone();
  await orders.read(step.order);
  if (step.do === "buy" && step.letters) await showLetters(run, step);
  record.find(...orders.all().flatMap(findChargedTwice));
}

async function buyOnce({ parts, orders, session, record }: ScheduleRun, step: Step, restart: Restart | null) {
  const purchase = orders.order(step.order)?.purchase;
  if (purchase === undefined) throw new TypeError(`order ${step.order} was never placed`);
  const bought = await session.call<PurchaseResult>(() => parts.shop.buy(purchase), restart);
  record.note(bought.kind === "bought" ? `the shop answers with ${bought.charge}` : `refused: ${bought.text}`);
  return bought;
}

/** Letters in a document matter only to a shop that passes the payer's document to the service. */
async function showLetters({ parts, orders, record }: ScheduleRun, { order }: Step): Promise<void> {
  const { purchase, charges } = orders.order(order) ?? {};
  const charge = charges?.at(-1);
  if (charge === undefined) return record.show("letters_in_cnpj");
  const { customer } = await parts.client["charges.get"]({ params: { id: ID_PREFIX.charge + charge } });
  const tail = purchase?.document.slice(-4) ?? "";
  if (JSON.stringify(customer ?? null).includes(tail)) record.show("letters_in_cnpj");
}

/** Does what the payer, the merchant, the bank or a stranger does. A step that the service refuses has simply not happened. */
async function act(run: ScheduleRun, step: Step): Promise<void> {
  const { record } = run;
  const charge = chargeOf(run, step);
  if (charge === undefined) return record.note("there is no charge for it");
  try {
    await perform(run, step, charge);
    if (!(step.do === "pay" && step.how === "other payer")) record.show(faultOf(step));
  } catch (error) {
    if (!(error instanceof ServiceError && isRefusal(error.status))) throw error;
    record.note(`the service refuses it: ${error.message}`);
  }
}

/** The charge that a step is about: the newest one. A payer who pays too late pays the first. */
function chargeOf({ orders }: ScheduleRun, step: Step): string | undefined {
  const charges = orders.order(step.order)?.charges ?? [];
  return step.do === "pay" && step.how === "too late" ? charges[0] : charges.at(-1);
}

async function perform(run: ScheduleRun, step: Step, charge: string): Promise<void> {
  const { client } = run.parts;
  const id = ID_PREFIX.charge + charge;
  switch (step.do) {
    case "pay":
      return pay(run, step, charge);
    case "expire":
      await client["sandbox.charges.expire"]({ params: { id } });
      return;
    case "refund":
      return refund(run, step, charge);
    case "dispute":
      await client["sandbox.med.open"]({ body: { charge_id: id } });
      return;
    case "forge":
      return forge(run, step, charge);
    case "replay":
      return replay(run, charge);
    default:
      return;
  }
}

async function pay({ parts, orders, record }: ScheduleRun, { how, order }: StepOf<"pay">, charge: string) {
  const { amount = 0, currency = "BRL" } = orders.payment(charge) ?? {};
  const document = orders.order(order)?.purchase.document ?? SAMPLE_PAYER_CPF;
  const paid = Math.max(1, amount + (isNameOf(OFF, how) ? OFF[how] : 0));
  const body = { amount: paid, payer_document: how === "other payer" ? SAMPLE_PAYER_CPF : document };
  const { outcome } = await parts.client["sandbox.charges.pay"]({ params: { id: ID_PREFIX.charge + charge }, body });
  if (outcome === "paid") orders.settle(charge);
  // Where the shop expects nobody, any payer is the right one.
  if (how === "other payer" && outcome !== "paid") record.show("other_payer");
  const what = { paid: "is paid", refunded: "goes back to the payer", processing: "is held", returned: "goes back" };
  record.note(`${formatMoney(paid, currency)} ${what[outcome]}`);
}

async function refund({ parts: { client, ids }, orders }: ScheduleRun, { part }: StepOf<"refund">, charge: string) {
  const { amount = 2 } = orders.payment(charge) ?? {};
  const body = { idempotencyKey: ids.next(), ...(part ? { amount: Math.ceil(amount / 2) } : {}) };
  const { id } = await client["payments.refund"]({ params: { id: ID_PREFIX.transaction + charge }, body });
  await client["sandbox.refunds.advance"]({ params: { id }, body: { to: "REFUNDED" } });
}

/** The events that a stranger reports, in both families. */
const FORGED_EVENTS: Readonly<Record<ForgedEvent, readonly EventName[]>> = {
  paid: ["charge.paid", "payment.completed"],
  expired: ["charge.expired", "payment.expired"],
  refunded: ["payment.refunded", "payment.status_changed"],
};

interface ForgeryInput {
  readonly charge: string;
  readonly event: ForgedEvent;
  /** New ids, without prefix. */
  readonly uuid: () => string;
  readonly at: number;
}

/** Returns webhooks about an `event` that the charge never had, so that a shop must not believe them. */
async function forgeWebhooks(client: Client, { charge, event, uuid, at }: ForgeryInput): Promise<WebhookContent[]> {
  const object = await client["charges.get"]({ params: { id: ID_PREFIX.charge + charge } });
  const { amount } = object;
  const occurredAt = iso(at);
  const legacy = {
    transactionId: ID_PREFIX.transaction + charge,
    amount,
    status: event.toUpperCase(),
    previousStatus: event === "refunded" ? "PAID" : "WAITING_PAYMENT",
    ...(event === "refunded"
      ? { refund: { id: ID_PREFIX.refund + uuid(), amount, status: "REFUNDED", reason: null } }
      : {}),
    occurredAt,
  };
  return FORGED_EVENTS[event].map((type) => {
    const data = JSON.stringify(type.startsWith("charge.") ? { ...object, status: event } : legacy);
    const body = envelope({ id: uuid(), type, data, created_at: at });
    return { id: ID_PREFIX.delivery + uuid(), type, body };
  });
}

async function forge(run: ScheduleRun, { event, manner, order }: StepOf<"forge">, charge: string): Promise<void> {
  const { orders, session, record, forged } = run;
  const { client, real, random, ids, secret } = run.parts;
  const name = orders.order(order)?.purchase.order ?? "";
  const before = await judgeNow(run, name);
  const at = real.readShownTime();
  for (const one of await forgeWebhooks(client, { charge, event, uuid: () => ids.next(), at })) {
    const other = record.taken.at(-1)?.body ?? "{}";
    const signing: Signing | null = {
      unsigned: null,
      "other secret": { secret: random.hex(32), at },
      "other body": { secret, at, body: other },
    }[manner];
    const result = await session.call(() => session.send(one, signing));
    record.note(`forged ${one.type}: ${answerText(result)}`);
  }
  const believed = findBelievedForgery(before, await judgeNow(run, name));
  if (believed === null) return;
  forged.add(name);
  record.find(believed);
}

/** Returns the present findings about an order. */
async function judgeNow({ orders, session }: ScheduleRun, order: string): Promise<OracleFinding[]> {
  await orders.read();
  const rows = await session.orders();
  return orders.all().flatMap((known) => (known.order === order ? judgeOrder(known, rows) : []));
}

async function replay(run: ScheduleRun, charge: string): Promise<void> {
  const old = run.record.taken.filter((one) => one.charge === charge);
  const one = old.find(({ type }) => type === "charge.paid") ?? old.at(-1);
  if (one === undefined) return run.record.note("the shop has taken none");
  await run.session.call(() => run.session.sendStale(one));
}
