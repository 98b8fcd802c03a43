import type { UnitOfWork } from "../db/unit-of-work.js";
import type { Tx } from "../features/tx.js";
import { envelope } from "../features/webhooks/envelope.js";
import type { ClaimedDelivery, WebhookStore } from "../features/webhooks/store.js";
import { ID_PREFIX } from "../kernel/ids.js";
import type { Clock, Log, RealTime } from "../kernel/runtime.js";
import { type AttemptResult, verdict } from "./schedule.js";
import { signature } from "./signer.js";
import type { Transport } from "./transport.js";

const MAX_IN_FLIGHT = 64;
/** No single endpoint may take all the places: a receiver that hangs must not hold up the others. */
const MAX_PER_ENDPOINT = 16;

/** One attempt, told to whoever follows deliveries live. */
export interface Attempt {
  readonly deliveryId: string;
  readonly eventId: string;
  readonly type: string;
  readonly url: string;
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  readonly responseBody: string | null;
  readonly durationMs: number;
  readonly status: "DELIVERED" | "PENDING" | "FAILED";
  readonly nextAttemptAt: number | null;
}

export interface DeliveryWorker {
  /** Looks for due deliveries soon; calling it too often costs nothing. */
  pump(): void;
  /** Comes back when no delivery is due and none is on its way. */
  drain(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerParts {
  readonly uow: UnitOfWork<Tx>;
  readonly webhooks: WebhookStore;
  readonly clock: Clock;
  readonly real: RealTime;
  readonly log: Log;
  readonly transport: Transport;
  readonly retryBaseMs: number;
  readonly userAgent: string;
  readonly sending: (delivery: ClaimedDelivery) => void;
  readonly attempted: (attempt: Attempt) => void;
}

export function createDeliveryWorker(parts: WorkerParts): DeliveryWorker {
  const { uow, webhooks, clock, real, log, transport } = parts;
  const inFlight = new Map<number, number>();
  let total = 0;
  let claiming: Promise<void> | null = null;
  let scheduled = false;
  let again = false;
  let stopped = false;
  const waiting: (() => void)[] = [];

  function claim(): Promise<ClaimedDelivery[]> {
    return uow.write((tx) => {
      const saturated = [...inFlight].filter(([, count]) => count >= MAX_PER_ENDPOINT).map(([endpoint]) => endpoint);
      const taken: ClaimedDelivery[] = [];
      const perEndpoint = new Map(inFlight);
      for (const row of webhooks.dueDeliveries(tx.now, JSON.stringify(saturated), MAX_IN_FLIGHT - total)) {
        const count = perEndpoint.get(row.endpoint_seq) ?? 0;
        if (count >= MAX_PER_ENDPOINT || webhooks.claim(tx.now, row.seq) === 0) continue;
        perEndpoint.set(row.endpoint_seq, count + 1);
        taken.push(row);
      }
      return taken;
    });
  }

  async function fill(): Promise<void> {
    while (!stopped && total < MAX_IN_FLIGHT) {
      const batch = await claim();
      if (batch.length === 0) return;
      for (const delivery of batch) {
        total += 1;
        inFlight.set(delivery.endpoint_seq, (inFlight.get(delivery.endpoint_seq) ?? 0) + 1);
        void attempt(delivery).finally(() => leave(delivery.endpoint_seq));
      }
    }
  }

  function leave(endpoint: number): void {
    total -= 1;
    const left = (inFlight.get(endpoint) ?? 1) - 1;
    if (left === 0) inFlight.delete(endpoint);
    else inFlight.set(endpoint, left);
    pump();
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    parts.sending(delivery);
    const body = envelope({ ...delivery, id: delivery.event_id, created_at: delivery.event_created_at });
    const headers = {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": parts.userAgent,
      "x-qa-signature": signature(delivery.type, delivery.secret, body, clock.now()),
      "x-qa-delivery-id": ID_PREFIX.delivery + delivery.id,
      "x-qa-event-type": delivery.type,
    };
    const result = await transport.post(delivery.url, headers, body);
    if (stopped) return;
    try {
      await record(delivery, result);
    } catch (reason) {
      log.error(`the outcome of delivery wd_${delivery.id} could not be written; it will be sent again`, reason);
    }
  }

  async function record(delivery: ClaimedDelivery, result: AttemptResult): Promise<void> {
    const number = delivery.attempts + 1;
    const outcome = await uow.write((tx) => {
      const decided = verdict(result, number, delivery.max_attempts, parts.retryBaseMs, tx.now);
      const delivered = decided.status === "DELIVERED";
      const error = result.error ?? (delivered ? null : `the endpoint answered ${result.statusCode}`);
      webhooks.settleAttempt(
        decided.status,
        number,
        decided.nextAttemptAt,
        result.statusCode,
        error,
        delivered ? null : result.responseBody,
        delivered ? tx.now : null,
        tx.now,
        delivery.seq,
      );
      webhooks.insertAttempt(delivery.seq, number, result.statusCode, error, result.durationMs, tx.now);
      if (decided.nextAttemptAt !== null) tx.notify.delivery(decided.nextAttemptAt);
      return { ...decided, error };
    });
    parts.attempted({
      deliveryId: ID_PREFIX.delivery + delivery.id,
      eventId: ID_PREFIX.event + delivery.event_id,
      type: delivery.type,
      url: delivery.url,
      attempt: number,
      maxAttempts: delivery.max_attempts,
      statusCode: result.statusCode,
      error: outcome.error,
      responseBody: outcome.status === "DELIVERED" ? null : result.responseBody,
      durationMs: result.durationMs,
      status: outcome.status,
      nextAttemptAt: outcome.nextAttemptAt,
    });
  }

  function start(): void {
    scheduled = false;
    if (stopped) return;
    if (claiming !== null) {
      again = true;
      return;
    }
    claiming = fill()
      .catch((reason) => log.error("due deliveries could not be read", reason))
      .finally(() => {
        claiming = null;
        if (again) {
          again = false;
          pump();
        }
        if (total === 0) for (const wake of waiting.splice(0)) wake();
      });
  }

  function pump(): void {
    if (scheduled || stopped) return;
    scheduled = true;
    real.soon(start);
  }

  return {
    pump,
    async drain() {
      while (!stopped) {
        const due = webhooks.nextDelivery()?.due_at ?? null;
        if (total === 0 && claiming === null && (due === null || due > clock.now())) return;
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          pump();
        });
      }
    },
    async stop() {
      stopped = true;
      transport.close();
      await claiming;
    },
  };
}
