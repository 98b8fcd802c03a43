import type { Check } from "../check.js";
import { ACCESS } from "./access.js";
import { CHARGE_CHECKS } from "./charges.js";
import { ENDPOINT_CHECKS } from "./endpoints.js";
import { GENERAL } from "./general.js";
import { IDEMPOTENCY } from "./idempotency.js";
import { MED } from "./med.js";
import { PAYMENTS } from "./payments.js";
import { REFUNDS } from "./refunds.js";
import { WALLETS } from "./wallets.js";
import { WEBHOOKS } from "./webhooks.js";

/** All checks. They run in this order, those that look at all answers last. */
export const CHECKS: readonly Check[] = [
  ...GENERAL,
  ...ACCESS,
  ...WALLETS,
  ...PAYMENTS,
  ...CHARGE_CHECKS,
  ...IDEMPOTENCY,
  ...MED,
  ...REFUNDS,
  // Before the lists of deliveries, so that there is something in them.
  ...WEBHOOKS,
  ...ENDPOINT_CHECKS,
];
