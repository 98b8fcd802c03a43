import { MED_STATUSES, MED_TYPES, MONEY_OUTCOMES } from "../../../features/med/machine.js";
import { REFUND_STATUSES, REFUND_STRATEGIES } from "../../../features/refunds/machine.js";
import { METHOD_NAMES } from "../../../features/transactions/catalogue.js";
import { TRANSACTION_STATUSES } from "../../../features/transactions/machine.js";
import { EVENT_NAMES } from "../../../features/webhooks/catalogue.js";
import { DELIVERY_STATUSES } from "../../../features/webhooks/machine.js";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { type AnyObject, isJsonObject } from "../../../kernel/json.js";
import { MAX_AMOUNT } from "../../../kernel/money.js";
import { checkWebhookUrl } from "../../../kernel/webhook-url.js";

/**
 * What `/v1` of any host answers, as far as rows can be made of it. Each function returns null for an object without what every such
 * object has; what is missing else, or has another form, is null.
 */

const text = (value: unknown) => (typeof value === "string" ? value : null);
const oneOf = <Name extends string>(names: readonly Name[], value: unknown) =>
  names.find((name) => name === value) ?? null;

function whole(value: unknown, least = 0): number | null {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= MAX_AMOUNT ? Number(value) : null;
}

/** The milliseconds of an instant in an answer; null for none. */
function instant(value: unknown): number | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return ms >= 0 ? ms : null;
}

function endToEnd(value: unknown): string | null {
  return typeof value === "string" && /^[0-9A-Za-z]{32}$/.test(value) ? value : null;
}

function currency(value: unknown): string {
  return typeof value === "string" && /^[A-Z]{3,8}$/.test(value) ? value : "BRL";
}

function address(value: unknown): string | null {
  try {
    return checkWebhookUrl("url", String(value), null);
  } catch {
    return null;
  }
}

const inside = (value: unknown): AnyObject => (isJsonObject(value) ? value : {});

export type Payment = NonNullable<ReturnType<typeof paymentIn>>;

export function paymentIn(answer: AnyObject) {
  const status = oneOf(TRANSACTION_STATUSES, answer.status);
  const amount = whole(answer.amount, 1);
  const created = instant(answer.createdAt);
  if (status === null || amount === null || created === null) return null;
  const given: readonly unknown[] = Array.isArray(answer.paymentMethods) ? answer.paymentMethods : [];
  const methods = METHOD_NAMES.filter((name) => given.includes(name));
  const { failure, med, ...metadata } = inside(answer.metadata);
  return {
    ...{ status, amount, created, currency: currency(answer.currency), metadata },
    methods: methods.length > 0 ? methods : (["PIX"] as const),
    ...{ name: text(answer.customerName), document: text(answer.customerDocument), email: text(answer.customerEmail) },
    ...{ failure: isJsonObject(failure) ? failure : null, med: isJsonObject(med) ? med : null },
    ...{ expires: instant(answer.pixExpiresAt), paid: instant(answer.paidAt) },
    paidWith: oneOf(METHOD_NAMES, answer.paidWith),
    ...{ providerFee: whole(answer.providerFee) ?? 0, platformFee: whole(answer.platformFee) ?? 0 },
  };
}

export function chargeIn(answer: AnyObject) {
  const [pix, customer, settlement] = [answer.pix, answer.customer, answer.settlement].map(inside);
  const txid = text(pix?.txid);
  return {
    ...{ expires: instant(pix?.expires_at), code: text(pix?.br_code), phone: text(customer?.phone) },
    txid: txid !== null && /^[0-9A-Za-z]{26,35}$/.test(txid) ? txid : null,
    ...{ checkout: text(answer.checkout_url), endToEndId: endToEnd(settlement?.end_to_end_id) },
    expectedPayer: text(answer.expected_payer_tax_id),
  };
}

export type Refund = NonNullable<ReturnType<typeof refundIn>>;

export function refundIn(answer: AnyObject) {
  const id = rawId(String(answer.id), ID_PREFIX.refund, "");
  const status = oneOf(REFUND_STATUSES, answer.status);
  const amount = whole(answer.amount, 1);
  const created = instant(answer.createdAt);
  if (id === null || status === null || amount === null || created === null) return null;
  return {
    ...{ id, status, amount, created, currency: currency(answer.currency), reason: text(answer.reason) },
    strategy: oneOf(REFUND_STRATEGIES, answer.strategy),
    ...{ failureReason: text(answer.failureReason), endToEndId: endToEnd(answer.endToEndId) },
  };
}

export type MedCase = NonNullable<ReturnType<typeof caseIn>>;

export function caseIn(answer: AnyObject) {
  const id = rawId(String(answer.id), ID_PREFIX.medCase, "");
  const status = oneOf(MED_STATUSES, answer.status);
  const amount = whole(answer.amount, 1);
  const opened = instant(answer.opened_at) ?? instant(answer.created_at);
  if (id === null || status === null || amount === null || opened === null) return null;
  return {
    ...{ id, status, amount, opened, currency: currency(answer.currency), reason: text(answer.reason) },
    type: oneOf(MED_TYPES, answer.type) ?? "med",
    ...{ deadline: instant(answer.response_deadline), asked: instant(answer.evidence_requested_at) },
    ...{ appealReason: text(answer.appeal_reason), appealed: instant(answer.appealed_at) },
    moneyOutcome: oneOf(MONEY_OUTCOMES, answer.money_outcome),
    ...{ closed: instant(answer.closed_at), created: instant(answer.created_at) ?? opened },
    updated: instant(answer.updated_at) ?? opened,
  };
}

export type Endpoint = NonNullable<ReturnType<typeof endpointIn>>;

export function endpointIn(answer: AnyObject) {
  const id = rawId(String(answer.id), ID_PREFIX.endpoint, "");
  const url = address(answer.url);
  if (id === null || url === null) return null;
  const given: readonly unknown[] = Array.isArray(answer.events) ? answer.events : [];
  const events = EVENT_NAMES.filter((name) => given.includes(name));
  return { id, url, events, created: instant(answer.createdAt), updated: instant(answer.updatedAt) };
}

export type Delivery = NonNullable<ReturnType<typeof deliveryIn>>;

/** The event has an id and an instant of its own in a canonical body alone. */
function eventIn(payload: AnyObject) {
  const data = inside(payload.data);
  const isCanonical = isJsonObject(data.object);
  return {
    id: isCanonical ? rawId(String(payload.id), ID_PREFIX.event) : null,
    data: isCanonical ? inside(data.object) : data,
    created: isCanonical ? instant(payload.created_at) : null,
  };
}

export function deliveryIn(answer: AnyObject) {
  const id = rawId(String(answer.id), ID_PREFIX.delivery, "");
  const type = oneOf(EVENT_NAMES, answer.eventType);
  const status = oneOf(DELIVERY_STATUSES, answer.status);
  const created = instant(answer.createdAt);
  if (id === null || type === null || status === null || created === null || !isJsonObject(answer.payload)) return null;
  const attempts = Math.min(whole(answer.attempts) ?? 0, 1_000);
  const code = whole(answer.lastStatusCode, 100);
  const event = eventIn(answer.payload);
  return {
    ...{ id, type, status, created, attempts, event: { ...event, created: event.created ?? created } },
    endpoint: rawId(String(answer.endpointId), ID_PREFIX.endpoint, ""),
    ...{ maxAttempts: whole(answer.maxAttempts) ?? attempts, lastStatus: code !== null && code <= 999 ? code : null },
    ...{ lastError: text(answer.lastError), lastBody: text(answer.lastResponseBody) },
    ...{ next: instant(answer.nextRetryAt), delivered: instant(answer.deliveredAt) },
    updated: instant(answer.updatedAt) ?? created,
  };
}
