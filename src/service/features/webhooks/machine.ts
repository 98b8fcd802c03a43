import type { Machine } from "../../../base/kernel/machine.js";

/**
 * The life of a delivery (docs/service/webhooks.md#deliveries, docs/service/webhooks.md#retries). FAILED is the dead
 * letter: only a resend continues from it, as a new delivery.
 */

export const DELIVERY_STATUSES = ["PENDING", "PROCESSING", "DELIVERED", "FAILED", "CANCELLED"] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const ENDPOINT_STATUSES = ["ACTIVE", "INACTIVE"] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

export type DeliveryMove = "claim" | "deliver" | "retry" | "give_up" | "cancel" | "abandon" | "recover";

export const deliveryMachine = {
  name: "delivery",
  states: DELIVERY_STATUSES,
  initial: { state: "PENDING", emits: [] },
  transitions: {
    claim: { from: ["PENDING"], to: "PROCESSING", emits: [], source: "an attempt begins" },
    deliver: { from: ["PROCESSING"], to: "DELIVERED", emits: [], source: "the answer is 2xx" },
    retry: { from: ["PROCESSING"], to: "PENDING", emits: [], source: "it failed and attempts are left" },
    give_up: { from: ["PROCESSING"], to: "FAILED", emits: [], source: "it failed maxAttempts times" },
    cancel: { from: ["PENDING"], to: "CANCELLED", emits: [], source: "its endpoint was deleted" },
    abandon: { from: ["PROCESSING"], to: "CANCELLED", emits: [], source: "it failed after its endpoint was deleted" },
    recover: { from: ["PROCESSING"], to: "PENDING", emits: [], source: "a restart after a crash mid-attempt" },
  },
} as const satisfies Machine<DeliveryStatus, DeliveryMove, never>;

export type AttemptMove = "deliver" | "retry" | "give_up" | "abandon";
export type AttemptedStatus = (typeof deliveryMachine)["transitions"][AttemptMove]["to"];
