import { ID_PREFIX } from "../../kernel/ids.js";
import { iso } from "../../kernel/time.js";
import type { RefundRow } from "../refunds/store.js";
import type { EventName } from "../webhooks/catalogue.js";
import type { TransactionStatus } from "./machine.js";
import type { NewTransaction } from "./store.js";

/** What an event says besides the transaction itself. */
export interface EventContext {
  readonly previousStatus: TransactionStatus | null;
  readonly refund?: RefundRow | undefined;
}

/** `data` of a legacy event (contract, section 6.4). */
export function legacyData(row: NewTransaction, type: EventName, context: EventContext, now: number): object {
  const settled = row.status === "PAID" || row.status === "APPROVED";
  const refund = type === "payment.refunded" ? context.refund : undefined;
  return {
    transactionId: ID_PREFIX.transaction + row.id,
    amount: row.amount,
    status: row.status,
    previousStatus: context.previousStatus,
    ...(row.customer_id === null ? {} : { customerId: row.customer_id }),
    ...(settled
      ? {
          paidWith: row.paid_with,
          providerFee: row.provider_fee,
          platformFee: row.platform_fee,
          netAmount: row.amount - row.provider_fee - row.platform_fee,
        }
      : {}),
    ...(refund === undefined
      ? {}
      : {
          refund: {
            id: ID_PREFIX.refund + refund.id,
            amount: refund.amount,
            status: refund.status,
            reason: refund.reason,
          },
        }),
    occurredAt: iso(now),
  };
}
