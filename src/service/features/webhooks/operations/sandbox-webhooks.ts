import * as z from "zod";
import { cursorPage, PAGE_QUERY, page, rowAt } from "../../../../base/kernel/cursor-page.js";
import { rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { idFilter } from "../../../../base/kernel/schemas.js";
import { checkWebhookUrl } from "../../../../base/kernel/webhook-url.js";
import { defineOperation } from "../../operation.js";
import type { Stores } from "../../tx.js";
import { resendDelivery, WebhookUrl } from "../actions.js";
import { DELIVERY_STATUSES } from "../machine.js";
import {
  Delivery,
  DeliveryWithAttempts,
  EventNameSchema,
  EventSubject,
  ListedEvent,
  LoggedDelivery,
  LoggedEvent,
  toDelivery,
  toDeliveryWithAttempts,
  toListedEvent,
  toLoggedDelivery,
  toLoggedEvent,
} from "../resource.js";
import type { DeliveryView } from "../store.js";
import { findEndpoint } from "./endpoints.js";

/** Deliveries of webhooks with requests and answers, by attempt (docs/decisions/040-fair-deliveries.md). */

function findDelivery(stores: Stores, bookId: number, id: string): DeliveryView {
  return rowById("delivery", id, (raw) => stores.webhooks.delivery(bookId, raw));
}

export const sandboxDeliveries = defineOperation({
  id: "sandbox.deliveries.list",
  route: "GET /_sandbox/webhooks/deliveries",
  summary: "List webhook deliveries with what they are about",
  description:
    "Lists the deliveries of the key's account and mode, newest first, with the object that the event is about and the " +
    "URL. `subject` takes the id of a charge, payment, payout or MED case and finds the deliveries of its events. An " +
    "unknown parameter, status or event, an id that is none of its kind and a cursor that is none of your deliveries " +
    "are refused. It changes nothing.",
  query: z.strictObject({
    ...PAGE_QUERY,
    subject: EventSubject.optional().describe("Id of the object the event is about"),
    event_type: EventNameSchema.optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    endpoint: idFilter("a webhook endpoint: we_…", ID_PREFIX.endpoint, "").optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(LoggedDelivery) },
  cli: {
    examples: [
      "qa-pay sandbox deliveries list --status FAILED",
      "qa-pay sandbox deliveries list --subject ch_0198… --event-type charge.paid --json",
    ],
    columns: [
      "id as Delivery, eventType as Event, subject as About, status, attempts, lastStatusCode as Last",
      "nextRetryAt as Next try, url as To",
    ],
  },
}).read(({ caller, query }, { webhooks }) => {
  const { limit, after, subject, event_type: type, status, endpoint } = query;
  const before = rowAt(after, [ID_PREFIX.delivery, ""], (id) => webhooks.delivery(caller.bookId, id))?.seq;
  const filters = { book: caller.bookId, subject, type, status, endpoint, before };
  return cursorPage(webhooks.deliveries(filters, limit + 1), limit, toLoggedDelivery);
});

export const sandboxDelivery = defineOperation({
  id: "sandbox.deliveries.get",
  route: "GET /_sandbox/webhooks/deliveries/{id}",
  summary: "Read a webhook delivery with every attempt, request and answer",
  description:
    "Answers a delivery with `attempts_log`: for each attempt that has ended, the request exactly as it was sent, with " +
    "its signature, and the answer as far as it is kept (2 KB of headers, 4 KB of the body; bytes that are no UTF-8 are " +
    "replaced by U+FFFD). What webhook chaos did is in `chaos`. A second sending by chaos is marked `duplicate` in the " +
    "attempt that it repeats, and is no attempt of its own. It changes nothing.",
  query: z.strictObject({}),
  success: { status: 200, description: "The delivery", schema: DeliveryWithAttempts },
  cli: {
    examples: ["qa-pay sandbox deliveries get wd_0198…", "qa-pay sandbox deliveries get wd_0198… --json"],
    columns: "id as Delivery, eventType as Event, subject as About, status, nextRetryAt as Next try, url as To",
    below: {
      rows: "attempts_log",
      columns: [
        "number as Attempt, at, duration_ms as ms, request.headers.x-qa-signature as Signature",
        "response.status as Answer, response.body, error, chaos",
      ],
    },
  },
}).read(({ caller, params }, reader) => {
  const delivery = findDelivery(reader, caller.bookId, params.id);
  return toDeliveryWithAttempts(delivery, reader.webhooks.attempts(delivery.seq));
});

/** The manual resend of docs/service/webhooks.md#deliveries: a new delivery of the same event. */
export const sandboxResend = defineOperation({
  id: "sandbox.deliveries.resend",
  route: "POST /_sandbox/webhooks/deliveries/{id}/resend",
  summary: "Send the event of a delivery again",
  description:
    "Creates a new delivery of the same event for the same endpoint, signed with the secret that it has now. The old " +
    "delivery stays as it is. When the endpoint is deleted it is a 404. With `url` it goes there instead, whatever the " +
    "state of the endpoint, and is signed with the same secret; the URL has the rules of endpoints. A delivery that " +
    "went to such a URL goes there again.",
  body: z.object({
    url: WebhookUrl.optional().describe("Where to send it instead: https://, or http:// to this machine"),
  }),
  success: { status: 201, description: "The new delivery", schema: Delivery },
  cli: {
    examples: [
      "qa-pay sandbox deliveries resend wd_0198…",
      "qa-pay sandbox deliveries resend wd_0198… --url http://localhost:3000/webhooks",
    ],
    columns: "id as Delivery, eventType as Event, status",
  },
}).write(({ caller, params, body }, tx) => {
  const delivery = findDelivery(tx, caller.bookId, params.id);
  const url = body.url === undefined ? undefined : checkWebhookUrl("url", body.url, tx.settings);
  return toDelivery(resendDelivery(tx, delivery, url));
});

/** The service shows a secret once, at its creation. An emulator can show it again: its secrets protect nothing. */
export const sandboxRevealSecret = defineOperation({
  id: "sandbox.endpoints.reveal",
  route: "POST /_sandbox/webhooks/endpoints/{id}/reveal",
  summary: "Show the secret of a webhook endpoint again",
  description:
    "Answers the secret that signs what goes to an endpoint, as it is now, and the one before the last rotation, which " +
    "signs nothing any more. The service itself shows a secret only when it is created or replaced. It changes nothing and " +
    "needs no body.",
  success: {
    status: 200,
    description: "The secrets",
    schema: z.object({ id: z.string(), secret: z.string(), previous_secret: z.string().nullable() }),
  },
  secrets: ["secret", "previous_secret"],
  cli: {
    columns: "id as Endpoint, secret",
  },
}).read(({ caller, params }, reader) => {
  const { id, secret, previous_secret } = findEndpoint(reader, caller.bookId, params.id);
  return { id: ID_PREFIX.endpoint + id, secret, previous_secret };
});

/** The latest events, for the person who debugs an integration. They can be followed live as an event stream. */

export const sandboxEvents = defineOperation({
  id: "sandbox.events",
  route: "GET /_sandbox/events",
  summary: "List the latest events, or follow them live",
  description:
    "Lists the events of the key's account and mode, newest first, whether or not an endpoint wants them. `deliveries` " +
    "says how many endpoints have each event, and why one has it not. With `Accept: text/event-stream` it follows events " +
    "live, without `deliveries`. An unknown parameter or event, a `subject` that is no id and a cursor that is none of " +
    "your events are refused.",
  stream: "events",
  query: z.strictObject({
    ...PAGE_QUERY,
    type: EventNameSchema.optional(),
    subject: EventSubject.optional().describe("Id of the charge the event is about"),
  }),
  success: { status: 200, description: "Newest first", schema: page(ListedEvent) },
  cli: {
    examples: ["qa-pay sandbox events --type charge.paid", "qa-pay sandbox events --subject ch_0198… --json"],
    columns: "created_at as At, id as Event, type, subject as About",
  },
}).read(({ caller, query }, { webhooks }) => {
  const { type, subject, limit, after } = query;
  const before = rowAt(after, [ID_PREFIX.event, ""], (id) => webhooks.eventById(caller.bookId, id))?.seq;
  const filters = { book: caller.bookId, type, subject, before };
  const events = webhooks.events(filters, limit + 1);
  const deliveries = webhooks.outcomesOf(JSON.stringify(events.map(({ seq }) => seq)));
  return cursorPage(events, limit, (event) => toListedEvent(event, deliveries));
});

export const sandboxEvent = defineOperation({
  id: "sandbox.events.get",
  route: "GET /_sandbox/events/{id}",
  summary: "Get one event with its envelope",
  description:
    "Answers one event of the key's account and mode with the envelope that its endpoints are sent, in the form of its " +
    "family: canonical or legacy. It changes nothing.",
  success: { status: 200, description: "The event", schema: LoggedEvent },
}).read(({ caller, params }, { webhooks }) =>
  toLoggedEvent(rowById("event", params.id, (id) => webhooks.eventById(caller.bookId, id))),
);
