import * as z from "zod";
import { ID_PREFIX } from "../../../../base/kernel/ids.js";
import { idFilter, NoQuery, queryInteger } from "../../../../base/kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { DELIVERY_STATUSES } from "../machine.js";
import { Delivery, EventNameSchema, toDelivery } from "../resource.js";

/** docs/service/webhooks.md#deliveries; newest first. */
export const listDeliveries = defineOperation({
  id: "webhooks.deliveries",
  route: "GET /v1/webhooks/deliveries",
  summary: "List webhook deliveries",
  description:
    "Lists deliveries with their payload, their attempts and the last answer, newest first. An unknown parameter, " +
    "status or event and an `endpointId` that is no endpoint's id are refused. It changes nothing.",
  query: z.strictObject({
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventType: EventNameSchema.optional(),
    endpointId: idFilter("a webhook endpoint: we_…", ID_PREFIX.endpoint).optional(),
    limit: queryInteger(1, 100, 25),
    offset: queryInteger(0, 1_000_000_000, 0),
  }),
  success: {
    status: 200,
    description: "One page of deliveries",
    schema: z.object({ data: z.array(Delivery), total: z.int(), limit: z.int(), offset: z.int() }),
  },
  cli: {
    examples: [
      "qa-pay webhooks deliveries --status FAILED",
      "qa-pay webhooks deliveries --event-type charge.paid --json",
    ],
    columns: [
      "createdAt, eventType as Event",
      {
        header: "About",
        path: "payload.data.object.charge_id",
        or: ["payload.data.object.id", "payload.data.transactionId", "payload.data.id"],
      },
      "status, attempts, lastStatusCode as Answer",
      { header: "Delivery", path: "id", ifWide: true },
      { header: "Error", path: "lastError", ifWide: true },
      { header: "Next try", path: "nextRetryAt", ifWide: true },
    ],
  },
}).read(({ caller, query }, { webhooks }) => {
  const { limit, offset, status, eventType: type, endpointId: endpoint } = query;
  const filters = { book: caller.bookId, status, type, endpoint };
  const total = webhooks.countDeliveries(filters);
  return { data: webhooks.deliveries(filters, limit, offset).map(toDelivery), total, limit, offset };
});

const Counts = z.object({
  total: z.int(),
  PENDING: z.int(),
  PROCESSING: z.int(),
  DELIVERED: z.int(),
  FAILED: z.int(),
  CANCELLED: z.int(),
});

/** docs/service/webhooks.md#deliveries */
export const webhookStats = defineOperation({
  id: "webhooks.stats",
  route: "GET /v1/webhooks/stats",
  summary: "Count webhook deliveries by status",
  description:
    "Counts the deliveries of the key's account and mode by their status. It takes no parameter and refuses any.",
  query: NoQuery,
  success: { status: 200, description: "The counts", schema: Counts },
  cli: {
    columns: "total, PENDING, PROCESSING, DELIVERED, FAILED, CANCELLED",
  },
}).read(({ caller }, reader) => {
  const counts = { total: 0, PENDING: 0, PROCESSING: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 };
  for (const { status, count } of reader.webhooks.countByStatus(caller.bookId)) {
    counts[status] = count;
    counts.total += count;
  }
  return counts;
});
