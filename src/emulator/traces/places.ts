import { hash } from "node:crypto";
import { readStoredPlace, type SpanPlace } from "../../base/kernel/trace-context.js";
import type { HistoryRow, HistoryStore } from "../../service/features/history/store.js";
import type { DeliveryView, WebhookStore } from "../../service/features/webhooks/store.js";

/**
 * The places of events, deliveries and attempts in a trace. Their span ids are hashes of their ids, and the history names the
 * request behind them. So a parent is known without being remembered, also after a restart.
 */

/** A span with its parent, and the flags of the caller's traceparent; null when no caller began the trace. */
export interface TracePlace extends SpanPlace {
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

/** The first change in a chain: by a request, a page or the service itself. */
function origin(history: PlaceStores["history"], seq: number): HistoryRow | null {
  const row = history.bySeq(seq);
  return row === null || row.request !== null || row.parent === null ? row : origin(history, row.parent);
}

/** The place of an effect of a change: below the request behind it, or at the beginning of a trace of its own. */
function below(history: PlaceStores["history"], seq: number, spanId: string): TracePlace {
  const first = origin(history, seq);
  if (first?.trace) {
    const { traceId, spanId: parent, flags } = readStoredPlace(first.trace);
    return { traceId, spanId, parent, flags };
  }
  return { traceId: digits(`trace ${first?.subject} ${first?.seq}`, 32), spanId, parent: null, flags: null };
}

export function eventPlace(
  { history }: PlaceStores,
  event: { readonly id: string; readonly history_seq: number },
): TracePlace {
  return below(history, event.history_seq, spanOf("event", event.id));
}

type Delivery = Pick<DeliveryView, "id" | "event_seq" | "history_seq">;

/** The place of a delivery: below its event, and for a resend below its request. */
export function deliveryPlace(stores: PlaceStores, { id, event_seq, history_seq }: Delivery): TracePlace | null {
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

/** `isCopy`: an attempt that chaos sends twice has two spans. */
export function attemptPlace(stores: PlaceStores, { bookId, id, attempt, isCopy }: AttemptKey): TracePlace | null {
  const delivery = stores.webhooks.delivery(bookId, id);
  const place = delivery === null ? null : deliveryPlace(stores, delivery);
  if (place === null) return null;
  return { ...place, spanId: spanOf("attempt", `${id} ${attempt}${isCopy ? " again" : ""}`), parent: place.spanId };
}
