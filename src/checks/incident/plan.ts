import { attemptErrorOf, readError } from "../../base/kernel/attempt-errors.js";
import { ID_PREFIX, rawId } from "../../base/kernel/ids.js";
import type { StoryRows } from "../../service/features/timeline/story.js";
import type { StoredAttempt } from "../../service/features/webhooks/attempt-store.js";
import { chaosKinds } from "../../service/features/webhooks/chaos.js";
import type { DeliveryRow, EndpointRow, EventRow } from "../../service/features/webhooks/store.js";
import { IncidentError } from "./incident-error.js";

/** Selects and orders the webhooks of a replay. The rows were checked before. */

/** One sending of one delivery, as it happened. */
export interface Sending {
  readonly event: EventRow;
  readonly delivery: DeliveryRow;
  readonly attempt: StoredAttempt;
  /** Milliseconds after the first one. */
  readonly after: number;
  /** True for the second sending of a delivery that arrived, and was sent once more. */
  readonly isRepeated: boolean;
  readonly then: { readonly status_code: number | null; readonly error: string | null };
}

export interface Plan {
  readonly endpoint: EndpointRow | null;
  readonly sendings: readonly Sending[];
}

type WebhookRows = {
  readonly endpoints: readonly EndpointRow[];
  readonly events: readonly EventRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly delivery_attempts: readonly StoredAttempt[];
};

/** The deliveries of an endpoint. A resend to another address was not sent to it. */
function ofEndpoint({ deliveries, delivery_attempts: attempts }: WebhookRows, { seq }: EndpointRow) {
  const own = new Map(
    deliveries.filter((one) => one.endpoint_seq === seq && one.target_url === null).map((one) => [one.seq, one]),
  );
  return { own, attempts: attempts.filter(({ delivery_seq }) => own.has(delivery_seq)) };
}

export const endpointId = ({ id, origin }: EndpointRow) =>
  (origin === "collector" ? ID_PREFIX.collector : ID_PREFIX.endpoint) + id;

/** Returns the endpoint with this name, else the one with the most attempts, and of two the older one. */
function chosen(rows: WebhookRows, named: string | undefined): EndpointRow | null {
  if (named === undefined) {
    const counted = rows.endpoints.map((endpoint) => ({ endpoint, count: ofEndpoint(rows, endpoint).attempts.length }));
    counted.sort((one, other) => other.count - one.count || one.endpoint.seq - other.endpoint.seq);
    return counted[0]?.endpoint ?? null;
  }
  const raw = rawId(named, ID_PREFIX.endpoint, ID_PREFIX.collector, "");
  const found = rows.endpoints.find(({ id }) => id === raw);
  if (found !== undefined) return found;
  const known = rows.endpoints.map(endpointId).join(", ");
  const hint = known === "" ? "It has none at all." : `It has ${known}.`;
  throw new IncidentError("usage", `The file has no endpoint ${named}.`, hint);
}

/** The webhooks of one endpoint in the order in which they were sent. Throws IncidentError for an unknown endpoint. */
export function planOf(given: StoryRows, named: string | undefined): Plan {
  const empty: WebhookRows = { endpoints: [], events: [], deliveries: [], delivery_attempts: [] };
  const rows = { ...empty, ...(given as Partial<WebhookRows>) };
  const endpoint = chosen(rows, named);
  if (endpoint === null) return { endpoint, sendings: [] };
  const events = new Map(rows.events.map((event) => [event.seq, event]));
  const { own, attempts } = ofEndpoint(rows, endpoint);
  const inOrder = attempts.sort((one, other) => one.sent_at - other.sent_at || one.seq - other.seq);
  const begin = inOrder[0]?.sent_at ?? 0;
  const sendings = inOrder.flatMap((attempt): Sending[] => {
    const delivery = own.get(attempt.delivery_seq);
    const event = delivery && events.get(delivery.event_seq);
    if (delivery === undefined || event === undefined) return [];
    const then = { status_code: attempt.status_code, error: attemptErrorOf(readError(attempt.error)).error };
    const once = { event, delivery, attempt, after: attempt.sent_at - begin, isRepeated: false, then };
    return chaosKinds(attempt.chaos).includes("duplicate") ? [once, { ...once, isRepeated: true }] : [once];
  });
  return { endpoint, sendings };
}
