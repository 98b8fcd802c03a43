import type { Subscribable } from "../../base/kernel/feed.js";
import { ID_PREFIX } from "../../base/kernel/ids.js";
import type { Log, LogFacts } from "../../base/kernel/runtime.js";
import { iso } from "../../base/kernel/time.js";
import type { ClaimedDelivery } from "../features/webhooks/store.js";
import type { Attempt } from "./attempt.js";

/** The lines of the log about deliveries. The URL of a receiver may hold a secret, so only its host is in them. */

function hostOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).host : null;
}

/** The facts of a delivery whose next attempt is about to begin. */
export function deliveryFacts({ id, event_id: eventId, type, url, attempts }: ClaimedDelivery): LogFacts {
  return {
    delivery: ID_PREFIX.delivery + id,
    event: ID_PREFIX.event + eventId,
    type,
    host: hostOf(url),
    attempt: attempts + 1,
  };
}

const OUTCOMES: Readonly<Record<Attempt["status"], string>> = {
  DELIVERED: "delivery arrived",
  PENDING: "delivery failed and will be tried again",
  FAILED: "delivery failed permanently",
  CANCELLED: "delivery failed, and its endpoint is gone",
};

function attemptFacts(attempt: Attempt): LogFacts {
  return {
    delivery: attempt.deliveryId,
    event: attempt.eventId,
    type: attempt.type,
    host: hostOf(attempt.url),
    attempt: attempt.attempt,
    status_code: attempt.statusCode,
    error: attempt.error,
    duration_ms: attempt.durationMs,
    next_attempt_at: attempt.nextAttemptAt === null ? null : iso(attempt.nextAttemptAt),
    chaos: attempt.chaos.length === 0 ? null : attempt.chaos.join(","),
  };
}

interface DeliveryFeeds {
  readonly sending: Subscribable<ClaimedDelivery>;
  readonly attempts: Subscribable<Attempt>;
}

/** Writes each sending and the end of each attempt to the log, where its level includes them. */
export function logDeliveries({ sending, attempts }: DeliveryFeeds, log: Log): void {
  if (log.debug !== undefined) sending.subscribe((delivery) => log.debug?.("delivery sent", deliveryFacts(delivery)));
  if (log.info !== undefined)
    attempts.subscribe((attempt) => log.info?.(OUTCOMES[attempt.status], attemptFacts(attempt)));
}
