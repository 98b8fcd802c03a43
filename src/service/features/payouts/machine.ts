import type { Machine } from "../../../base/kernel/machine.js";
import type { EventName } from "../webhooks/catalogue.js";

/** The life of a payout (docs/decisions/017-refunds.md; the contract shows its events only). */

export const PAYOUT_STATUSES = ["pending", "paid", "failed"] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export type PayoutMove = "pay" | "fail";

export const payoutMachine: Machine<PayoutStatus, PayoutMove, EventName> = {
  name: "payout",
  states: PAYOUT_STATUSES,
  initial: { state: "pending", emits: ["payout.created", "withdrawal.created"] },
  transitions: {
    pay: {
      from: ["pending"],
      to: "paid",
      emits: ["payout.paid", "withdrawal.completed", "withdrawal.status_changed"],
      source: "payout settled",
    },
    fail: {
      from: ["pending"],
      to: "failed",
      emits: ["payout.failed", "withdrawal.failed", "withdrawal.status_changed"],
      source: "payout failed or rejected",
    },
  },
};
