import { hasMethod, METHOD_NAMES, methodExpiry, type PaymentMethod } from "../features/transactions/catalogue.js";
import { isWaiting } from "../features/transactions/machine.js";
import type { TransactionRow } from "../features/transactions/store.js";
import { statusNow } from "./outcome.js";

/**
 * Returns the methods with which a transaction can be paid now. There are none after its end, and none before the
 * acquirer has issued it.
 */
export function payableMethods(row: TransactionRow, now: number): PaymentMethod[] {
  if (row.provider_reference === null || !isWaiting(statusNow(row, now))) return [];
  return METHOD_NAMES.filter((method) => hasMethod(row, method) && methodExpiry(row, method) > now);
}
