import { isAbout } from "../../api/client/delivery-search.js";
import type { OperationAnswer } from "../../api/client/types.js";
import { ID_PREFIX, type IdKind, kindOf, rawId } from "../../base/kernel/ids.js";
import { type AnyObject, isJsonObject } from "../../base/kernel/json.js";
import { orderIn } from "../../base/kernel/order-name.js";
import { pick } from "../../base/kernel/pick.js";
import { t } from "../../base/kernel/wording.js";
import { payoutMachine } from "../../service/features/payouts/machine.js";
import { transactionMachine } from "../../service/features/transactions/machine.js";
import type { EventName } from "../../service/features/webhooks/catalogue.js";
import { sentence } from "../../service/features/why-codes.js";
import { type Delivery, explainDelivery } from "./deliveries.js";
import { findingOf, type WhyFinding } from "./finding.js";
import { deliveriesAbout, endpoints, findSince, newestOf, type WhyHost, withAttempts } from "./host.js";
import { explainOrder, namesOrder } from "./orders.js";
import { explainCase, explainPayout, explainRefund, explainRequest } from "./others.js";
import { explainDelivered, explainPayment, isChange, isPaid } from "./payments.js";

/** Gathers the facts about an object of each kind, and has them explained. Each returns null for an id that the host does not have. */

type Cause = (host: WhyHost, id: string) => Promise<(WhyFinding & { readonly id?: string }) | null>;

/** The events that report an object as paid. An event of a changed status does so only with this status. */
interface Paid {
  readonly prefix: string;
  readonly events: readonly EventName[];
  readonly isPaid: (status: unknown) => boolean;
}

const PAID_PAYMENT: Paid = {
  prefix: ID_PREFIX.transaction,
  events: transactionMachine.transitions.settle.emits,
  isPaid,
};
const PAID_PAYOUT: Paid = {
  prefix: ID_PREFIX.payout,
  events: payoutMachine.transitions.pay.emits,
  isPaid: (status) => status === "COMPLETED",
};

function reports({ events, isPaid }: Paid) {
  return ({ eventType, payload }: Delivery): boolean =>
    events.includes(eventType) && (!isChange(eventType) || isPaid(pick(payload, "data.status")));
}

/** The deliveries that report the object as paid: on an emulator all of them, elsewhere those since an instant. */
async function deliveriesReporting(host: WhyHost, paid: Paid, raw: string, since: string) {
  if (host.isEmulator) {
    const found = (await deliveriesAbout(host, paid.prefix + raw)).filter(reports(paid));
    return Promise.all(found.map((one) => withAttempts(host, one)));
  }
  return findSince(host, since, (one) => reports(paid)(one) && isAbout(one, raw));
}

const payment: Cause = async (host, id) => {
  const { read, isEmulator } = host;
  const raw = rawId(id, ID_PREFIX.charge, ID_PREFIX.transaction, "") ?? id;
  const found = await read(`/v1/payments/${encodeURIComponent(raw)}`);
  if (found === null) return null;
  const isPix = Array.isArray(found.paymentMethods) && found.paymentMethods.includes("PIX");
  const charge = isPix ? await read(`/v1/charges/${ID_PREFIX.charge}${raw}`) : null;
  const timeline = isEmulator
    ? await read<OperationAnswer<"sandbox.timeline">>(`/_sandbox/timeline/${ID_PREFIX.transaction}${raw}`)
    : null;
  const moves = timeline?.items.filter(({ kind }) => kind === "transition") ?? null;
  const steps = timeline?.items.filter(({ kind }) => kind === "transition" || kind === "refund") ?? null;
  const since = String(found.paidAt ?? found.createdAt);
  const deliveries = isPaid(found.status) ? await deliveriesReporting(host, PAID_PAYMENT, raw, since) : [];
  const back = found.status === "REFUNDED" ? await read(`/v1/payments/${encodeURIComponent(raw)}/refunds`) : null;
  const refunds = Array.isArray(back) ? back.filter(isJsonObject) : [];
  const own = (charge === null ? ID_PREFIX.transaction : ID_PREFIX.charge) + raw;
  return { ...explainPayment({ payment: found, charge, moves, steps, deliveries, refunds }, own), id: own };
};

const refund: Cause = async (host, id) => {
  if (host.isEmulator) {
    const found = await host.read(`/_sandbox/refunds/${encodeURIComponent(id)}`);
    return found === null ? null : explainRefund(found, true);
  }
  // The service has no route for a refund by its id, but its payment lists each step of it.
  const isWanted = ({ payload }: Delivery) => pick(payload, "data.refund.id") === id;
  const newest = await newestOf(host, isWanted, "payment.refunded");
  if (newest === undefined) return null;
  const reported = pick(newest.payload, "data.refund");
  const object: AnyObject = isJsonObject(reported) ? reported : {};
  const transactionId = pick(newest.payload, "data.transactionId");
  const finding = explainRefund({ ...object, transactionId }, false);
  return {
    ...finding,
    evidence: [{ at: newest.createdAt, text: t`reported as ${String(object.status)} by ${newest.eventType}` }],
  };
};

const payout: Cause = async (host, id) => {
  const { read, isEmulator } = host;
  const raw = id.replace(ID_PREFIX.payout, "");
  const isWanted = (one: Delivery) => one.eventType.startsWith("payout.") && isAbout(one, raw);
  const object = isEmulator
    ? await read(`/_sandbox/payouts/${encodeURIComponent(id)}`)
    : pick(await newestOf(host, isWanted), "payload.data.object");
  if (!isJsonObject(object)) return null;
  if (object.status !== "paid") return explainPayout(object, isEmulator);
  const at = String(object.created_at);
  return explainDelivered(await deliveriesReporting(host, PAID_PAYOUT, raw, at), isEmulator, [
    { at, text: t`payout requested` },
  ]);
};

async function explainFound(host: WhyHost, found: Delivery): Promise<WhyFinding> {
  const all = await endpoints(host);
  const delivery = await withAttempts(host, found);
  const { endpointId } = delivery;
  const own = all.find(({ id }) => id === endpointId);
  const endpoint = endpointId === null ? undefined : (own?.status ?? null);
  const mistake = host.isEmulator ? await host.mistakeOf(delivery, all) : null;
  const isSpoiled = host.isEmulator && (delivery.attempts_log?.at(-1)?.chaos ?? []).length > 0;
  const chaos = isSpoiled ? await host.read<OperationAnswer<"sandbox.chaos.get">>("/_sandbox/webhooks/chaos") : null;
  return explainDelivery({
    delivery,
    isEmulator: host.isEmulator,
    endpoint,
    endpointChangedAt: own?.updatedAt,
    mistake,
    chaos,
  });
}

const delivery: Cause = async (host, id) => {
  const found = host.isEmulator
    ? await host.read<Delivery>(`/_sandbox/webhooks/deliveries/${encodeURIComponent(id)}`)
    : await newestOf(host, (one) => one.id === id);
  return found ? explainFound(host, found) : null;
};

/** Returns the delivery of an event that did not reach its receiver, else the newest one. */
const worst = (all: readonly Delivery[]) => all.find(({ status }) => status !== "DELIVERED") ?? all[0];

const event: Cause = async (host, id) => {
  const isOfEvent = ({ payload }: Delivery) => payload.id === id;
  if (!host.isEmulator) {
    const newest = await newestOf(host, isOfEvent);
    if (newest === undefined) return null;
    const all = await findSince(host, String(newest.payload.created_at), isOfEvent);
    return explainFound(host, worst(all ?? []) ?? newest);
  }
  const one = await host.read<OperationAnswer<"sandbox.events.get">>(`/_sandbox/events/${encodeURIComponent(id)}`);
  if (one === null) return null;
  const { type, subject, created_at: at, payload } = one;
  const isLegacy = pick(payload, "id") === undefined;
  const about = await deliveriesAbout(host, subject);
  const found = worst(about.filter((each) => (isLegacy ? each.eventType === type : isOfEvent(each))));
  if (found !== undefined) return explainFound(host, found);
  const code = PAID_PAYMENT.events.includes(type) && !isChange(type) ? "paid_no_endpoint" : "unknown";
  const evidence = [{ at, text: type }];
  return { ...findingOf(code, "event_unwanted", { event: type }, ["webhooks", "endpoints", "list"]), evidence };
};

const medCase: Cause = async ({ read }, id) => {
  const found = await read(`/v1/med/cases/${encodeURIComponent(id)}`);
  return found === null ? null : explainCase(found);
};

const request: Cause = async ({ read, isEmulator }, id) => {
  if (!isEmulator) return null;
  const byNumber = /^\d{1,15}$/.test(id)
    ? await read<OperationAnswer<"sandbox.requests.get">>(`/_sandbox/requests/${id}`)
    : null;
  const path = `/_sandbox/requests?request=${encodeURIComponent(id)}&limit=1`;
  const found = byNumber ?? (await read<OperationAnswer<"sandbox.requests">>(path))?.data[0];
  return found === undefined ? null : explainRequest(found);
};

/** How many pages of the newest payments are searched for an order, a hundred payments each. */
const ORDER_PAGES = 20;

/**
 * Returns the payments that name an order. People write orders as numbers or words and not as ids, so each payment is compared.
 */
const order: Cause = async (host, given) => {
  const found: AnyObject[] = [];
  for (let page = 1; page <= ORDER_PAGES; page += 1) {
    const answer = await host.read<OperationAnswer<"payments.list">>(`/v1/payments?limit=100&page=${page}`);
    const data: readonly AnyObject[] = Array.isArray(answer?.data) ? answer.data : [];
    found.push(...data.filter((one) => namesOrder(one, given)));
    if (data.length < 100) break;
  }
  const [first] = found;
  if (first === undefined) return null;
  const name = orderIn(given) ?? given;
  if (found.length > 1) return explainOrder(name, found);
  const finding = await payment(host, String(first.id));
  if (finding === null) return null;
  const sentences = [...finding.sentences, sentence("order_of", { order: name, payment: finding.id })];
  return { ...finding, sentences };
};

const hasUuid = (id: string) => /[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id);

/**
 * A text that is no id is a request id, which clients choose, or an order. A number is tried as an order first, because people
 * know their orders.
 */
const otherText: Cause = async (host, id) => {
  if (hasUuid(id)) return request(host, id);
  const [first, second] = /^\d+$/.test(id) || orderIn(id) !== null ? [order, request] : [request, order];
  return (await first(host, id)) ?? second(host, id);
};

const BY_KIND: Readonly<Partial<Record<IdKind, Cause>>> = {
  charge: payment,
  transaction: payment,
  refund,
  payout,
  delivery,
  event,
  medCase,
};

/** A bare UUID is that of a payment. */
function causeOf(id: string): Cause {
  const kind = rawId(id, "") === null ? kindOf(id) : "transaction";
  return (kind === null ? undefined : BY_KIND[kind]) ?? otherText;
}

/** True if a text may be an order: it has the form of no object's id. */
export const mayBeOrder = (id: string) => causeOf(id) === otherText && !hasUuid(id);

/** Returns the cause of an object's present state, with its whole id; null for an object that the host does not have. */
export async function findCause(host: WhyHost, id: string): Promise<(WhyFinding & { readonly id: string }) | null> {
  const found = await causeOf(id)(host, id);
  return found === null ? null : { id, ...found };
}
