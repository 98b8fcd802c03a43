import { z } from "zod";
import { NoQuery } from "../../../kernel/schemas.js";
import { defineOperation } from "../../operation.js";

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
  method: "GET",
  path: "/v1/webhooks/stats",
  auth: "key",
  surface: "api",
  summary: "Count webhook deliveries by status",
  description:
    "Counts the deliveries of the key's account and mode by their status. It takes no parameter and refuses any.",
  query: NoQuery,
  success: { status: 200, description: "The counts", schema: Counts },
  errors: [],
  cli: {
    command: "webhooks stats",
    examples: ["qa-pay webhooks stats"],
    columns: [
      { header: "Total", path: "total" },
      { header: "Pending", path: "PENDING" },
      { header: "Processing", path: "PROCESSING" },
      { header: "Delivered", path: "DELIVERED" },
      { header: "Failed", path: "FAILED" },
      { header: "Cancelled", path: "CANCELLED" },
    ],
  },
}).read(({ caller }, reader) => {
  const counts = { total: 0, PENDING: 0, PROCESSING: 0, DELIVERED: 0, FAILED: 0, CANCELLED: 0 };
  for (const { status, count } of reader.webhooks.countByStatus(caller.bookId)) {
    counts[status] = count;
    counts.total += count;
  }
  return counts;
});
