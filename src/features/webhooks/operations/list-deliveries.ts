import { z } from "zod";
import { ID_PREFIX } from "../../../kernel/ids.js";
import { idFilter, queryInteger } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";
import { DELIVERY_STATUSES } from "../machine.js";
import { Delivery, EventNameSchema, toDelivery } from "../wire.js";

/** docs/service/webhooks.md#deliveries; newest first. */
export const listDeliveries = defineOperation({
  id: "webhooks.deliveries",
  method: "GET",
  path: "/v1/webhooks/deliveries",
  auth: "key",
  surface: "api",
  summary: "List webhook deliveries",
  description:
    "Lists deliveries with their payload, their attempts and the last answer, newest first. An unknown parameter, " +
    "status or event and an `endpointId` that is no endpoint's id are refused. It changes nothing.",
  query: z.strictObject({
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventType: EventNameSchema.optional(),
    endpointId: idFilter("a webhook endpoint: we_…", ID_PREFIX.endpoint, "").optional(),
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
      { header: "Created", path: "createdAt", format: "time" },
      { header: "Event", path: "eventType" },
      {
        header: "About",
        path: "payload.data.object.charge_id",
        or: ["payload.data.object.id", "payload.data.transactionId", "payload.data.id"],
      },
      { header: "Status", path: "status", format: "status" },
      { header: "Attempts", path: "attempts" },
      { header: "Answer", path: "lastStatusCode" },
      { header: "Delivery", path: "id", ifWide: true },
      { header: "Error", path: "lastError", ifWide: true },
      { header: "Next try", path: "nextRetryAt", format: "time", ifWide: true },
    ],
  },
}).read(({ caller, query }, reader) => {
  const filters = {
    book: caller.bookId,
    status: query.status,
    type: query.eventType,
    endpoint: query.endpointId,
  };
  return {
    data: reader.webhooks.deliveries(filters, query.limit, query.offset).map(toDelivery),
    total: reader.webhooks.countDeliveries(filters)[0]?.total ?? 0,
    limit: query.limit,
    offset: query.offset,
  };
});
