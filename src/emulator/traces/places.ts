import { hash } from "node:crypto";
import { keptPlace, type SpanPlace } from "../../base/kernel/trace-context.js";
import type { HistoryRow, HistoryStore } from "../../service/features/history/store.js";
import type { DeliveryView, WebhookStore } from "../../service/features/webhooks/store.js";

/**
 * Where an event, a delivery and an attempt stand in a trace. Their spans are hashes of their ids, and the history says which
 * request they come from: so a parent is known without having been remembered, also after a restart.
 */

/** A span with its parent, and the flags of the caller's traceparent; null when no caller began the trace. */
export interface Place extends SpanPlace {
  readonly parent: string | null;
  readonly flags: string | null;
}

export interface PlaceStores {
  readonly history: Pick<HistoryStore, "bySeq">;
  readonly webhooks: Pick<WebhookStore, "event" | "delivery">;
}

function digits(text: string, count: number): string {
  return hash("sha256", text, "hex").slice(0, count);
}

const spanOf = (noun: string, id: string) => digits(`${noun} ${id}`, 16);

/** The change behind all others: what a request, a page or the service itself did. */
function origin(history: PlaceStores["history"], seq: number): HistoryRow | null {
  const row = history.bySeq(seq);
  return row === null || row.request !== null || row.parent === null ? row : origin(history, row.parent);
}

/** The place of what came from a change: below the request behind it, or at the beginning of a trace of its own. */
function below(history: PlaceStores["history"], seq: number, spanId: string): Place {
  const first = origin(history, seq);
  if (first?.trace) {
    const { traceId, spanId: parent, flags } = keptPlace(first.trace);
    return { traceId, spanId, parent, flags };
  }
  return { traceId: digits(`trace ${first?.subject} ${first?.seq}`, 32), spanId, parent: null, flags: null };
}

export function eventPlace(
  { history }: PlaceStores,
  event: { readonly id: string; readonly history_seq: number },
): Place {
  return below(history, event.history_seq, spanOf("event", event.id));
}

type Delivery = Pick<DeliveryView, "id" | "event_seq" | "history_seq">;

/** Below its event; a resend, below the request that asked for it. */
export function deliveryPlace(stores: PlaceStores, { id, event_seq, history_seq }: Delivery): Place | null {
  const spanId = spanOf("delivery", id);
  if (history_seq !== null) return below(stores.history, history_seq, spanId);
  const event = stores.webhooks.event(event_seq);
  if (event === null) return null;
  const place = eventPlace(stores, event);
  return { ...place, spanId, parent: place.spanId };
}

interface AttemptKey {
  readonly bookId: number;
  readonly id: string;
  readonly attempt: number;
  readonly isCopy: boolean;
}

/** `isCopy`: what chaos sends twice is two spans. */
export function attemptPlace(stores: PlaceStores, { bookId, id, attempt, isCopy }: AttemptKey): Place | null {
  const delivery = stores.webhooks.delivery(bookId, id);
  const place = delivery === null ? null : deliveryPlace(stores, delivery);
  if (place === null) return null;
  return { ...place, spanId: spanOf("attempt", `${id} ${attempt}${isCopy ? " again" : ""}`), parent: place.spanId };
}
