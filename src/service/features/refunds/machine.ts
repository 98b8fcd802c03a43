import type { Machine } from "../../../base/kernel/machine.js";
import type { TransactionEvent } from "../transactions/machine.js";

/** The life of a refund (docs/service/refunds.md#steps). Its acceptance has no event; every later step has one. */

export const REFUND_STATUSES = ["PENDING", "IN_PROGRESS", "REFUNDED", "FAILED"] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

/** The ways to return a Pix: a return by its end-to-end id, or a new Pix. */
export const REFUND_STRATEGIES = ["devolution", "cashout"] as const;
export type RefundStrategy = (typeof REFUND_STRATEGIES)[number];

export type RefundMove = "start" | "complete" | "fail";

export const refundMachine: Machine<RefundStatus, RefundMove, TransactionEvent> = {
  name: "refund",
  states: REFUND_STATUSES,
  initial: { state: "PENDING", emits: [] },
  transitions: {
    start: {
      from: ["PENDING"],
      to: "IN_PROGRESS",
      emits: ["payment.refunded"],
      source: "acquirer confirms progress",
    },
    complete: { from: ["IN_PROGRESS"], to: "REFUNDED", emits: ["payment.refunded"], source: "acquirer confirms" },
    fail: { from: ["IN_PROGRESS"], to: "FAILED", emits: ["payment.refunded"], source: "acquirer reports failure" },
  },
};
