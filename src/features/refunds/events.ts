import { z } from "zod";
import { ID_PREFIX } from "../../kernel/ids.js";
import { REFUND_STATUSES } from "./machine.js";
import type { RefundRow } from "./store.js";

/** The refund in the event `payment.refunded` (docs/service/webhooks.md#envelopes). */
export const RefundInEvent = z.object({
  id: z.string().regex(/^rf_/),
  amount: z.int(),
  status: z.enum(REFUND_STATUSES),
  reason: z.string().nullable(),
});

export function refundInEvent({ id, amount, status, reason }: RefundRow): z.input<typeof RefundInEvent> {
  return { id: ID_PREFIX.refund + id, amount, status, reason };
}
