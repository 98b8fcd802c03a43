import { expect, it } from "vitest";
import { refundPlan } from "../../../../src/service/features/refunds/rules.js";
import { METHOD_NAMES, PAYMENT_METHODS } from "../../../../src/service/features/transactions/catalogue.js";

/** True if the rule of refunds lets a settled payment by this method be refunded. */
function isRefunded(method: (typeof METHOD_NAMES)[number]): boolean {
  const paid = { amount: 100, currency: "BRL", paid_with: method, paid_at: 0, payer_document: "52998224725" };
  try {
    refundPlan({ ...paid, status: "PAID" }, {}, 0, 0);
    return true;
  } catch {
    return false;
  }
}

it.each(METHOD_NAMES)("methods that can be refunded follow the catalogue, which the documents print: %s", (method) => {
  const before = PAYMENT_METHODS[method].refundable;
  expect(isRefunded(method)).toBe(before);
  // A change of the catalogue is a change of the rule.
  Object.assign(PAYMENT_METHODS[method], { refundable: !before });
  try {
    expect(isRefunded(method)).toBe(!before);
  } finally {
    Object.assign(PAYMENT_METHODS[method], { refundable: before });
  }
});
