import * as z from "zod";
import { cursorError, cursorPage, PAGE_QUERY, page } from "../../../../base/kernel/cursor-page.js";
import { ApiError, rowById } from "../../../../base/kernel/errors.js";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { IsoInstant } from "../../../../base/kernel/schemas.js";
import { iso } from "../../../../base/kernel/time.js";
import { defineOperation } from "../../operation.js";
import type { Stores } from "../../tx.js";
import { deleteEndpoint, registerEndpoint } from "../actions.js";
import type { CollectedRow } from "../attempt-store.js";
import { EVENT_NAMES, unpackEvents } from "../catalogue.js";
import { changeBody, chaosKinds } from "../chaos.js";
import { buildHeaders, envelope } from "../envelope.js";
import { EventNameSchema, Subscriptions } from "../resource.js";
import type { EndpointRow } from "../store.js";

/** Collectors: endpoints without a receiver, whose webhooks are read (docs/decisions/007-kinds-of-endpoints.md). */

/** The address in the headers of a collected webhook. Nothing is sent there. */
const COLLECTOR_URL = "https://collector.qa-pay.test/webhooks";

/** The limit of one account and mode. Every event is a delivery to each of them (docs/LIMITS.md). */
const MAX_COLLECTORS = 1_000;

const Collected = z
  .object({
    id: z.string().describe("Id of the delivery: the header X-QA-Delivery-Id"),
    at: IsoInstant.describe("When it was sent, on the emulated clock"),
    event_type: EventNameSchema,
    headers: z.record(z.string(), z.string()),
    body: z.string().describe("The exact text that was signed"),
  })
  .meta({ id: "CollectedWebhook" });

function findCollector(stores: Stores, bookId: number, id: string): EndpointRow {
  return rowById("collector", id, (raw) => stores.webhooks.collector(bookId, raw));
}

function toCollected(row: CollectedRow): z.input<typeof Collected> {
  const { url, signature, user_agent: userAgent, type, event_id: id, data, event_created_at } = row;
  const body = changeBody(envelope({ id, type, data, created_at: event_created_at }), chaosKinds(row.chaos));
  const deliveryId = ID_PREFIX.delivery + row.delivery_id;
  const headers = buildHeaders({ url, signature, userAgent, deliveryId, type }, body);
  return { id: deliveryId, at: iso(row.sent_at), event_type: type, headers, body };
}

export const createCollector = defineOperation({
  id: "sandbox.collectors.create",
  route: "POST /_sandbox/collectors",
  summary: "Collect the webhooks that an endpoint would receive",
  description:
    "Creates a collector for events of the key's account and mode, all of them when `events` is left out. From now on it is " +
    "sent what an endpoint would be, signed with its own secret, over no network, and answers 200; its deliveries are " +
    "among all others. A reset ends it. An unknown event is refused, and so is a collector beside 1,000 others.",
  body: z.object({ events: Subscriptions.optional() }),
  success: {
    status: 201,
    description: "The collector with its secret",
    schema: z.object({ id: z.string(), secret: z.string(), events: z.array(EventNameSchema) }),
  },
  secrets: ["secret"],
  cli: {
    examples: ["qa-pay sandbox collectors create", "qa-pay sandbox collectors create --events charge.paid --json"],
    columns: "id as Collector, events, secret",
    next: "See what it was sent: qa-pay sandbox collectors webhooks {id}",
  },
}).write(({ caller, body: { events = EVENT_NAMES } }, tx) => {
  if ((tx.webhooks.countCollectors(caller.bookId)?.count ?? 0) >= MAX_COLLECTORS) {
    const message = `There are ${MAX_COLLECTORS} collectors already. End some: DELETE /_sandbox/collectors/{id}, or close() in the kit.`;
    throw new ApiError("invalid_request", { message });
  }
  const row = registerEndpoint(tx, caller.bookId, { url: COLLECTOR_URL, events, origin: "collector" });
  return { id: ID_PREFIX.collector + row.id, secret: row.secret, events: unpackEvents(row.events) };
});

export const collectedWebhooks = defineOperation({
  id: "sandbox.collectors.webhooks",
  route: "GET /_sandbox/collectors/{id}/webhooks",
  summary: "List the webhooks of a collector",
  description:
    "Lists what a collector was sent, oldest first: headers and body exactly as an endpoint would have received them. What " +
    "webhook chaos sent twice is there twice. An unknown parameter and a text that is no cursor are refused. It changes " +
    "nothing.",
  query: z.strictObject(PAGE_QUERY),
  success: { status: 200, description: "Oldest first", schema: page(Collected) },
  cli: {
    examples: ["qa-pay sandbox collectors webhooks col_0198…", "qa-pay sandbox collectors webhooks col_0198… --json"],
    columns: "at, event_type as Event, id as Delivery, headers.x-qa-signature as Signature",
  },
}).read(({ caller, params, query: { limit, after = "0" } }, reader) => {
  const { seq } = findCollector(reader, caller.bookId, params.id);
  if (!/^\d{1,15}$/.test(after)) throw cursorError();
  const rows = reader.webhooks.collected(seq, Number(after), limit + 1);
  const { data, ...rest } = cursorPage(rows, limit, (row) => ({ ...row }), "place");
  return { data: data.map(toCollected), ...rest };
});

export const deleteCollector = defineOperation({
  id: "sandbox.collectors.delete",
  route: "DELETE /_sandbox/collectors/{id}",
  summary: "End a collector",
  description:
    "Ends a collector of the key's account and mode. What it was sent is no longer listed under it; the deliveries stay " +
    "in the list of deliveries. It needs no body.",
  success: { status: 204, description: "It is gone", schema: z.undefined() },
  cli: { columns: [] },
}).write(({ caller, params }, tx) => {
  deleteEndpoint(tx, findCollector(tx, caller.bookId, params.id));
  return undefined;
});
