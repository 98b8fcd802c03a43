import { z } from "zod";
import { ID_PREFIX } from "../../kernel/ids.js";
import { IsoInstant } from "../../kernel/schemas.js";
import { iso, isoOrNull } from "../../kernel/time.js";
import { EVENT_NAMES, unpackEvents } from "./catalogue.js";
import { envelope } from "./envelope.js";
import { DELIVERY_STATUSES } from "./machine.js";
import type { DeliveryView, EndpointRow, EventRow } from "./store.js";

/**
 * Endpoints, deliveries and events as answers show them (docs/service/webhooks.md#endpoints,
 * docs/service/webhooks.md#deliveries).
 */

export const EventNameSchema = z.enum(EVENT_NAMES).meta({ id: "EventName" });
/** The events that an endpoint subscribes to. A name may occur twice, as in a list that a program puts together. */
export const Subscriptions = z
  .array(EventNameSchema)
  .min(1, "must name at least one event")
  .max(2 * EVENT_NAMES.length)
  .meta({ description: "What it is sent; the event catalogue describes each" });
export const EndpointStatusSchema = z.enum(["ACTIVE", "INACTIVE"]);

export const EndpointAnswer = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(EventNameSchema),
    status: EndpointStatusSchema,
  })
  .meta({ id: "WebhookEndpoint" });
export const EndpointListed = EndpointAnswer.extend({ createdAt: IsoInstant, updatedAt: IsoInstant });
export const EndpointWithSecret = EndpointAnswer.extend({ secret: z.string().regex(/^[0-9a-f]{64}$/) });

type EndpointCore = Pick<EndpointRow, "id" | "url" | "events" | "status">;

export function toEndpoint(row: EndpointCore): z.input<typeof EndpointAnswer> {
  return { id: ID_PREFIX.endpoint + row.id, url: row.url, events: unpackEvents(row.events), status: row.status };
}

export function toListedEndpoint(row: EndpointRow): z.input<typeof EndpointListed> {
  return { ...toEndpoint(row), createdAt: iso(row.created_at), updatedAt: iso(row.updated_at) };
}

export const Delivery = z
  .object({
    id: z.string(),
    endpointId: z.string().nullable(),
    eventType: EventNameSchema,
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.int(),
    maxAttempts: z.int(),
    lastStatusCode: z.int().nullable(),
    lastError: z.string().nullable(),
    lastResponseBody: z.string().optional(),
    nextRetryAt: IsoInstant.nullable(),
    deliveredAt: IsoInstant.nullable(),
    createdAt: IsoInstant,
    updatedAt: IsoInstant,
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "WebhookDelivery" });

export function toDelivery(row: DeliveryView): z.input<typeof Delivery> {
  return {
    id: ID_PREFIX.delivery + row.id,
    endpointId: row.endpoint_private === 1 ? null : ID_PREFIX.endpoint + row.endpoint_id,
    eventType: row.type,
    status: row.status,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    lastStatusCode: row.last_status_code,
    lastError: row.last_error,
    ...(row.last_response_body === null ? {} : { lastResponseBody: row.last_response_body }),
    nextRetryAt: isoOrNull(row.status === "PENDING" && row.attempts > 0 ? row.next_attempt_at : null),
    deliveredAt: isoOrNull(row.delivered_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    payload: payloadOf({ id: row.event_id, type: row.type, data: row.data, created_at: row.event_created_at }),
  };
}

function payloadOf(event: Parameters<typeof envelope>[0]): Record<string, unknown> {
  return JSON.parse(envelope(event)) as Record<string, unknown>;
}

/** An event in the emulator's own log, with its envelope as it was or would be sent. */
export const LoggedEvent = z
  .object({
    id: z.string(),
    type: EventNameSchema,
    subject: z.string(),
    created_at: IsoInstant,
    payload: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "LoggedEvent" });

export function toLoggedEvent(row: EventRow): z.input<typeof LoggedEvent> {
  return {
    id: ID_PREFIX.event + row.id,
    type: row.type,
    subject: row.subject,
    created_at: iso(row.created_at),
    payload: payloadOf(row),
  };
}
