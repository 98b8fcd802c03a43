import { ID_PREFIX } from "../../kernel/ids.js";
import { iso } from "../../kernel/time.js";
import type { Tx } from "../tx.js";
import { publish } from "../webhooks/actions.js";
import { type EventName, familyOf } from "../webhooks/catalogue.js";
import type { TransactionStatus } from "./machine.js";
import type { NewTransaction, RefundRow } from "./store.js";
import { toCharge } from "./wire-charge.js";

/** What an event says besides the transaction itself. */
export interface EventContext {
  readonly previousStatus: TransactionStatus | null;
  readonly refund?: RefundRow | undefined;
}

/** `data` of a legacy event (contract, section 6.4). */
export function legacyData(tx: Tx, row: NewTransaction, type: EventName, context: EventContext): object {
  const settled = row.status === "PAID" || row.status === "APPROVED";
  const refund = type === "payment.refunded" ? context.refund : undefined;
  return {
    transactionId: ID_PREFIX.transaction + row.id,
    amount: row.amount,
    status: row.status,
    previousStatus: context.previousStatus,
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
    occurredAt: iso(tx.now),
  };
}

/**
 * Writes the events of one transition, in order. Answers the first canonical one: its data is the public charge, and
 * an idempotency record may point at it.
 */
export function publishTransition(
  tx: Tx,
  row: NewTransaction,
  names: readonly EventName[],
  context: EventContext,
): { seq: number; chargeJson: string } | null {
  let canonical: { seq: number; chargeJson: string } | null = null;
  for (const type of names) {
    const isCanonical = familyOf(type) === "canonical";
    const data = JSON.stringify(isCanonical ? toCharge(tx, row) : legacyData(tx, row, type, context));
    const seq = publish(tx, { bookId: row.book_id, type, subject: row.id, data });
    if (isCanonical) canonical ??= { seq, chargeJson: data };
  }
  return canonical;
}
