import type { Client } from "../../api/client/types.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import { iso } from "../../base/kernel/time.js";
import type { EventName } from "../../service/features/webhooks/catalogue.js";
import { envelope } from "../../service/features/webhooks/envelope.js";
import type { ForgedEvent } from "./schedule.js";
import type { HeldWebhook } from "./webhook-relay.js";

/** Webhooks that somebody else sends: events that never happened, in the envelopes of both families. */

const EVENTS: Readonly<Record<ForgedEvent, readonly EventName[]>> = {
  paid: ["charge.paid", "payment.completed"],
  expired: ["charge.expired", "payment.expired"],
  refunded: ["payment.refunded", "payment.status_changed"],
};

interface ForgeryInput {
  readonly charge: string;
  readonly event: ForgedEvent;
  /** New ids, without prefix. */
  readonly uuid: () => string;
  readonly at: number;
}

/** Returns the webhooks that tell of `event` for a charge that never had it, so that a shop must not believe them. */
export async function forgeWebhooks(
  client: Client,
  { charge, event, uuid, at }: ForgeryInput,
): Promise<Omit<HeldWebhook, "answer">[]> {
  const object = await client["charges.get"]({ params: { id: ID_PREFIX.charge + charge } });
  const { amount } = object;
  const occurredAt = iso(at);
  const legacy = {
    transactionId: ID_PREFIX.transaction + charge,
    amount,
    status: event.toUpperCase(),
    previousStatus: event === "refunded" ? "PAID" : "WAITING_PAYMENT",
    ...(event === "refunded"
      ? { refund: { id: ID_PREFIX.refund + uuid(), amount, status: "REFUNDED", reason: null } }
      : {}),
    occurredAt,
  };
  return EVENTS[event].map((type) => {
    const data = JSON.stringify(type.startsWith("charge.") ? { ...object, status: event } : legacy);
    const body = envelope({ id: uuid(), type, data, created_at: at });
    return { id: ID_PREFIX.delivery + uuid(), type, body, charge };
  });
}
