import * as z from "zod";
import { PaymentEventData } from "../transactions/events.js";
import { REFUND_STATUSES } from "./machine.js";

/** The refund in the event `payment.refunded` (docs/service/webhooks.md#envelopes). */
const RefundInEvent = z.object({
  id: z.string().regex(/^rf_/),
  amount: z.int(),
  status: z.enum(REFUND_STATUSES),
  reason: z.string().nullable(),
});

/** `payment.refunded` also describes the refund. */
export const RefundedEventData = PaymentEventData.extend({ refund: RefundInEvent });
