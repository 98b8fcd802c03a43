import type { EventsOf } from "../../../base/kernel/event.js";
import { ID_PREFIX } from "../../../base/kernel/ids.js";
import type { Machine } from "../../../base/kernel/machine.js";

/** The life of a payout (docs/decisions/017-refunds.md; the contract shows its events only). */

export const PAYOUT_STATUSES = ["pending", "paid", "failed"] as const;
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number];

export type PayoutMove = "pay" | "fail";

/** The events of payouts. The legacy family calls them withdrawals. */
export const payoutEvents = {
  prefix: ID_PREFIX.payout,
  events: {
    "payout.created": { family: "canonical", description: "A payout was requested.", legacy: "withdrawal.created" },
    "payout.paid": { family: "canonical", description: "A payout was settled.", legacy: "withdrawal.completed" },
    "payout.failed": {
      family: "canonical",
      description: "A payout failed or was rejected.",
      legacy: "withdrawal.failed",
    },
    "withdrawal.created": { family: "legacy", description: "A withdrawal was requested." },
    "withdrawal.completed": { family: "legacy", description: "A withdrawal was settled." },
    "withdrawal.failed": { family: "legacy", description: "A withdrawal failed." },
    "withdrawal.status_changed": { family: "legacy", description: "A withdrawal completed or failed." },
  },
} as const satisfies EventsOf;
export type PayoutEvent = keyof typeof payoutEvents.events;

export const payoutMachine: Machine<PayoutStatus, PayoutMove, PayoutEvent> = {
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
