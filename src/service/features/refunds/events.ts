import * as z from "zod";
import { REFUND_STATUSES } from "./machine.js";

/** The refund in the event `payment.refunded` (docs/service/webhooks.md#envelopes). */
export const RefundInEvent = z.object({
  id: z.string().regex(/^rf_/),
  amount: z.int(),
  status: z.enum(REFUND_STATUSES),
  reason: z.string().nullable(),
});
