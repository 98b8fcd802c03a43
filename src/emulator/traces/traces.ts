import type { Subscribable } from "../../base/kernel/feed.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Log, Random, RealTime } from "../../base/kernel/runtime.js";
import { withoutSecrets } from "../../base/kernel/secrets.js";
import { iso } from "../../base/kernel/time.js";
import { type RequestTrace, readTraceparent, traceparent } from "../../base/kernel/trace-context.js";
import { VERSION } from "../../base/platform/version.js";
import type { Attempt } from "../../service/delivery/attempt.js";
import type { Transport } from "../../service/delivery/transport.js";
import type { KeptRequest } from "../../service/features/requests/logged-request.js";
import type { ClaimedDelivery, DeliveryView, WebhookStore } from "../../service/features/webhooks/store.js";
import { Exporter } from "./exporter.js";
import { attemptPlace, deliveryPlace, eventPlace, type PlaceStores } from "./places.js";
import { type SpanFacts, spanOf } from "./span.js";

/**
 * `serve --otlp`: spans of requests, events, deliveries and attempts for a collector of OpenTelemetry
 * (docs/decisions/044-history-and-timelines.md). They stand at real instants, as the spans of the application beside them do.
 */

interface TraceParts {
  readonly url: string;
  readonly real: RealTime;
  readonly log: Log;
  /** Ids that no seed decides. */
  readonly random: Random;
  readonly transport: Pick<Transport, "post" | "close">;
  readonly stores: PlaceStores & { readonly webhooks: Pick<WebhookStore, "deliveriesOf"> };
  readonly feeds: {
    readonly requests: Subscribable<KeptRequest>;
    readonly eventWritten: Subscribable<number>;
    readonly attempts: Subscribable<Attempt>;
  };
}

/** The address of a receiver without its query and its credentials, which may be secret. */
function bareUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : "";
}

const isFailure = (status: number | null) => status === null || status < 200 || status >= 300;

export class Traces {
  readonly #parts: TraceParts;
  readonly #exporter: Exporter;

  constructor(parts: TraceParts) {
    this.#parts = parts;
    this.#exporter = new Exporter({ ...parts, version: VERSION });
  }

  start(): void {
    const { requests, eventWritten, attempts } = this.#parts.feeds;
    requests.subscribe((entry) => this.#requestEnded(entry));
    eventWritten.subscribe((seq) => this.#eventWritten(seq));
    attempts.subscribe((attempt) => this.#attemptEnded(attempt));
  }

  stop(): Promise<void> {
    return this.#exporter.stop();
  }

  /** The place of a request that arrives. A request outside `/v1` is no span, and only passes on the trace of its caller. */
  begin(given: string | undefined, isSpan: boolean): RequestTrace | null {
    const { random } = this.#parts;
    const caller = readTraceparent(given);
    if (caller === null && !isSpan) return null;
    const traceId = caller?.traceId ?? random.hex(16);
    const span = { traceId, spanId: isSpan || caller === null ? random.hex(8) : caller.spanId };
    const kept = caller === null ? `${traceId}-${span.spanId}` : traceparent(span, caller.flags);
    return { span, parent: caller?.spanId ?? null, kept };
  }

  /** The header of an attempt; null unless the request behind it came with one. */
  traceparent({ book_id, id, attempts }: ClaimedDelivery, isCopy: boolean): string | null {
    const place = attemptPlace(this.#parts.stores, { bookId: book_id, id, attempt: attempts + 1, isCopy });
    return place === null || place.flags === null ? null : traceparent(place, place.flags);
  }

  #add(facts: Omit<SpanFacts, "endedAt" | "durationMs" | "failure"> & Partial<SpanFacts>): void {
    this.#exporter.add(spanOf({ endedAt: this.#parts.real.epoch(), durationMs: 0, failure: null, ...facts }));
  }

  #requestEnded({ trace, method, route, path, status, durationMs, id, subject, error, at }: KeptRequest): void {
    if (trace === null) return;
    // The route of an unknown path is that path, in which a client may have put a key.
    const shownRoute = withoutSecrets(route);
    const attributes = {
      "http.request.method": method,
      "http.route": shownRoute,
      "url.path": withoutSecrets(path.replace(/\?.*/s, "")),
      "http.response.status_code": status === 0 ? null : status,
      "error.type": error?.code ?? null,
      "qa_pay.request.id": id,
      "qa_pay.subject": subject,
      "qa_pay.time": iso(at),
    };
    const failure = status === 0 || status >= 500 ? (error?.code ?? "no answer") : null;
    const place = { ...trace.span, parent: trace.parent };
    this.#add({ place, name: `${method} ${shownRoute}`, kind: "server", durationMs, attributes, failure });
  }

  #eventWritten(seq: number): void {
    const { stores } = this.#parts;
    const event = stores.webhooks.event(seq);
    if (event === null) return;
    const { type, id, subject, created_at: at } = event;
    const attributes = {
      "qa_pay.event.id": ID_PREFIX.event + id,
      "qa_pay.event.type": type,
      "qa_pay.subject": subject,
      "qa_pay.time": iso(at),
    };
    this.#add({ place: eventPlace(stores, event), name: type, kind: "internal", attributes });
    for (const delivery of stores.webhooks.deliveriesOf(seq)) {
      if (delivery.history_seq === null) this.#startDelivery(delivery);
    }
  }

  #startDelivery(delivery: DeliveryView): void {
    const { id, event_id, type, url: to, created_at: at } = delivery;
    const place = deliveryPlace(this.#parts.stores, delivery);
    if (place === null) return;
    const attributes = {
      "qa_pay.delivery.id": ID_PREFIX.delivery + id,
      "qa_pay.event.id": ID_PREFIX.event + event_id,
      "url.full": bareUrl(to),
      "qa_pay.time": iso(at),
    };
    this.#add({ place, name: `delivery ${type}`, kind: "producer", attributes });
  }

  #attemptEnded(ended: Attempt): void {
    const { bookId, attempt, chaos, type, statusCode, error, durationMs, status, deliveryId } = ended;
    const { stores } = this.#parts;
    const id = deliveryId.slice(ID_PREFIX.delivery.length);
    const isCopy = chaos.includes("duplicate");
    const place = attemptPlace(stores, { bookId, id, attempt, isCopy });
    const delivery = stores.webhooks.delivery(bookId, id);
    if (place === null || delivery === null) return;
    // A delivery that is sent again has no new event.
    if (attempt === 1 && !isCopy && delivery.history_seq !== null) this.#startDelivery(delivery);
    const attributes = {
      "http.request.method": "POST",
      "url.full": bareUrl(ended.url),
      "http.response.status_code": statusCode,
      "http.request.resend_count": attempt === 1 ? null : attempt - 1,
      "qa_pay.delivery.id": deliveryId,
      "qa_pay.event.id": ended.eventId,
      "qa_pay.delivery.status": status,
      "qa_pay.chaos": chaos.length === 0 ? null : chaos.join(","),
    };
    const failure = isFailure(statusCode) ? (error ?? "no answer") : null;
    this.#add({ place, name: `attempt ${attempt} ${type}`, kind: "client", durationMs, attributes, failure });
  }
}
