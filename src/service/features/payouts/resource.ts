import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { IsoInstant, Metadata } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import { PIX_KEY_TYPES } from "../../../base/pix/keys.js";
import { PAYOUT_STATUSES, type PayoutStatus } from "./machine.js";
import type { PayoutRow } from "./store.js";

/** A payout as answers and events show it (docs/service/webhooks.md#what-a-change-reports). */
export const Payout = z
  .object({
    id: z.string().regex(/^po_/),
    object: z.literal("payout"),
    amount: z.int(),
    currency: z.string(),
    status: z.enum(PAYOUT_STATUSES),
    destination: z.object({ pix_key: z.string(), pix_key_type: z.enum(PIX_KEY_TYPES) }),
    end_to_end_id: z.string().nullable(),
    failure_reason: z.string().nullable(),
    metadata: Metadata,
    created_at: IsoInstant,
  })
  .meta({ id: "Payout" });

export function toPayout(row: PayoutRow): z.input<typeof Payout> {
  return {
    id: ID_PREFIX.payout + row.id,
    object: "payout",
    amount: row.amount,
    currency: row.currency,
    status: row.status,
    destination: { pix_key: row.pix_key, pix_key_type: row.pix_key_type },
    end_to_end_id: row.end_to_end_id,
    failure_reason: row.failure_reason,
    metadata: {},
    created_at: iso(row.created_at),
  };
}

const WITHDRAWAL_STATUS = {
  pending: "PENDING",
  paid: "COMPLETED",
  failed: "FAILED",
} as const satisfies Record<PayoutStatus, string>;

const WithdrawalStatus = z.enum(WITHDRAWAL_STATUS);

/** `data` of the legacy events of a payout, which call it a withdrawal. */
export const WithdrawalEventData = z.object({
  transactionId: z.string().describe("po_…"),
  amount: z.int(),
  status: WithdrawalStatus,
  previousStatus: WithdrawalStatus.nullable(),
  occurredAt: IsoInstant,
});

export function withdrawalData(
  row: PayoutRow,
  previous: PayoutStatus | null,
  now: number,
): z.input<typeof WithdrawalEventData> {
  return {
    transactionId: ID_PREFIX.payout + row.id,
    amount: row.amount,
    status: WITHDRAWAL_STATUS[row.status],
    previousStatus: previous === null ? null : WITHDRAWAL_STATUS[previous],
    occurredAt: iso(now),
  };
}
