import { ApiError } from "../../../base/kernel/errors.js";
import type { AccountRow } from "../access/store.js";
import { record } from "../history/actions.js";
import type { Tx } from "../tx.js";
import { type EventName, familyOf, packEvents } from "./catalogue.js";
import { deliveryMachine, type EndpointStatus } from "./machine.js";
import type { DeliveryView, EndpointRow, NewEndpoint } from "./store.js";

export { WebhookUrl } from "./resource.js";

export interface NewEvent {
  readonly bookId: number;
  readonly type: EventName;
  readonly subject: string;
  /** JSON text of the object, for the envelope. */
  readonly data: string;
  /** The `seq` in the history of the change that this row reports. */
  readonly history: number;
  /** The `webhookUrl` of a payment, which receives the legacy events instead of the registered endpoints. */
  readonly target?: string | null;
}

/** Writes an event with its deliveries in the unit of work that it reports (an outbox). Returns the event's `seq`. */
export function publish(tx: Tx, event: NewEvent): number {
  const seq = tx.webhooks.insertEvent({
    id: tx.ids.next(),
    book_id: event.bookId,
    type: event.type,
    subject: event.subject,
    data: event.data,
    history_seq: event.history,
    created_at: tx.now,
  });
  const endpoints = receivers(tx, event);
  const { bookId, type } = event;
  for (const endpoint of endpoints) enqueue(tx, { bookId, type, eventSeq: seq, endpointSeq: endpoint });
  if (endpoints.length > 0) tx.notify.delivery(tx.now);
  tx.notify.event(seq);
  return seq;
}

function receivers(tx: Tx, { bookId, type, target }: Pick<NewEvent, "bookId" | "type" | "target">): readonly number[] {
  if (target === undefined || target === null) return tx.webhooks.subscribers(bookId, type);
  return familyOf(type) === "legacy" ? [privateEndpoint(tx, bookId, target)] : [];
}

function accountOf(tx: Tx, bookId: number): AccountRow {
  const account = tx.accounts.byBook(bookId);
  if (account === null) throw new Error(`book ${bookId} has no account`);
  return account;
}

/** The endpoint behind the webhookUrl of payments. No route shows it; it signs with the secret of the account. */
function privateEndpoint(tx: Tx, bookId: number, url: string): number {
  const known = tx.webhooks.privateEndpoint(bookId, url);
  if (known !== null) return known.seq;
  return tx.webhooks.insertEndpoint({
    id: tx.ids.next(),
    book_id: bookId,
    url,
    events: ",",
    secret: accountOf(tx, bookId).signing_secret,
    status: "ACTIVE",
    origin: "api",
    private: 1,
    created_at: tx.now,
    updated_at: tx.now,
  });
}

interface RepublishInput {
  readonly bookId: number;
  readonly subject: string;
  readonly types: readonly EventName[];
  readonly target: string | null;
}

/** Sends the newest event of each type again, under its id. Returns the number of deliveries. */
export function republish(tx: Tx, { bookId, subject, types, target }: RepublishInput): number {
  const copies = types.flatMap((type) => {
    const eventSeq = tx.webhooks.lastEvent(subject, type)?.seq;
    if (eventSeq === undefined) return [];
    return receivers(tx, { bookId, type, target }).map((endpointSeq) => ({ bookId, type, eventSeq, endpointSeq }));
  });
  if (copies.length === 0) return 0;
  const history = record(tx, { book_id: bookId, noun: "transaction", subject, move: "resend_webhook" });
  for (const copy of copies) enqueue(tx, copy, { history });
  tx.notify.delivery(tx.now);
  return copies.length;
}

interface Again {
  /** The `seq` of the resend in the history. */
  readonly history: number;
  readonly parked?: boolean;
  readonly targetUrl?: string | null;
}

interface NewDelivery {
  readonly bookId: number;
  readonly type: EventName;
  readonly eventSeq: number;
  readonly endpointSeq: number;
}

/** Writes a delivery. The caller notifies the worker, once for all its deliveries. */
function enqueue(tx: Tx, { bookId, type, eventSeq, endpointSeq }: NewDelivery, again?: Again): string {
  const id = tx.ids.next();
  tx.webhooks.insertDelivery({
    id,
    book_id: bookId,
    event_seq: eventSeq,
    event_type: type,
    endpoint_seq: endpointSeq,
    target_url: again?.targetUrl ?? null,
    status: deliveryMachine.initial.state,
    attempts: 0,
    max_attempts: tx.settings.maxAttempts,
    next_attempt_at: tx.now,
    parked: again?.parked === true ? 1 : 0,
    history_seq: again?.history ?? null,
    created_at: tx.now,
    updated_at: tx.now,
  });
  return id;
}

export interface EndpointInput {
  readonly url: string;
  readonly events: readonly EventName[];
  readonly origin: EndpointRow["origin"];
}

/** Registers an endpoint with a new secret of 64 characters. The forward target has the secret of its account. */
export function registerEndpoint(tx: Tx, bookId: number, input: EndpointInput): NewEndpoint {
  const row = {
    id: tx.ids.next(),
    book_id: bookId,
    url: input.url,
    events: packEvents(input.events),
    secret: input.origin === "forward" ? accountOf(tx, bookId).signing_secret : tx.random.hex(32),
    status: "ACTIVE",
    origin: input.origin,
    private: 0,
    created_at: tx.now,
    updated_at: tx.now,
  } as const;
  tx.webhooks.insertEndpoint(row);
  return row;
}

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly events?: readonly EventName[] | undefined;
  readonly status?: EndpointStatus | undefined;
}

/** Changes an endpoint. While it is INACTIVE its pending deliveries wait; once ACTIVE, those that are due are sent. */
export function changeEndpoint(tx: Tx, endpoint: EndpointRow, change: EndpointChange): EndpointRow {
  const next: EndpointRow = {
    ...endpoint,
    url: change.url ?? endpoint.url,
    events: change.events === undefined ? endpoint.events : packEvents(change.events),
    status: change.status ?? endpoint.status,
    updated_at: tx.now,
  };
  tx.webhooks.changeEndpoint(next.url, next.events, next.status, next.updated_at, next.seq);
  if (next.status !== endpoint.status) {
    tx.webhooks.parkDeliveries(next.status === "INACTIVE" ? 1 : 0, next.seq);
    const dueAt = tx.webhooks.nextDelivery()?.due_at ?? null;
    if (dueAt !== null) tx.notify.delivery(dueAt);
  }
  return next;
}

/** Replaces the secret at once: every later attempt is signed with the new one, retries included. */
export function rotateSecret(tx: Tx, endpoint: EndpointRow): string {
  const secret = tx.random.hex(32);
  if (endpoint.origin === "forward") changeSigningSecret(tx, accountOf(tx, endpoint.book_id).id, secret);
  else tx.webhooks.changeSecret(secret, tx.now, endpoint.seq);
  return secret;
}

/** Changes the secret of an account, and of all endpoints that sign with it. */
export function changeSigningSecret(tx: Tx, accountId: string, secret: string): void {
  tx.accounts.changeSigningSecret(secret, accountId);
  tx.webhooks.changeAccountSecret(secret, tx.now, secret, accountId);
}

export function deleteEndpoint(tx: Tx, endpoint: EndpointRow): void {
  tx.webhooks.removeEndpoint(tx.now, tx.now, endpoint.seq);
  tx.webhooks.cancelDeliveries(tx.now, endpoint.seq);
}

/**
 * Sends the event of a delivery again, as a new delivery: to `url`, or else to the same address. With a URL of its own
 * it is sent in any state of the endpoint, whose secret signs it. Without one, a deleted endpoint is answered with 404.
 */
export function resendDelivery(tx: Tx, delivery: DeliveryView, url?: string): DeliveryView {
  const targetUrl = url ?? delivery.target_url;
  const endpoint = tx.webhooks.endpointOfDelivery(delivery.book_id, delivery.endpoint_id);
  if (endpoint === null && targetUrl === null) {
    throw new ApiError("not_found", {
      message: "The endpoint of this delivery is deleted. Send the event to another address with url.",
    });
  }
  const parked = endpoint?.status === "INACTIVE" && targetUrl === null;
  const { book_id, event_seq, type, endpoint_seq } = delivery;
  const history = record(tx, { book_id, noun: "delivery", subject: delivery.id, move: "resend" });
  const again = { bookId: book_id, type, eventSeq: event_seq, endpointSeq: endpoint_seq };
  const id = enqueue(tx, again, { history, parked, targetUrl });
  tx.notify.delivery(tx.now);
  const created = tx.webhooks.delivery(delivery.book_id, id);
  if (created === null) throw new Error(`delivery ${id} vanished inside its own unit of work`);
  return created;
}
