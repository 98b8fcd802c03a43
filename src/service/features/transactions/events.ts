import * as z from "zod";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import { IsoInstant } from "../../../base/kernel/schemas.js";
import { iso } from "../../../base/kernel/time.js";
import type { EventName } from "../webhooks/catalogue.js";
import { isSettled, TRANSACTION_STATUSES, type TransactionStatus } from "./machine.js";
import type { NewTransaction } from "./store.js";

/** The legacy events of a transaction (docs/service/webhooks.md#envelopes): form and creation of their `data`. */

const Status = z.enum(TRANSACTION_STATUSES);

export const PaymentEventData = z.object({
  transactionId: z.string(),
  amount: z.int(),
  status: Status,
  previousStatus: Status.nullable(),
  customerId: z.string().optional(),
  paidWith: z.string().optional(),
  providerFee: z.int().optional(),
  platformFee: z.int().optional(),
  netAmount: z.int().optional(),
  occurredAt: IsoInstant,
});

/** A refund in the event `payment.refunded`, which reports it too. */
export interface EventRefund {
  readonly id: string;
  readonly amount: number;
  readonly status: string;
  readonly reason: string | null;
}

/** The refund with the prefix of its id, and without the fields that an event omits. */
function refundOf({ id, amount, status, reason }: EventRefund): EventRefund {
  return { id: ID_PREFIX.refund + id, amount, status, reason };
}

type Data = z.input<typeof PaymentEventData> & { readonly refund?: EventRefund };

export interface EventContext {
  readonly previousStatus: TransactionStatus | null;
  readonly refund?: EventRefund | undefined;
}

function settlementOf(row: NewTransaction): Partial<Data> {
  if (!isSettled(row.status) || row.paid_with === null) return {};
  return {
    paidWith: row.paid_with,
    providerFee: row.provider_fee,
    platformFee: row.platform_fee,
    netAmount: row.amount - row.provider_fee - row.platform_fee,
  };
}

export function legacyData(row: NewTransaction, type: EventName, context: EventContext, now: number): Data {
  const refund = type === "payment.refunded" ? context.refund : undefined;
  return {
    transactionId: ID_PREFIX.transaction + row.id,
    amount: row.amount,
    status: row.status,
    previousStatus: context.previousStatus,
    ...(row.customer_id === null ? {} : { customerId: row.customer_id }),
    ...settlementOf(row),
    ...(refund === undefined ? {} : { refund: refundOf(refund) }),
    occurredAt: iso(now),
  };
}
