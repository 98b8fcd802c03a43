import * as z from "zod";
import { ATTEMPT_ERRORS, attemptErrorOf, readError } from "../../../base/kernel/attempt-errors.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { parseObject } from "../../../base/kernel/json.js";
import { namesOf } from "../../../base/kernel/names.js";
import { IsoInstant, idFilter, TextParams } from "../../../base/kernel/schemas.js";
import { iso, isoOrNull } from "../../../base/kernel/time.js";
import { MAX_URL } from "../../../base/kernel/webhook-url.js";
import type { AttemptRow } from "./attempt-store.js";
import { EVENT_NAMES, subjectId, unpackEvents } from "./catalogue.js";
import { CHAOS_KINDS, changeBody, chaosKinds } from "./chaos.js";
import { buildHeaders, envelope } from "./envelope.js";
import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from "./machine.js";
import type { DeliveryView, EndpointRow, EventRow } from "./store.js";

/** Endpoints, deliveries, events in answers (docs/service/webhooks.md#endpoints, docs/service/webhooks.md#deliveries). */

export const EventNameSchema = z.enum(EVENT_NAMES).meta({ id: "EventName" });
/** The events to which an endpoint subscribes. A name may occur twice, as in a list that a program creates. */
export const Subscriptions = z
  .array(EventNameSchema)
  .min(1, "must name at least one event")
  .max(2 * EVENT_NAMES.length)
  .describe("Events to send; the event catalogue describes each");
/** The address of a webhook in a body. `checkWebhookUrl` checks it. */
export const WebhookUrl = z.string().meta({ format: "uri", maxLength: MAX_URL });
export const EndpointStatusSchema = z.enum(ENDPOINT_STATUSES);

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

export function toEndpoint(row: Pick<EndpointRow, "id" | "url" | "events" | "status">): z.input<typeof EndpointAnswer> {
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
    lastError: attemptErrorOf(readError(row.last_error)).error,
    ...(row.last_response_body === null ? {} : { lastResponseBody: row.last_response_body }),
    nextRetryAt: isoOrNull(row.status === "PENDING" && row.attempts > 0 ? row.next_attempt_at : null),
    deliveredAt: isoOrNull(row.delivered_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
    payload: parseObject(envelopeOf(row)),
  };
}

/** Beside the text of an error, for programs that show it in another language. */
export const AttemptErrorMembers = {
  error_code: z
    .enum(namesOf(ATTEMPT_ERRORS))
    .nullable()
    .describe("Which error it is; null without an error, and where a network says it"),
  error_params: TextParams.nullable(),
};

/** A delivery as the control interface shows it: with the object of its event, and its address. */
export const LoggedDelivery = Delivery.extend({
  subject: z.string().describe("Id of the object that the event is about"),
  url: z.string().describe("Where it is sent"),
  lastErrorCode: AttemptErrorMembers.error_code,
  lastErrorParams: AttemptErrorMembers.error_params,
}).meta({ id: "LoggedDelivery" });

export function toLoggedDelivery(row: DeliveryView): z.input<typeof LoggedDelivery> {
  const { error_code: lastErrorCode, error_params: lastErrorParams } = attemptErrorOf(readError(row.last_error));
  const subject = subjectId(row.type, row.subject);
  return { ...toDelivery(row), subject, url: row.url, lastErrorCode, lastErrorParams };
}

const Headers = z.record(z.string(), z.string());

/** One attempt that has ended, with its request and answer exactly as they were sent. */
const LoggedAttempt = z
  .object({
    number: z.int(),
    at: IsoInstant,
    duration_ms: z.int(),
    request: z.object({ url: z.string(), headers: Headers, body: z.string() }),
    response: z
      .object({ status: z.int(), headers: Headers, body: z.string() })
      .nullable()
      .describe("As far as it is kept: 2 KB of headers and 4 KB of the body; null without an answer"),
    error: z.string().nullable().describe("Why it failed"),
    ...AttemptErrorMembers,
    chaos: z.array(z.enum(CHAOS_KINDS)).describe("The chaos that was applied to it"),
  })
  .meta({ id: "LoggedAttempt" });

export const DeliveryWithAttempts = LoggedDelivery.extend({ attempts_log: z.array(LoggedAttempt) }).meta({
  id: "DeliveryWithAttempts",
});

export function toDeliveryWithAttempts(
  row: DeliveryView,
  attempts: readonly AttemptRow[],
): z.input<typeof DeliveryWithAttempts> {
  const body = envelopeOf(row);
  return { ...toLoggedDelivery(row), attempts_log: attempts.map((attempt) => toLoggedAttempt(row, attempt, body)) };
}

/** The headers of an answer. A file of another program may have lists of texts. */
function headersIn(stored: string): Record<string, string> {
  return Object.fromEntries(Object.entries(parseObject(stored)).map(([name, value]) => [name, String(value)]));
}

/** Returns an attempt with its request recreated byte for byte, with the changes that chaos made to it. */
export function toLoggedAttempt(
  delivery: DeliveryView,
  row: AttemptRow,
  envelope = envelopeOf(delivery),
): z.input<typeof LoggedAttempt> {
  const { url, signature, user_agent: userAgent } = row;
  const parts = { url, signature, userAgent, deliveryId: ID_PREFIX.delivery + delivery.id, type: delivery.type };
  const chaos = chaosKinds(row.chaos);
  const body = changeBody(envelope, chaos);
  return {
    number: row.attempt,
    at: iso(row.sent_at),
    duration_ms: row.duration_ms,
    request: { url, headers: buildHeaders(parts, body), body },
    response:
      row.status_code === null
        ? null
        : { status: row.status_code, headers: headersIn(row.headers ?? "{}"), body: row.body ?? "" },
    ...attemptErrorOf(readError(row.error)),
    chaos: CHAOS_KINDS.filter((kind) => chaos.includes(kind)),
  };
}

function envelopeOf({ event_id: id, type, data, event_created_at }: DeliveryView): string {
  return envelope({ id, type, data, created_at: event_created_at });
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
    payload: parseObject(envelope(row)),
  };
}

/** An event in the list, with the state of its deliveries. */
export const ListedEvent = LoggedEvent.extend({
  deliveries: z.object({
    endpoints: z.int().describe("To how many addresses it is sent; deleted endpoints do not count"),
    arrived: z.int().describe("How many of them have it"),
    missing: LoggedDelivery.omit({ payload: true, lastResponseBody: true })
      .nullable()
      .describe(
        "A delivery that has not arrived, first of all one that was tried and has attempts left; null without any",
      ),
  }),
}).meta({ id: "ListedEvent" });

/** `deliveries` are those of all events of the page, one for each event and address. */
export function toListedEvent(row: EventRow, deliveries: readonly DeliveryView[]): z.input<typeof ListedEvent> {
  const own = deliveries.filter(({ event_seq }) => event_seq === row.seq);
  const missing = own.filter(({ status }) => status !== "DELIVERED");
  const tried = missing.filter(({ attempts }) => attempts > 0);
  const shown = tried.find(({ status }) => status !== "FAILED") ?? tried[0] ?? missing[0];
  const counts = { endpoints: own.length, arrived: own.length - missing.length };
  if (shown === undefined) return { ...toLoggedEvent(row), deliveries: { ...counts, missing: null } };
  const { payload: _payload, lastResponseBody: _body, ...delivery } = toLoggedDelivery(shown);
  return { ...toLoggedEvent(row), deliveries: { ...counts, missing: delivery } };
}

export const EventSubject = idFilter(
  "a charge, payment, payout or MED case",
  ID_PREFIX.charge,
  ID_PREFIX.transaction,
  ID_PREFIX.payout,
  ID_PREFIX.medCase,
  "",
);
