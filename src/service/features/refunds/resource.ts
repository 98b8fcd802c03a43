import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { REFUND_STATUSES, REFUND_STRATEGIES } from "./machine.js";
import type { RefundRow } from "./store.js";

/** A refund that was just accepted (docs/service/refunds.md#the-refund). */
export const CreatedRefund = z
  .object({
    id: z.string().regex(/^rf_/),
    transactionId: z.string().describe("Raw id of the payment"),
    amount: z.int(),
    currency: z.string(),
    status: z.enum(REFUND_STATUSES),
    reason: z.string().nullable().describe("Null when the request gave none"),
    createdAt: IsoInstant,
  })
  .meta({ id: "CreatedRefund" });

/** A refund in lists, with its progress. Its receiver is not shown: it may be the payer's document. */
export const Refund = CreatedRefund.extend({
  strategy: z.enum(REFUND_STRATEGIES).nullable().describe("Null for a card"),
  endToEndId: z.string().nullable().describe("D… of a return; E… of a cashout, once it is sent"),
  failureReason: z.string().nullable(),
}).meta({ id: "Refund" });

export function toCreatedRefund(row: RefundRow): z.input<typeof CreatedRefund> {
  return {
    id: ID_PREFIX.refund + row.id,
    transactionId: row.transaction_id,
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    reason: row.reason,
    createdAt: iso(row.created_at),
  };
}

export function toRefund(row: RefundRow): z.input<typeof Refund> {
  return {
    ...toCreatedRefund(row),
    strategy: row.strategy,
    endToEndId: row.end_to_end_id,
    failureReason: row.failure_reason,
  };
}
