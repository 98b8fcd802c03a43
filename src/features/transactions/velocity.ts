import { ApiError, type ErrorCode } from "../../kernel/errors.js";
import type { Velocity } from "../service-settings.js";
import type { Tx } from "../tx.js";
import type { NewTransaction } from "./store.js";

/**
 * The fraud guard (docs/service/errors.md#fraud-guard, docs/decisions/022-guards.md). Its windows are emulated time.
 */

function refusal(code: ErrorCode, whose: string, { count, windowMs }: Velocity): ApiError {
  const message = `${whose} may have ${count} ${count === 1 ? "charge" : "charges"} within ${windowMs / 1_000} seconds.`;
  return new ApiError(code, { message });
}

/**
 * Refuses a new transaction when its customer or its book has too many already. A transaction counts until its age
 * reaches the window, unless it expired or was cancelled. Throws `fraud.customer_velocity_exceeded` or
 * `fraud.account_velocity_exceeded`.
 */
export function checkVelocity({ transactions, settings, now }: Tx, next: NewTransaction): void {
  const { customerVelocity, accountVelocity } = settings;
  if (customerVelocity !== null) {
    const { count, windowMs } = customerVelocity;
    // An empty text is no customer: two charges without an e-mail are not of the same customer.
    const marks = [next.customer_tax_id, next.customer_email, next.customer_phone].map((mark) => mark || null);
    const isKnown = marks.some((mark) => mark !== null);
    if (isKnown && transactions.moreOfCustomer(next.book_id, now - windowMs, ...marks, count - 1) !== null) {
      throw refusal("fraud.customer_velocity_exceeded", "One customer", customerVelocity);
    }
  }
  if (accountVelocity !== null) {
    const { count, windowMs } = accountVelocity;
    if (transactions.moreInBook(next.book_id, now - windowMs, count - 1) !== null) {
      throw refusal("fraud.account_velocity_exceeded", "An account", accountVelocity);
    }
  }
}
