import { HOUR } from "../../base/kernel/duration.js";
import { ID_PREFIX, rawId } from "../../base/kernel/ids.js";
import { type AnyObject, isJsonObject } from "../../base/kernel/json.js";
import { MAX_AMOUNT } from "../../base/kernel/money.js";
import { normalizeTaxId } from "../../base/kernel/tax-id.js";
import { saoPauloDay } from "../../base/kernel/time.js";
import { checkWebhookUrl } from "../../base/kernel/webhook-url.js";
import { MED_STATUSES, MED_TYPES, MONEY_OUTCOMES } from "../../service/features/med/machine.js";
import type { MedCaseRow } from "../../service/features/med/store.js";
import { REFUND_STATUSES, REFUND_STRATEGIES } from "../../service/features/refunds/machine.js";
import type { RefundRow } from "../../service/features/refunds/store.js";
import { METHOD_NAMES } from "../../service/features/transactions/catalogue.js";
import { DETAIL_COLUMNS, detailsIn } from "../../service/features/transactions/details.js";
import { TRANSACTION_STATUSES } from "../../service/features/transactions/machine.js";
import type { TransactionRow } from "../../service/features/transactions/store.js";
import { EVENT_NAMES } from "../../service/features/webhooks/catalogue.js";
import { DELIVERY_STATUSES } from "../../service/features/webhooks/machine.js";
import type { DeliveryRow, EndpointRow, EventRow } from "../../service/features/webhooks/store.js";

/**
 * Turns answers of `/v1` of any host into the rows of an emulator. `raw` is the id of the charge. Each function returns null
 * for an object that lacks a member which every such object has. Other members that are missing or have another form become
 * null or the usual value.
 */

const text = (value: unknown) => (typeof value === "string" ? value : null);
const oneOf = <Name extends string>(names: readonly Name[], value: unknown) =>
  names.find((name) => name === value) ?? null;

function readWhole(value: unknown, least = 0): number | null {
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

const json = (value: unknown) => (isJsonObject(value) ? JSON.stringify(value) : null);

/** Shorter words may occur in any text by chance. */
export const NOT_SHOWN = "-";

function tokenIn(url: string | null): string {
  const token = url !== null && URL.canParse(url) ? new URL(url).searchParams.get("k") : null;
  return token !== null && /^[A-Za-z0-9_-]{1,64}$/.test(token) ? token : NOT_SHOWN;
}

const expiry = (created: number, expires: number) => ({
  expires_at: expires,
  expires_in: Math.max(0, Math.ceil((expires - created) / 1_000)),
});

/** Returns the row of a payment, without the columns that only its charge shows. */
export function transactionIn(raw: string, answer: AnyObject): TransactionRow | null {
  const status = oneOf(TRANSACTION_STATUSES, answer.status);
  const amount = readWhole(answer.amount, 1);
  const created = instant(answer.createdAt);
  if (status === null || amount === null || created === null) return null;
  const given: readonly unknown[] = Array.isArray(answer.paymentMethods) ? answer.paymentMethods : [];
  const methods = METHOD_NAMES.filter((name) => given.includes(name));
  const { failure, med, ...metadata } = inside(answer.metadata);
  const details = detailsIn("payment", answer);
  const { customer_document: document } = details;
  const paid = instant(answer.paidAt);
  return {
    seq: 1,
    id: raw,
    book_id: 1,
    status,
    amount,
    currency: currency(answer.currency),
    payment_methods: `,${methods.length > 0 ? methods.join() : "PIX"},`,
    ...details,
    customer_tax_id: document === null ? null : normalizeTaxId(document),
    metadata: JSON.stringify(metadata),
    webhook_url: null,
    script: null,
    ...expiry(created, instant(answer.pixExpiresAt) ?? created + HOUR),
    txid: raw.replaceAll("-", ""),
    checkout_token: NOT_SHOWN,
    provider_reference: NOT_SHOWN,
    failure: json(failure),
    held_at: null,
    paid_with: oneOf(METHOD_NAMES, answer.paidWith),
    paid_at: paid,
    end_to_end_id: null,
    return_id: null,
    payer_document: null,
    payer_name: text(inside(med).payerName),
    provider_fee: readWhole(answer.providerFee) ?? 0,
    platform_fee: readWhole(answer.platformFee) ?? 0,
    refunded_amount: 0,
    med: json(med),
    created_at: created,
    updated_at: paid ?? created,
    day: saoPauloDay(created),
  };
}

/** Adds the columns that only the charge of the payment shows. */
export function withCharge(row: TransactionRow, answer: AnyObject): TransactionRow {
  const [pix, settlement] = [answer.pix, answer.settlement].map(inside);
  const details = detailsIn("charge", answer);
  const txid = text(pix?.txid);
  return {
    ...row,
    ...Object.fromEntries(DETAIL_COLUMNS.map((column) => [column, row[column] ?? details[column]])),
    ...expiry(row.created_at, instant(pix?.expires_at) ?? row.expires_at),
    txid: txid !== null && /^[0-9A-Za-z]{26,35}$/.test(txid) ? txid : row.txid,
    checkout_token: tokenIn(text(answer.checkout_url)),
    end_to_end_id: endToEnd(settlement?.end_to_end_id),
  };
}

/** Returns the row of a refund as `/v1` shows it; null for an answer without a sound id, state, amount or instant. */
export function refundIn(raw: string, answer: AnyObject): RefundRow | null {
  const id = rawId(String(answer.id), ID_PREFIX.refund, "");
  const status = oneOf(REFUND_STATUSES, answer.status);
  const amount = readWhole(answer.amount, 1);
  const created = instant(answer.createdAt);
  if (id === null || status === null || amount === null || created === null) return null;
  return {
    id,
    transaction_id: raw,
    amount,
    currency: currency(answer.currency),
    status,
    reason: text(answer.reason),
    strategy: oneOf(REFUND_STRATEGIES, answer.strategy),
    destination_key: null,
    fee: 0,
    failure_reason: text(answer.failureReason),
    end_to_end_id: endToEnd(answer.endToEndId),
    created_at: created,
    updated_at: created,
  };
}

/** Returns the row of a MED case as `/v1` shows it; null for an answer without a sound id, state, amount or instant. */
export function caseIn(raw: string, answer: AnyObject): MedCaseRow | null {
  const id = rawId(String(answer.id), ID_PREFIX.medCase, "");
  const status = oneOf(MED_STATUSES, answer.status);
  const amount = readWhole(answer.amount, 1);
  const opened = instant(answer.opened_at) ?? instant(answer.created_at);
  if (id === null || status === null || amount === null || opened === null) return null;
  return {
    id,
    book_id: 1,
    transaction_id: raw,
    type: oneOf(MED_TYPES, answer.type) ?? "med",
    status,
    amount,
    currency: currency(answer.currency),
    reason: text(answer.reason),
    method: "other",
    held: 0,
    response_deadline: instant(answer.response_deadline),
    evidence_requested_at: instant(answer.evidence_requested_at),
    appeal_reason: text(answer.appeal_reason),
    appealed_at: instant(answer.appealed_at),
    money_outcome: oneOf(MONEY_OUTCOMES, answer.money_outcome),
    withdrawn: 0,
    opened_at: opened,
    closed_at: instant(answer.closed_at),
    created_at: instant(answer.created_at) ?? opened,
    updated_at: instant(answer.updated_at) ?? opened,
  };
}

/** The row of an endpoint of which a host shows only the id. `created` is the instant of the charge. */
export function createHiddenEndpoint(id: string, created: number): Omit<EndpointRow, "previous_secret"> {
  return {
    // No real host can have this name.
    seq: 0,
    id,
    book_id: 1,
    url: "https://not-shown.invalid/",
    events: ",",
    secret: "0".repeat(64),
    status: "INACTIVE",
    origin: "api",
    private: 0,
    deleted_at: null,
    created_at: created,
    updated_at: created,
  };
}

export function endpointIn(created: number, answer: AnyObject): ReturnType<typeof createHiddenEndpoint> | null {
  const id = rawId(String(answer.id), ID_PREFIX.endpoint, "");
  const url = address(answer.url);
  if (id === null || url === null) return null;
  const given: readonly unknown[] = Array.isArray(answer.events) ? answer.events : [];
  const events = `,${EVENT_NAMES.filter((name) => given.includes(name))
    .map((name) => `${name},`)
    .join("")}`;
  const made = instant(answer.createdAt) ?? created;
  return { ...createHiddenEndpoint(id, made), url, events, updated_at: instant(answer.updatedAt) ?? made };
}

/** A delivery and its event, without their places among the others. */
export interface ShownDelivery {
  readonly delivery: DeliveryRow;
  readonly event: EventRow;
  /** The id of its endpoint, where it is shown. */
  readonly endpoint: string | null;
}

/**
 * The event has an id and an instant of its own in a canonical body alone. A legacy body does not name it: each delivery has one of
 * its own then.
 */
export function deliveryIn(raw: string, answer: AnyObject): ShownDelivery | null {
  const id = rawId(String(answer.id), ID_PREFIX.delivery, "");
  const type = oneOf(EVENT_NAMES, answer.eventType);
  const status = oneOf(DELIVERY_STATUSES, answer.status);
  const created = instant(answer.createdAt);
  const { payload } = answer;
  if (id === null || type === null || status === null || created === null || !isJsonObject(payload)) return null;
  const attempts = Math.min(readWhole(answer.attempts) ?? 0, 1_000);
  const code = readWhole(answer.lastStatusCode, 100);
  const object = inside(payload.data).object;
  const own = isJsonObject(object) ? payload : {};
  const data = isJsonObject(object) ? object : inside(payload.data);
  return {
    endpoint: rawId(String(answer.endpointId), ID_PREFIX.endpoint, ""),
    event: {
      seq: 0,
      id: rawId(String(own.id), ID_PREFIX.event) ?? id,
      book_id: 1,
      type,
      subject: rawId(String(data.id ?? ""), ID_PREFIX.medCase) ?? raw,
      data: JSON.stringify(data),
      created_at: instant(own.created_at) ?? created,
      history_seq: 1,
    },
    delivery: {
      seq: 0,
      id,
      book_id: 1,
      event_seq: 0,
      event_type: type,
      endpoint_seq: 0,
      target_url: null,
      status,
      attempts,
      max_attempts: readWhole(answer.maxAttempts) ?? attempts,
      parked: 0,
      next_attempt_at: instant(answer.nextRetryAt),
      last_status_code: code !== null && code <= 999 ? code : null,
      last_error: text(answer.lastError),
      last_response_body: text(answer.lastResponseBody),
      delivered_at: instant(answer.deliveredAt),
      history_seq: null,
      created_at: created,
      updated_at: instant(answer.updatedAt) ?? created,
    },
  };
}
