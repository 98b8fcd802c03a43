import { z } from "zod";
import { ID_PREFIX, rawId } from "../../../kernel/ids.js";
import { queryInteger } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { DELIVERY_STATUSES } from "../machine.js";
import { Delivery, EventNameSchema, toDelivery } from "../wire.js";

/** Contract, section 4.11; newest first. */
export const listDeliveries = defineOperation({
  id: "webhooks.deliveries",
  method: "GET",
  path: "/v1/webhooks/deliveries",
  auth: "key",
  surface: "api",
  summary: "List webhook deliveries",
  query: z.strictObject({
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventType: EventNameSchema.optional(),
    endpointId: z.string().optional(),
    limit: queryInteger(1, 100, 25),
    offset: queryInteger(0, 1_000_000_000, 0),
  }),
  success: {
    status: 200,
    description: "One page of deliveries",
    schema: z.object({ data: z.array(Delivery), total: z.int(), limit: z.int(), offset: z.int() }),
  },
  errors: [],
  cli: {
    command: "webhooks deliveries",
    examples: [
      "qa-pay webhooks deliveries --status FAILED",
      "qa-pay webhooks deliveries --event-type charge.paid --json",
    ],
    rows: "data",
    columns: [
      { header: "Delivery", path: "id" },
      { header: "Event", path: "eventType" },
      { header: "Status", path: "status", format: "status" },
      { header: "Attempts", path: "attempts" },
      { header: "Last", path: "lastStatusCode" },
      { header: "Error", path: "lastError" },
      { header: "Next try", path: "nextRetryAt", format: "time" },
    ],
  },
}).read(({ caller, query }, reader) => {
  const filters = {
    book: caller.bookId,
    status: query.status,
    type: query.eventType,
    // A malformed id is an unknown one: it matches nothing.
    endpoint: query.endpointId && (rawId(query.endpointId, ID_PREFIX.endpoint, "") ?? "unknown"),
  };
  return {
    data: reader.webhooks.deliveries(filters, query.limit, query.offset).map(toDelivery),
    total: reader.webhooks.countDeliveries(filters)[0]?.total ?? 0,
    limit: query.limit,
    offset: query.offset,
  };
});
