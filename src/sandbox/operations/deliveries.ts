import { z } from "zod";
import { defineOperation } from "../../features/operation.js";
import type { Stores } from "../../features/tx.js";
import { DELIVERY_STATUSES } from "../../features/webhooks/machine.js";
import type { DeliveryView } from "../../features/webhooks/store.js";
import {
  DeliveryWithAttempts,
  EventNameSchema,
  LoggedDelivery,
  toDeliveryWithAttempts,
  toLoggedDelivery,
} from "../../features/webhooks/wire.js";
import { fieldError, notFound } from "../../kernel/errors.js";
import { ID_PREFIX, rawId } from "../../kernel/ids.js";
import { IdParam, idFilter, page, queryInteger } from "../../kernel/schemas.js";
import { EventSubject } from "../filters.js";

/** Deliveries of webhooks with what was sent and what came back, attempt by attempt (docs/decisions/048-attempts-and-due-work.md). */

export function findDelivery(stores: Stores, bookId: number, id: string): DeliveryView {
  const raw = rawId(id, ID_PREFIX.delivery, "");
  const delivery = raw === null ? null : stores.webhooks.delivery(bookId, raw);
  if (delivery === null) throw notFound("delivery", id);
  return delivery;
}

export const sandboxDeliveries = defineOperation({
  id: "sandbox.deliveries.list",
  method: "GET",
  path: "/_sandbox/webhooks/deliveries",
  auth: "key",
  surface: "sandbox",
  summary: "List webhook deliveries with what they are about",
  description:
    "Lists the deliveries of the key's account and mode, newest first, with the object that the event is about and the " +
    "URL. `subject` takes the id of a charge, payment, payout or MED case and finds the deliveries of its events. An " +
    "unknown parameter, status or event, an id that is none of its kind and a cursor that is none of your deliveries " +
    "are refused. It changes nothing.",
  query: z.strictObject({
    limit: queryInteger(1, 100, 25),
    after: z.string().optional().meta({ description: "Cursor: next_cursor of the page before" }),
    subject: EventSubject.optional().meta({ description: "Id of the object the event is about" }),
    event_type: EventNameSchema.optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    endpoint: idFilter("a webhook endpoint: we_…", ID_PREFIX.endpoint, "").optional(),
  }),
  success: { status: 200, description: "Newest first", schema: page(LoggedDelivery) },
  errors: [],
  cli: {
    command: "sandbox deliveries list",
    examples: [
      "qa-pay sandbox deliveries list --status FAILED",
      "qa-pay sandbox deliveries list --subject ch_0198… --event-type charge.paid --json",
    ],
    rows: "data",
    columns: [
      { header: "Delivery", path: "id" },
      { header: "Event", path: "eventType" },
      { header: "About", path: "subject" },
      { header: "Status", path: "status", format: "status" },
      { header: "Attempts", path: "attempts" },
      { header: "Last", path: "lastStatusCode" },
      { header: "Next try", path: "nextRetryAt", format: "time" },
      { header: "To", path: "url" },
    ],
  },
}).read(({ caller, query }, { webhooks }) => {
  const { limit, after, subject, event_type: type, status, endpoint } = query;
  const cursor = after === undefined ? null : rawId(after, ID_PREFIX.delivery);
  const last = cursor === null ? null : webhooks.delivery(caller.bookId, cursor);
  if (after !== undefined && last === null) throw fieldError("after", "must be the id of one of your deliveries");
  const filters = { book: caller.bookId, before: last?.seq, subject, type, status, endpoint };
  const rows = webhooks.deliveries(filters, limit + 1, 0);
  const data = rows.slice(0, limit).map(toLoggedDelivery);
  const more = rows.length > limit;
  return { data, has_more: more, next_cursor: more ? (data.at(-1)?.id ?? null) : null };
});

export const sandboxDelivery = defineOperation({
  id: "sandbox.deliveries.get",
  method: "GET",
  path: "/_sandbox/webhooks/deliveries/{id}",
  auth: "key",
  surface: "sandbox",
  summary: "Read a webhook delivery with every attempt, request and answer",
  description:
    "Answers a delivery with `attempts_log`: for each attempt that has ended, the request exactly as it was sent, with " +
    "its signature, and the answer as far as it is kept (2 KB of headers, 4 KB of the body; bytes that are no UTF-8 are " +
    "replaced by U+FFFD). What webhook chaos did is in `chaos`. A second sending by chaos is marked `duplicate` in the " +
    "attempt that it repeats, and is no attempt of its own. It changes nothing.",
  params: IdParam,
  query: z.strictObject({}),
  success: { status: 200, description: "The delivery", schema: DeliveryWithAttempts },
  errors: [],
  cli: {
    command: "sandbox deliveries get",
    examples: ["qa-pay sandbox deliveries get wd_0198…", "qa-pay sandbox deliveries get wd_0198… --json"],
    columns: [
      { header: "Delivery", path: "id" },
      { header: "Event", path: "eventType" },
      { header: "About", path: "subject" },
      { header: "Status", path: "status", format: "status" },
      { header: "Next try", path: "nextRetryAt", format: "time" },
      { header: "To", path: "url" },
    ],
    below: {
      rows: "attempts_log",
      columns: [
        { header: "Attempt", path: "number" },
        { header: "At", path: "at", format: "time" },
        { header: "ms", path: "duration_ms" },
        { header: "Signature", path: "request.headers.x-qa-signature" },
        { header: "Answer", path: "response.status" },
        { header: "Body", path: "response.body" },
        { header: "Error", path: "error" },
        { header: "Chaos", path: "chaos", format: "list" },
      ],
    },
  },
}).read(({ caller, params }, reader) => {
  const delivery = findDelivery(reader, caller.bookId, params.id);
  return toDeliveryWithAttempts(delivery, reader.webhooks.attempts(delivery.seq));
});
